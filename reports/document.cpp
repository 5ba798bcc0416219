// SPDX-License-Identifier: Apache-2.0
#include "reports/document.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/error.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "core/units.hpp"
#include "reports/material.hpp"
#include "reports/text.hpp"

namespace busbar::report {

std::string_view name(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::text:
      return "text";
    case ColumnKind::name:
      return "name";
    case ColumnKind::number:
      return "number";
    case ColumnKind::code:
      return "code";
    case ColumnKind::status:
      break;
  }
  return "status";
}

std::size_t add_line(Figure& figure, const std::string& label) {
  const std::size_t index = figure.lines.size();
  const LineStyle style{.colour = index, .shape = index, .dash = 0};
  figure.lines.push_back({.run = label, .series = "", .style = style});
  figure.legend.push_back({.label = label, .style = style});
  return index;
}

void drop_last_column_if_empty(Table& table) {
  if (std::ranges::any_of(table.rows, [](const auto& cells) { return !cells.back().empty(); })) return;
  table.columns.pop_back();
  for (auto& cells : table.rows) cells.pop_back();
}

std::string count_runs_and_cases(const std::vector<Run>& runs) {
  std::size_t cases = 0, skipped = 0, failed = 0;
  for (const Run& run : runs) {
    for (const CaseRecord& c : run.cases) {
      ++cases;
      skipped += c.status == Status::skipped;
      failed += c.status == Status::failed;
    }
  }
  return fmt::format("{}, {} ({} skipped, {} failed)", plural(runs.size(), "run"), plural(cases, "case"), skipped,
                     failed);
}

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
