// SPDX-License-Identifier: Apache-2.0
#include "reports/sections/report_document.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {

namespace {

void check_names(const std::vector<std::string>& sections) {
  std::vector<std::string> known;
  for (const Section* section : table<Section>()) known.emplace_back(section->name);
  for (const std::string& name : sections)
    if (std::ranges::find(known, name) == known.end())
      throw UsageError(fmt::format("--sections: unknown section '{}'; known: {}", name, fmt::join(known, ", ")));
}

bool is_asked_for(const Section& section, const std::vector<std::string>& sections) {
  return sections.empty() || std::ranges::find(sections, section.name) != sections.end();
}

}  // namespace

Document make_document(std::string title, const std::vector<Run>& runs, const DocumentOptions& options) {
  check_names(options.sections);
  const Material material(runs, options);
  Document document{
      .title = std::move(title), .summary = count_runs_and_cases(runs), .notes = options.notes, .logo = options.logo};
  for (const Section* section : table<Section>()) {
    if (!is_asked_for(*section, options.sections)) continue;
    auto blocks = section->blocks(material);
    if (blocks.empty()) continue;
    document.chapters.push_back(
        {.name = std::string(section->name), .title = std::string(section->title), .blocks = std::move(blocks)});
  }
  return document;
}

}  // namespace busbar::report
