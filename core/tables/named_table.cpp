// SPDX-License-Identifier: Apache-2.0
#include "core/tables/named_table.hpp"

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/status.hpp"

namespace busbar {
namespace {

std::string duration(std::optional<double> seconds) { return seconds ? format_duration(*seconds) : "-"; }

}  // namespace

bool is_named(const CaseKey& k) { return k.kind != CaseKind::collective && k.kind != CaseKind::pair && !k.training; }

std::string case_name(const CaseKey& k) { return k.kind == CaseKind::copy && k.group ? *k.group : k.collective; }

std::string named_head() {
  return "# GB/s: as the source gives it (decimal: 1 GB/s = 1e9 B/s)\n"
         "# \"-\": the source does not say, or it does not apply\n";
}

std::string named_series(const CaseRecord& c) {
  if (c.key.kind != CaseKind::copy) return fmt::format("{}s by {}", name(c.key.kind), c.key.backend);
  if (!c.key.group) return fmt::format("copies without a result by {}", c.key.backend);
  const std::string size = c.key.bytes > 0 ? ", " + format_size(c.key.bytes) : "";
  return fmt::format("{}: {} by {}{}", name(c.key.kind), c.key.collective, c.key.backend, size);
}

std::string named_columns(const CaseRecord& c) {
  return fmt::format("#\n# {}\n# {:>8} {:>5} {:>10} {:>9} {:>7} {:>9}  {}\n", named_series(c), "time", "+-%", "p99",
                     "GB/s", "samples", "check", "name");
}

std::string named_row(const CaseRecord& c) {
  const std::string name = case_name(c.key);
  if (c.status != Status::ok && !c.time_s && !c.algbw_GBps)
    return fmt::format("{} {}: {}\n", name, busbar::name(c.status), c.reason.value_or("no reason given"));
  const auto p99 = c.statistics ? std::optional(c.statistics->p99_s) : std::nullopt;
  std::string row = fmt::format("{:>10} {:>5} {:>10} {:>9} {:>7} {:>9}  {}\n", duration(c.time_s),
                                half_width_percent(c), duration(p99), bandwidth_cell(c.algbw_GBps),
                                c.samples_taken ? std::to_string(*c.samples_taken) : "-", text_of(c.check.state), name);
  if (c.status == Status::failed) row += fmt::format("{} failed: {}\n", name, c.reason.value_or("no reason given"));
  return row;
}

}  // namespace busbar
