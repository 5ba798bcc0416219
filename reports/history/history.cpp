// SPDX-License-Identifier: Apache-2.0
#include "reports/history/history.hpp"

#include <algorithm>
#include <map>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/journal/journal.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/text/text.hpp"

namespace busbar::history {
namespace {

namespace fs = std::filesystem;

/// "20260131T120000Z-1f3a9c02.jsonl": ids of measured runs start with the start time; it is prefixed to others.
std::string file_name(const RunRecord& head) {
  std::string name = head.id;
  if (head.origin != Origin::measured && head.start_utc) name = *head.start_utc + "-" + name;
  for (char& c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    if (!plain) c = '_';
  }
  return name.substr(0, 200) + ".jsonl";
}

std::string map_text(const std::map<std::string, std::string>& all) {
  std::vector<std::string> words;
  for (const auto& [key, value] : all) words.push_back(key + "=" + value);
  return fmt::format("{}", fmt::join(words, " "));
}

report::Table launches_table(const std::vector<Run>& runs) {
  using enum report::ColumnKind;
  report::Table table{.columns = {{"start", name}, {"labels"}, {"tool"}, {"libraries"}, {"cases ok", number}}};
  for (const Run& run : runs) {
    const auto ok = std::ranges::count(run.cases, true, [](const CaseRecord& c) { return is_measured(c.status); });
    table.rows.push_back(
        {start_of(run), map_text(run.head.labels),
         run.head.tool.name + " " + run.head.tool.revision.value_or(run.head.tool.version.value_or("")),
         map_text(run.head.libraries), std::to_string(ok)});
  }
  return table;
}

}  // namespace

fs::path add(const fs::path& folder, const fs::path& record) {
  const Run run = read_journal(record, Detail::without_samples);
  if (std::ranges::none_of(run.cases, [](const CaseRecord& c) { return is_measured(c.status); }))
    throw UsageError(fmt::format("{}: has no case with status ok; a baseline needs one", record.string()));
  const fs::path file = folder / file_name(run.head);
  std::error_code problem;
  if (fs::exists(file, problem))
    throw UsageError(fmt::format("{}: this run is already in the baseline, as {}", record.string(), file.string()));
  write_journal(file, run);
  return file;
}

report::Document document(const std::string& folder, const std::vector<Run>& runs, const std::vector<Change>& changes) {
  std::vector<report::Block> blocks;
  for (const Change& change : changes) blocks.emplace_back(report::Paragraph{.text = sentence(change)});
  if (changes.empty())
    blocks.emplace_back(report::Paragraph{
        .text = fmt::format("No lasting change found in {}: finding one needs at least 3 launches before and after it.",
                            runs.size() == 1 ? std::string("1 launch") : fmt::format("{} launches", runs.size()))});
  blocks.emplace_back(launches_table(runs));
  for (const Change& change : changes) blocks.emplace_back(table_of(change));
  return {
      .title = "busbar baseline", .summary = folder, .chapters = {{.name = "history", .blocks = std::move(blocks)}}};
}

}  // namespace busbar::history
