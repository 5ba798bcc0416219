// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/cold_starts.hpp"
#include "core/record/run.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"

/// Calls with cold caches compared with calls back to back.
namespace busbar::report {
namespace {

std::vector<std::string> hot_and_cold_row(const std::string& run, const ColdStart& c) {
  return {run,
          c.series,
          format_size(c.bytes),
          duration(c.hot_s),
          duration(c.cold_s),
          fmt::format("{:.2f}", c.ratio),
          c.interval ? fmt::format("{:.2f} to {:.2f}", c.interval->low, c.interval->high) : std::string(unknown)};
}

std::vector<Block> hot_and_cold_blocks(const Material& material) {
  Table t{.title = "Cold over hot",
          .columns = make_columns({{ColumnKind::name, {"run", "series"}},
                                   {number, {"size", "hot", "cold", "cold / hot", "95 %, this launch"}}})};
  const auto is_cold = [](const CaseRecord& c) { return c.key.cadence == cold_cadence; };
  for (std::size_t i = 0; i < material.runs().size(); ++i) {
    if (std::ranges::none_of(material.runs()[i].cases, is_cold)) continue;
    ColdStarts both;
    for (const CaseRecord& c : material.runs()[i].cases) both.add_case(c);
    for (const ColdStart& c : both.pairs()) t.rows.push_back(hot_and_cold_row(material.names()[i], c));
  }
  if (t.rows.empty()) return {};
  return {
      Paragraph{.text = "Hot calls run back to back: buffers and the library's own data are cached, as in every "
                        "benchmark. Cold calls start with empty caches and ranks up to 100 us apart, as in an "
                        "application that computes between calls. Their time counts from the start of the last rank."},
      std::move(t)};
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section hot_and_cold{
    .name = "hot_and_cold", .title = "Hot and cold", .blocks = report::hot_and_cold_blocks};

}  // namespace busbar
