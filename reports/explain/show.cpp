// SPDX-License-Identifier: Apache-2.0
#include "reports/explain/show.hpp"

#include <map>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "core/record/run.hpp"
#include "reports/explain/words.hpp"
#include "reports/runs/in_parallel.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {
namespace {

constexpr int schema = 1;  ///< version of the JSON format

report::KeyValues block_of(std::size_t number, const Found& found) {
  const Finding& f = found.finding;
  report::KeyValues block{.title = fmt::format("{}. {}", number, f.title),
                          .rows = {{"certainty", fmt::format("{} (rule {})", name(f.certainty), found.rule->name)}}};
  for (const std::string& sentence : f.evidence) block.rows.emplace_back("evidence", sentence);
  for (const std::string& sentence : f.tries) block.rows.emplace_back("try", sentence);
  if (auto where = text_of(f.where); !where.empty()) block.rows.emplace_back("where", std::move(where));
  return block;
}

/// `who`: "The record has no", "No record has".
std::string looked_for(const Explanation& e, std::string_view who) {
  std::string text = fmt::format("Looked for: {}.", fmt::join(e.looked_for, ", "));
  if (!e.without_data.empty()) text += fmt::format(" {} data for: {}.", who, fmt::join(e.without_data, ", "));
  return text;
}

nlohmann::json json_of(const Found& found) {
  const Finding& f = found.finding;
  return {{"rule", found.rule->name},
          {"certainty", name(f.certainty)},
          {"title", f.title},
          {"evidence", f.evidence},
          {"try", f.tries},
          {"where",
           {{"series", f.where.series},
            {"sizes_bytes", f.where.sizes},
            {"ranks", f.where.ranks},
            {"hosts", f.where.hosts}}}};
}

}  // namespace

std::vector<ExplainedRun> explained(const std::vector<Run>& runs) {
  const auto names = report::run_names(runs);
  std::vector<ExplainedRun> all(runs.size());
  report::in_parallel(runs.size(), [&](std::size_t i) {
    all[i] = {.name = names[i], .run = &runs[i], .explanation = look_at(runs[i])};
  });
  return all;
}

std::string summary(const ExplainedRun& r) {
  const std::string cases = plural(r.run->cases.size(), "case");
  const std::size_t found = r.explanation.found.size();
  return found == 0 ? "no findings in " + cases : fmt::format("{} in {}", plural(found, "finding"), cases);
}

std::string text_of(const Where& w) {
  std::vector<std::string> parts;
  if (!w.sizes.empty()) parts.push_back(report::size_list(w.sizes));
  if (!w.ranks.empty()) parts.push_back(rank_names(w.ranks));
  if (!w.hosts.empty()) parts.push_back(report::list(w.hosts, 8));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<report::Block> blocks_of(const Explanation& e) {
  std::vector<report::Block> blocks;
  for (const Found& found : e.found) blocks.emplace_back(block_of(blocks.size() + 1, found));
  blocks.emplace_back(report::Paragraph{looked_for(e, "The record has no")});
  return blocks;
}

std::vector<FoundOften> counted(const std::vector<ExplainedRun>& runs) {
  std::map<std::pair<int, Certainty>, FoundOften> all;
  for (const ExplainedRun& r : runs)
    for (const Found& found : r.explanation.found) {
      FoundOften& often = all[{found.rule->order, found.finding.certainty}];
      if (!often.rule) often.rule = found.rule, often.certainty = found.finding.certainty, often.first = &found.finding;
      if (often.runs.empty() || often.runs.back() != r.name) often.runs.push_back(r.name);
      ++often.findings;
    }
  std::vector<FoundOften> listed;
  for (auto& [order, often] : all) listed.push_back(std::move(often));
  return listed;
}

std::string title_of(const FoundOften& often) {
  if (often.findings == 1) return often.first->title;
  return fmt::format("{} (one of {} such findings in {})", often.first->title, often.findings,
                     plural(often.runs.size(), "run"));
}

std::vector<report::Block> blocks_of(const std::vector<ExplainedRun>& runs) {
  std::vector<report::Block> blocks;
  for (const FoundOften& often : counted(runs)) {
    report::KeyValues block = block_of(blocks.size() + 1, {.rule = often.rule, .finding = *often.first});
    block.title = fmt::format("{}. {}", blocks.size() + 1, title_of(often));
    block.rows.insert(block.rows.begin() + 1, {"runs", report::list(often.runs, 4)});
    blocks.emplace_back(std::move(block));
  }
  std::set<std::string_view> looked;
  for (const ExplainedRun& r : runs) looked.insert(r.explanation.looked_for.begin(), r.explanation.looked_for.end());
  Explanation names;
  for (const Rule* rule : table<Rule>())
    if (looked.contains(rule->name))
      names.looked_for.push_back(rule->name);
    else
      names.without_data.push_back(rule->name);
  blocks.emplace_back(report::Paragraph{looked_for(names, "No record has")});
  return blocks;
}

nlohmann::json json_of(const std::vector<ExplainedRun>& runs) {
  nlohmann::json all = {{"schema", schema}, {"runs", nlohmann::json::array()}};
  for (const ExplainedRun& r : runs) {
    nlohmann::json findings = nlohmann::json::array();
    for (const Found& found : r.explanation.found) findings.push_back(json_of(found));
    all["runs"].push_back({{"name", r.name},
                           {"path", r.run->path},
                           {"id", r.run->head.id},
                           {"cases", r.run->cases.size()},
                           {"findings", std::move(findings)},
                           {"looked_for", r.explanation.looked_for},
                           {"without_data", r.explanation.without_data}});
  }
  return all;
}

}  // namespace busbar::explain
