// SPDX-License-Identifier: Apache-2.0
#include "reports/suite/suite_report.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/parse_json.hpp"
#include "core/base/privacy.hpp"
#include "core/base/units.hpp"
#include "core/files/output_file.hpp"
#include "core/journal/journal.hpp"
#include "core/record/run.hpp"
#include "reports/accept/outputs.hpp"
#include "reports/drawing/page.hpp"
#include "reports/drawing/render.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/suite/placeholders.hpp"
#include "reports/text/text.hpp"

namespace busbar::suite {
namespace {

using report::ColumnKind;

/// The readable records of launches, and why others are unreadable.
struct Records {
  std::vector<Run> runs;
  std::vector<std::string> unreadable;
};

Records read_records(const Suite& suite, const Outcomes& outcomes) {
  Records records;
  for (const Outcome& outcome : outcomes.all) {
    if (!program_of(suite.steps[outcome.launch.step]).writes_record) continue;
    std::error_code problem;
    if (outcome.state == Outcome::State::not_run || !std::filesystem::exists(outcome.launch.result, problem)) continue;
    try {
      records.runs.push_back(read_journal(outcome.launch.result, Detail::without_samples));
    } catch (const UsageError& e) {
      records.unreadable.push_back(without_people(e.what(), this_person()));
    }
  }
  return records;
}

/// What busbar-preflight found, from its output (docs/preflight.md).
struct PreflightFinding {
  std::string stage, check;  ///< "binding", "unbound"
  bool failed = false;       ///< else a warning
  std::string read;          ///< what was read: "2 of 2 ranks may run on all CPUs"
  std::vector<std::string> hosts;
  std::string advice;
};

void add_check(const nlohmann::json& check, std::vector<PreflightFinding>& all) {
  for (const nlohmann::json& one : check.at("findings")) {
    const std::string state = one.at("state");
    if (state != "warning" && state != "failed") continue;
    all.push_back({.stage = check.at("stage"),
                   .check = check.at("check"),
                   .failed = state == "failed",
                   .read = one.at("read"),
                   .hosts = one.at("hosts"),
                   .advice = check.at("advice")});
  }
}

/// Adds warnings and failures in the order of the file; a file that cannot be read has none. Lines that are not its
/// JSON are skipped.
void add_findings(const std::filesystem::path& file, std::vector<PreflightFinding>& all) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    try {
      const nlohmann::json record = parse_json(line);
      if (record.is_object() && record.value("record", "") == "check") add_check(record, all);
    } catch (const nlohmann::json::exception&) {
      continue;  // another program's line
    }
  }
}

std::vector<PreflightFinding> preflight_findings(const Suite& suite, const Outcomes& outcomes) {
  std::vector<PreflightFinding> all;
  for (const Outcome& outcome : outcomes.all) {
    const bool is_preflight = suite.steps[outcome.launch.step].program == "busbar-preflight";
    if (is_preflight && outcome.state != Outcome::State::not_run) add_findings(outcome.launch.result, all);
  }
  return all;
}

/// Removes labels that are the same in all runs and returns them: "platform=vm, site=lab".
std::string remove_common_labels(std::vector<Run>& runs) {
  if (runs.empty()) return "";
  std::string common;
  const auto labels = runs[0].head.labels;
  for (const auto& [key, value] : labels) {
    const auto has_it = [&](const Run& run) {
      const auto found = run.head.labels.find(key);
      return key != "step" && found != run.head.labels.end() && found->second == value;
    };
    if (!std::ranges::all_of(runs, has_it)) continue;
    for (Run& run : runs) run.head.labels.erase(key);
    common += fmt::format("{}{}={}", common.empty() ? "" : ", ", key, value);
  }
  return common;
}

std::string how(const Outcome& outcome) {
  if (outcome.state == Outcome::State::not_run) return "not run";
  if (outcome.ending.ended == LaunchEnd::interrupted) return "interrupted";
  return outcome.ending.ok() ? "ok" : "failed";
}

report::Table launches_table(const Suite& suite, const Plan& plan, const Outcomes& outcomes) {
  using enum ColumnKind;
  report::Table table{
      .columns = {{"launch", name}, {"ended", status}, {"took (s)", number}, {"on"}, {"what for"}, {"why"}}};
  for (const Outcome& o : outcomes.all) {
    const bool run = o.state != Outcome::State::not_run;
    table.rows.push_back({o.launch.name, how(o), run ? fmt::format("{:.0f}", o.ending.wall_s) : "-",
                          fmt::format("{} on {}", plural(o.launch.ranks(), "rank"), plural(o.launch.nodes, "node")),
                          suite.steps[o.launch.step].about, run ? o.ending.reason : ""});
  }
  for (const LeftOut& left : plan.left_out)
    table.rows.push_back({suite.steps[left.step].name, "skipped", "-", "-", suite.steps[left.step].about, left.reason});
  drop_last_column_if_empty(table);
  return table;
}

report::Table commands_table(const Outcomes& outcomes) {
  report::Table table{
      .title = "Commands", .columns = {{"launch", ColumnKind::name}, {"command", ColumnKind::code}}, .folded = true};
  for (const Outcome& o : outcomes.all)
    table.rows.push_back({o.launch.name, without_people(shell_line(o.launch.argv), this_person())});
  return table;
}

/// What preflight warned of or found broken; no rows if it did not run or all is well.
report::Table preflight_table(const Suite& suite, const Outcomes& outcomes) {
  report::Table table{
      .title = "Preflight: warnings and failures",
      .columns = {
          {"check", ColumnKind::name}, {"state", ColumnKind::status}, {"what was read"}, {"hosts"}, {"advice"}}};
  for (const PreflightFinding& f : preflight_findings(suite, outcomes))
    table.rows.push_back(
        {f.stage + ": " + f.check, f.failed ? "failed" : "warning", f.read, report::list(f.hosts, 4), f.advice});
  return table;
}

report::Chapter chapter(const Suite& suite, const Plan& plan, const Outcomes& outcomes, const Records& records) {
  report::Chapter chapter{.name = "suite", .title = "What the suite did"};
  if (!suite.about.empty()) chapter.blocks.emplace_back(report::Paragraph{.text = suite.about});
  chapter.blocks.emplace_back(launches_table(suite, plan, outcomes));
  if (report::Table found = preflight_table(suite, outcomes); !found.rows.empty())
    chapter.blocks.emplace_back(std::move(found));
  for (const std::string& problem : records.unreadable)
    chapter.blocks.emplace_back(report::Paragraph{.text = "Left out: " + problem, .tone = report::Tone::warning});
  chapter.blocks.emplace_back(commands_table(outcomes));
  return chapter;
}

}  // namespace

std::string count_text(const Outcomes& outcomes) {
  std::size_t ok = 0, not_run = 0, interrupted = 0;
  std::vector<std::string> failed;
  for (const Outcome& o : outcomes.all) {
    ok += o.ok();
    not_run += o.state == Outcome::State::not_run;
    interrupted += o.ending.ended == LaunchEnd::interrupted;
    if (how(o) == "failed") failed.push_back(o.launch.name);
  }
  std::string text = fmt::format("{} of {} launches ok", ok, outcomes.all.size());
  if (!failed.empty()) text += fmt::format(", {} failed ({})", failed.size(), report::list(failed));
  if (interrupted > 0) text += fmt::format(", {} interrupted", interrupted);
  if (not_run > 0) text += fmt::format(", {} not run", not_run);
  return text;
}

report::Document make_suite_report(const Suite& suite, const Plan& plan, const Outcomes& outcomes, const Given& given) {
  Records records = read_records(suite, outcomes);
  const bool several = std::ranges::any_of(suite.steps, [](const Step& step) { return step.launches > 1; });
  report::DocumentOptions options;
  if (several && !records.runs.empty()) options.group_by = "step";
  // With one launch per step, the file name suffices: "pairs.1" is shorter than "step=pairs".
  if (!several)
    for (Run& run : records.runs) run.head.labels.erase("step");
  options.notes = {fmt::format("Suite {} on {}: {}.", suite.name, hosts_text(given.hosts), count_text(outcomes))};
  if (const std::string labels = remove_common_labels(records.runs); !labels.empty())
    options.notes.push_back("Labels of all runs: " + labels + ".");
  const std::string title = "busbar suite " + suite.name;
  if (records.runs.empty())
    return {.title = title,
            .summary = report::count_runs_and_cases({}),
            .notes = options.notes,
            .chapters = {chapter(suite, plan, outcomes, records)}};
  report::Document document = report::make_document(title, records.runs, options);
  document.chapters.insert(document.chapters.begin(), chapter(suite, plan, outcomes, records));
  return document;
}

accept::Acceptance add_acceptance(report::Document& document, const Suite& suite, const Outcomes& outcomes,
                                  const accept::Profile& profile) {
  const Records records = read_records(suite, outcomes);
  accept::Acceptance acceptance = accept::accept_runs(profile, records.runs, accept::yardsticks_for(profile, {}));
  for (const Outcome& o : outcomes.all) {
    if (o.ok()) continue;
    acceptance.limits.push_back({.outcome = accept::Outcome::fail,
                                 .rule = "every launch ok",
                                 .what = o.launch.name,
                                 .run = o.launch.result.filename().string(),
                                 .text = o.ending.reason.empty() ? how(o) : how(o) + ": " + o.ending.reason});
  }
  for (const PreflightFinding& f : preflight_findings(suite, outcomes))
    acceptance.limits.push_back({.outcome = f.failed ? accept::Outcome::fail : accept::Outcome::unknown,
                                 .rule = "preflight",
                                 .what = f.stage + ": " + f.check,
                                 .text = f.read});
  document.chapters.insert(document.chapters.begin(), accept::certificate(acceptance, profile, records.runs));
  accept::put_first(document.overview, acceptance);
  return acceptance;
}

void write_suite_report(const report::Document& document, const std::filesystem::path& folder) {
  write_whole(folder / "report.html", report::render_html(document, report::chart_bundle()), "--out");
  write_whole(folder / "report.md", report::render_markdown(document), "--out");
}

}  // namespace busbar::suite
