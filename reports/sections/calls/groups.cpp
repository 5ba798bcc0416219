// SPDX-License-Identifier: Apache-2.0
#include "core/record/groups.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"

/// Several groups of ranks that called at the same time.
namespace busbar::report {
namespace {

std::string interval_text(const std::optional<Interval>& interval) {
  return interval ? fmt::format("{:.2f} to {:.2f}", interval->low, interval->high) : std::string(unknown);
}

void add_groups(Table& table, const std::string& run, const CaseRecord& c) {
  const GroupTime* const slowest = slowest_group(c);
  if (slowest == nullptr || !is_measured(c.status)) return;
  const auto fastest = std::ranges::min_element(c.groups, {}, &GroupTime::time_s);
  table.rows.push_back({run, series_name(c.key), format_size(c.key.bytes), fmt::format("{}", c.groups.size()),
                        duration(fastest->time_s), duration(slowest->time_s), group_name(c, *slowest),
                        fmt::format("{:.2f}", slowest->over_others), interval_text(slowest->over_others_interval)});
}

void add_costs(Table& table, const std::string& run, const std::vector<CaseRecord>& cases) {
  Alternations alternations;
  for (const CaseRecord& c : cases) alternations.add_case(c);
  for (const Alternation& one : alternations.found())
    table.rows.push_back({run, one.series, format_size(one.bytes), duration(one.first_s), duration(one.second_s),
                          duration(one.together_s), fmt::format("{:.2f}", one.cost), interval_text(one.interval)});
}

Table groups_table() {
  return {.title = "Slowest groups",
          .columns = make_columns({{ColumnKind::name, {"run", "series"}},
                                   {number, {"size", "groups", "fastest", "slowest"}},
                                   {ColumnKind::name, {"the slowest"}},
                                   {number, {"over the others", "95 %, this launch"}}})};
}

Table costs_table() {
  return {.title = "Two kinds of groups",
          .columns = make_columns(
              {{ColumnKind::name, {"run", "series"}},
               {number, {"size", "first alone", "second alone", "together", "cost", "95 %, this launch"}}})};
}

std::vector<Block> groups_blocks(const Material& material) {
  Table groups = groups_table(), costs = costs_table();
  for (std::size_t i = 0; i < material.runs().size(); ++i) {
    for (const CaseRecord& c : material.runs()[i].cases) add_groups(groups, material.names()[i], c);
    add_costs(costs, material.names()[i], material.runs()[i].cases);
  }
  if (groups.rows.empty()) return {};
  std::vector<Block> blocks{
      Paragraph{.text = "All groups of a case call at the same time. A group's time is that of its slowest rank; "
                        "\"over the others\" divides it by the median of the other groups in the same round. Of equal "
                        "groups one is always the slowest, so look at intervals that exclude 1."}};
  blocks.emplace_back(std::move(groups));
  if (costs.rows.empty()) return blocks;
  blocks.emplace_back(
      Paragraph{.text = "Where two kinds of groups alternate, the cost is together / (first alone + second alone): "
                        "above 1 they disturb each other, below 1 waiting for slow ranks overlaps."});
  blocks.emplace_back(std::move(costs));
  return blocks;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section groups{
    .name = "groups", .title = "Groups at the same time", .blocks = report::groups_blocks};

}  // namespace busbar
