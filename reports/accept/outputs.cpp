// SPDX-License-Identifier: Apache-2.0
#include "reports/accept/outputs.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "reports/document/junit.hpp"
#include "reports/text/text.hpp"

namespace busbar::accept {
namespace {

using report::ColumnKind;
using report::Table;

constexpr std::size_t most_rows = 15;  ///< of missed limits in text and page; JSON and JUnit have all

/// The limits of one rule.
struct RuleSum {
  std::string name;
  std::size_t pass = 0, unknown = 0, fail = 0;
  const CheckedLimit* worst = nullptr;

  void add_limit(const CheckedLimit& limit) {
    pass += limit.outcome == Outcome::pass;
    unknown += limit.outcome == Outcome::unknown;
    fail += limit.outcome == Outcome::fail;
    const auto order = [](const CheckedLimit& l) { return std::tuple(l.outcome, -l.margin); };
    if (worst == nullptr || order(limit) > order(*worst)) worst = &limit;
  }
  [[nodiscard]] Outcome outcome() const {
    if (fail > 0) return Outcome::fail;
    return unknown > 0 ? Outcome::unknown : Outcome::pass;
  }
};

std::vector<RuleSum> sums_of(const Acceptance& acceptance) {
  std::vector<RuleSum> all;
  for (const CheckedLimit& limit : acceptance.limits) {
    auto sum = std::ranges::find(all, limit.rule, &RuleSum::name);
    if (sum == all.end()) sum = all.insert(all.end(), RuleSum{.name = limit.rule});
    sum->add_limit(limit);
  }
  return all;
}

Table rules_table(const Acceptance& acceptance) {
  Table table{.columns = {{"rule", ColumnKind::name},
                          {"verdict", ColumnKind::status},
                          {"pass", ColumnKind::number},
                          {"cannot tell", ColumnKind::number},
                          {"fail", ColumnKind::number},
                          {"the closest or worst"}}};
  for (const RuleSum& sum : sums_of(acceptance))
    table.rows.push_back({sum.name, std::string(name(sum.outcome())), std::to_string(sum.pass),
                          std::to_string(sum.unknown), std::to_string(sum.fail), sum.worst->text});
  return table;
}

Table nodes_table(const Acceptance& acceptance) {
  Table table{.title = "To take out", .columns = {{"node", ColumnKind::name}, {"evidence"}}};
  for (const SlowNode& node : acceptance.take_out)
    table.rows.push_back({node.name, fmt::format("{}", fmt::join(node.evidence, "; "))});
  return table;
}

/// The limits with this outcome, those missed by most first.
std::vector<const CheckedLimit*> worst_first(const Acceptance& acceptance, Outcome wanted) {
  std::vector<const CheckedLimit*> all;
  for (const CheckedLimit& limit : acceptance.limits)
    if (limit.outcome == wanted) all.push_back(&limit);
  std::ranges::stable_sort(all, {}, &CheckedLimit::margin);
  return all;
}

/// The limits of one rule that one record missed, or that cannot be told.
struct LimitGroup {
  const CheckedLimit* worst = nullptr;
  std::size_t cases = 0;
};

/// By rule and record, worst first.
std::vector<LimitGroup> groups_of(const Acceptance& acceptance, Outcome outcome) {
  std::vector<LimitGroup> groups;
  for (const CheckedLimit* limit : worst_first(acceptance, outcome)) {
    const auto group = std::ranges::find_if(
        groups, [&](const LimitGroup& g) { return g.worst->rule == limit->rule && g.worst->run == limit->run; });
    if (group != groups.end())
      ++group->cases;
    else
      groups.push_back({.worst = limit, .cases = 1});
  }
  return groups;
}

void add_limits(std::vector<report::Block>& blocks, const Acceptance& acceptance, Outcome outcome,
                const std::string& title) {
  const auto groups = groups_of(acceptance, outcome);
  if (groups.empty()) return;
  using enum ColumnKind;
  Table table{.title = title, .columns = {{"rule", name}, {"cases", number}, {"the worst"}, {"its case"}, {"record"}}};
  for (std::size_t i = 0; i < std::min(groups.size(), most_rows); ++i) {
    const CheckedLimit& worst = *groups[i].worst;
    table.rows.push_back({worst.rule, std::to_string(groups[i].cases), worst.text, worst.what,
                          std::filesystem::path(worst.run).filename().string()});
  }
  blocks.emplace_back(std::move(table));
  if (groups.size() > most_rows)
    blocks.emplace_back(report::Paragraph{
        .text = fmt::format("{} more; --format json and --junit have all.", groups.size() - most_rows)});
}

/// "12 hosts: node1, node2, ..."
std::string hosts_text(const std::vector<Run>& runs) {
  std::set<std::string> names;
  for (const Run& run : runs)
    for (const Host& host : run.head.hosts) names.insert(host.name);
  if (names.empty()) return "unknown";
  return fmt::format("{}: {}", plural(names.size(), "host"),
                     report::list(std::vector<std::string>(names.begin(), names.end()), 8));
}

std::string times_text(const std::vector<Run>& runs) {
  std::set<std::string> starts;
  for (const Run& run : runs)
    if (run.head.start_utc) starts.insert(*run.head.start_utc);
  if (starts.empty()) return "unknown";
  return starts.size() == 1 ? *starts.begin() : *starts.begin() + " to " + *starts.rbegin();
}

std::string word_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::pass:
      return "PASS";
    case Outcome::fail:
      return "FAIL";
    case Outcome::unknown:
      break;
  }
  return "CANNOT TELL";
}

}  // namespace

std::string verdict(const Acceptance& acceptance) {
  const std::size_t all = acceptance.limits.size();
  std::string s = word_of(acceptance.outcome()) + ": ";
  std::vector<std::string> parts;
  if (acceptance.count(Outcome::fail) > 0)
    parts.push_back(fmt::format("{} of {} missed", acceptance.count(Outcome::fail), plural(all, "limit")));
  if (acceptance.count(Outcome::unknown) > 0)
    parts.push_back(fmt::format("{} of {} cannot be told", acceptance.count(Outcome::unknown), plural(all, "limit")));
  std::vector<std::string> nodes;
  for (const SlowNode& node : acceptance.take_out) nodes.push_back(node.name);
  if (!nodes.empty()) parts.push_back("take out " + report::list(nodes, 8));
  if (parts.empty()) parts.push_back(fmt::format("all {} met", plural(all, "limit")));
  return s + fmt::format("{}", fmt::join(parts, "; "));
}

report::Chapter certificate(const Acceptance& acceptance, const Profile& profile, const std::vector<Run>& runs) {
  const auto tone = acceptance.outcome() == Outcome::pass ? report::Tone::plain : report::Tone::warning;
  report::Chapter chapter{
      .name = "acceptance",
      .title = "Acceptance",
      .blocks = {report::Paragraph{.text = verdict(acceptance) + ".", .tone = tone},
                 report::KeyValues{.rows = {{"profile", profile.name},
                                            {"limits from", fmt::format("{}", fmt::join(profile.sources, "; "))},
                                            {"accepted", hosts_text(runs)},
                                            {"runs", std::to_string(runs.size())},
                                            {"measured", times_text(runs)}}},
                 rules_table(acceptance)}};
  if (!acceptance.take_out.empty()) chapter.blocks.emplace_back(nodes_table(acceptance));
  add_limits(chapter.blocks, acceptance, Outcome::fail, "Missed");
  add_limits(chapter.blocks, acceptance, Outcome::unknown, "Cannot be told");
  return chapter;
}

void put_first(report::Overview& overview, const Acceptance& acceptance) {
  const auto judgement = acceptance.outcome() == Outcome::pass   ? report::Judgement::good
                         : acceptance.outcome() == Outcome::fail ? report::Judgement::bad
                                                                 : report::Judgement::doubtful;
  if (!overview.verdict.empty()) {
    const std::string link = overview.figures.empty() ? "findings" : overview.figures.front().link;
    overview.remarks.insert(overview.remarks.begin(), {.text = overview.verdict, .link = link});
  }
  if (overview.remarks.size() > 3) overview.remarks.resize(3);
  overview.verdict = verdict(acceptance) + ".";
  overview.judgement = judgement;
  overview.figures.insert(overview.figures.begin(), {.title = "limits met",
                                                     .value = std::to_string(acceptance.count(Outcome::pass)),
                                                     .unit = fmt::format("of {}", acceptance.limits.size()),
                                                     .expected = "should be all",
                                                     .judgement = judgement,
                                                     .link = "acceptance"});
  if (overview.figures.size() > 6) overview.figures.pop_back();
}

std::string junit(const Acceptance& acceptance) {
  using Result = report::Junit::Result;
  report::Junit all;
  for (const SlowNode& node : acceptance.take_out)
    all.add_case("nodes to take out", node.name, Result::failed, fmt::format("{}", fmt::join(node.evidence, "; ")), 0);
  for (const Outcome outcome : {Outcome::fail, Outcome::unknown, Outcome::pass})
    for (const CheckedLimit* limit : worst_first(acceptance, outcome))
      all.add_case(limit->rule, limit->id.empty() ? limit->run : limit->id,
                   outcome == Outcome::fail   ? Result::failed
                   : outcome == Outcome::pass ? Result::passed
                                              : Result::skipped,
                   limit->text, 0);
  return all.text("busbar accept");
}

nlohmann::json to_json(const Acceptance& acceptance, const Profile& profile) {
  nlohmann::json limits = nlohmann::json::array(), nodes = nlohmann::json::array();
  for (const CheckedLimit& l : acceptance.limits)
    limits.push_back({{"outcome", name(l.outcome)},
                      {"rule", l.rule},
                      {"id", l.id.empty() ? nlohmann::json() : nlohmann::json(l.id)},
                      {"run", l.run.empty() ? nlohmann::json() : nlohmann::json(l.run)},
                      {"text", l.text},
                      {"margin", l.margin > 0 ? nlohmann::json(l.margin) : nlohmann::json()}});
  for (const SlowNode& node : acceptance.take_out) nodes.push_back({{"node", node.name}, {"evidence", node.evidence}});
  return {{"acceptance", 1},
          {"profile", profile.name},
          {"outcome", name(acceptance.outcome())},
          {"verdict", verdict(acceptance)},
          {"take_out", nodes},
          {"limits", limits}};
}

report::Chapter learning_chapter(const Learning& learning) {
  using enum ColumnKind;
  Table learned{.columns = {{"case"}, {"launches", number}, {"typical time", number}, {"least similarity", number}}};
  for (const LearnedCase& one : learning.profile.learned)
    learned.rows.push_back({one.id, std::to_string(one.launches), format_duration(one.times_s[one.times_s.size() / 2]),
                            fmt::format("{:.3f}", one.least_similarity)});
  Table outliers{.title = "Left out: unlike the rest of the fleet",
                 .columns = {{"hosts", name}, {"cases", number}, {"least similarity", number}, {"record"}}};
  std::map<std::string, std::vector<const LeftOut*>> by_run;
  for (const LeftOut& one : learning.left_out) by_run[one.run].push_back(&one);
  for (const auto& [run, all] : by_run) {
    const auto least = std::ranges::min_element(all, {}, &LeftOut::similarity);
    outliers.rows.push_back({all.front()->hosts, std::to_string(all.size()),
                             fmt::format("{:.3f}", (*least)->similarity),
                             std::filesystem::path(run).filename().string()});
  }
  report::Chapter chapter{.name = "learned", .blocks = {std::move(learned)}};
  if (!learning.left_out.empty()) chapter.blocks.emplace_back(std::move(outliers));
  if (!learning.unlike.empty())
    chapter.blocks.emplace_back(
        report::Paragraph{.text = fmt::format("{}: fewer than half of the launches are alike: not learned. First: {}.",
                                              plural(learning.unlike.size(), "case"), learning.unlike.front()),
                          .tone = report::Tone::warning});
  if (!learning.too_few.empty())
    chapter.blocks.emplace_back(report::Paragraph{
        .text =
            fmt::format("{} in fewer than 3 usable launches: not learned.", plural(learning.too_few.size(), "case")),
        .tone = report::Tone::warning});
  return chapter;
}

}  // namespace busbar::accept
