// SPDX-License-Identifier: Apache-2.0
#include "core/tables/overlap_table.hpp"

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"

namespace busbar {
namespace {

std::string in_us(std::optional<double> seconds) { return seconds ? fmt::format("{:.2f}", *seconds * 1e6) : "-"; }

std::optional<double> part_of(const CaseRecord& c, double Overlap::* part) {
  return c.overlap ? std::optional((*c.overlap).*part) : std::nullopt;
}

}  // namespace

std::string hidden_percent(const CaseRecord& c) {
  return c.overlap ? fmt::format("{:.1f}", 100 * c.overlap->hidden) : "-";
}

std::string hidden_half_width(const CaseRecord& c) {
  if (!c.overlap || !c.overlap->hidden_interval) return "-";
  return fmt::format("{:.1f}", 50 * (c.overlap->hidden_interval->high - c.overlap->hidden_interval->low));
}

std::string overlap_head() {
  return "# overlap: time is start, work and wait together; alone: the call without work\n"
         "# hidden: (alone + work - time) / min(alone, work), +-: half-width in this launch\n";
}

std::string overlap_columns(bool narrow, bool within) {
  const int time = narrow ? 9 : 10;
  const std::string head = within ? " within" : "", blank(head.size(), ' ');
  return fmt::format("# {:>{}} {:>{}} {:>5}{} {:>{}} {:>{}} {:>7} {:>5} {:>7}  {:<{}}  grade\n", "size", narrow ? 6 : 7,
                     "time", time, "+-%", head, "alone", time, "work", time, "hidden", "+-", "samples", "check",
                     narrow ? 6 : 12) +
         fmt::format("# {:>{}} {:>{}} {:>5}{} {:>{}} {:>{}} {:>7} {:>5}\n", "", narrow ? 6 : 7, "(us)", time, "", blank,
                     "(us)", time, "(us)", time, "(%)", "(%)");
}

std::string overlap_row(const CaseRecord& c, bool narrow, bool within) {
  const int time = narrow ? 9 : 10;
  return fmt::format("{:>{}} {:>{}} {:>5}{} {:>{}} {:>{}} {:>7} {:>5} {:>7}  {:<{}}", format_size(c.key.bytes),
                     narrow ? 8 : 9, in_us(c.time_s), time, half_width_percent(c),
                     within ? fmt::format(" {:>6}", half_width_percent(c, c.interval_s)) : "",
                     in_us(part_of(c, &Overlap::alone_s)), time, in_us(part_of(c, &Overlap::work_s)), time,
                     hidden_percent(c), hidden_half_width(c), c.samples_taken ? std::to_string(*c.samples_taken) : "-",
                     text_of(c.check.state), narrow ? 6 : 12);
}

}  // namespace busbar
