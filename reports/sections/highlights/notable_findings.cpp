// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/base/terminal_text.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/tables/named_table.hpp"
#include "reports/sections/overview.hpp"
#include "reports/text/text.hpp"

/// The findings of `busbar explain` that matter most: those that cast doubt on figures or machine come first.
namespace busbar::report {
namespace {

bool matters_more(const explain::FoundOften& a, const explain::FoundOften& b) {
  if (a.rule->suspicious != b.rule->suspicious) return a.rule->suspicious;
  return a.certainty < b.certainty;
}

/// Anchor of the first case that a finding is about; else of the section.
std::string link_of(const explain::FoundOften& often, const std::vector<explain::ExplainedRun>& runs) {
  const explain::Where& where = often.first->where;
  if (where.series.empty() || where.sizes.empty()) return "findings";
  const auto of = std::ranges::find(runs, often.runs.front(), &explain::ExplainedRun::name);
  for (const CaseRecord& c : of->run->cases)
    if (c.key.bytes == where.sizes.front() && std::ranges::find(where.series, series_name(c.key)) != where.series.end())
      return anchor_of_case(subject(c.key), c.key.bytes);
  return "findings";
}

Highlight find_notable_findings(const Material& material) {
  Highlight found;
  auto all = explain::counted(material.explained());
  std::erase_if(all, [](const auto& often) { return often.certainty == explain::Certainty::possible; });
  std::ranges::stable_sort(all, matters_more);
  for (const explain::FoundOften& often : all) {
    const bool known = often.certainty == explain::Certainty::known;
    found.remarks.push_back(
        {.text = capitalised(title_of(often)) + (known ? "" : fmt::format(" ({})", name(often.certainty))),
         .link = link_of(often, material.explained()),
         .else_link = "findings",
         .rule = often.rule->name});
  }
  return found;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::HighlightSource notable_findings{.name = "notable_findings",
                                                      .find = report::find_notable_findings};

}  // namespace busbar
