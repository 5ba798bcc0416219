// SPDX-License-Identifier: Apache-2.0
#include "reports/sections/report_document.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "reports/runs/in_parallel.hpp"
#include "reports/runs/title.hpp"
#include "reports/sections/overview.hpp"
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
  if (title.empty()) title = title_of(runs, options.by);
  Document document{.title = std::move(title),
                    .summary = count_runs_and_cases(runs),
                    .notes = options.notes,
                    .overview = options.overview ? make_overview(material) : Overview{},
                    .logo = options.logo};
  std::vector<const Section*> asked;
  std::ranges::copy_if(table<Section>(), std::back_inserter(asked),
                       [&](const Section* section) { return is_asked_for(*section, options.sections); });
  std::vector<std::vector<Block>> blocks(asked.size());
  in_parallel(asked.size(), [&](std::size_t i) { blocks[i] = asked[i]->blocks(material); });
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (blocks[i].empty()) continue;
    document.chapters.push_back({.name = std::string(asked[i]->name),
                                 .title = std::string(asked[i]->title),
                                 .blocks = std::move(blocks[i]),
                                 .folded = asked[i]->folded});
  }
  share_sizes(document);
  return document;
}

}  // namespace busbar::report
