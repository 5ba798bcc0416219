// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/base/terminal_text.hpp"
#include "core/record/case_record.hpp"
#include "reports/sections/overview.hpp"
#include "reports/text/text.hpp"

/// The findings of `busbar explain` that matter most: those that cast doubt on figures or machine come first.
namespace busbar::report {
namespace {

bool matters_more(const explain::FoundOften& a, const explain::FoundOften& b) {
  if (a.rule->suspicious != b.rule->suspicious) return a.rule->suspicious;
  return a.certainty < b.certainty;
}

/// Anchor of the first case that a finding is about, the plainest; else of the section.
std::string link_of(const explain::Finding& finding) {
  const auto& cases = finding.where.cases;
  if (cases.empty() || cases.front()->key.bytes == 0) return "findings";
  return anchor_of_case(subject(cases.front()->key), cases.front()->key.bytes);
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
         .link = link_of(*often.first),
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
