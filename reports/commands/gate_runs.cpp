// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/words.hpp"
#include "core/files/output_file.hpp"
#include "core/record/run.hpp"
#include "reports/commands/command.hpp"
#include "reports/compare/options.hpp"
#include "reports/compare/sides.hpp"
#include "reports/drawing/render.hpp"
#include "reports/gate/outputs.hpp"
#include "reports/runs/load.hpp"
#include "reports/text/text.hpp"

namespace busbar {
namespace {

struct GateOptions {
  std::vector<std::string> baseline, current;
  std::string max_regression = "2";
  std::string inconclusive = "5";
  std::size_t last = 10;
  compare::CommonOptions common;
  std::string junit, summary;
  bool github = false;
  std::string format = "text";
};

/// Loads the newest launches of the baseline, oldest first.
std::vector<Run> load_baseline(const GateOptions& o) {
  std::vector<Run> runs = report::load(report::record_files(o.baseline), Detail::figures);
  std::ranges::stable_sort(runs, {}, [](const Run& run) { return run.head.start_utc.value_or(""); });
  if (runs.size() > o.last) runs.erase(runs.begin(), runs.end() - static_cast<std::ptrdiff_t>(o.last));
  return runs;
}

Exit exit_of_gate(gate::Outcome outcome, const std::string& inconclusive) {
  if (outcome == gate::Outcome::pass) return Exit::ok;
  if (outcome == gate::Outcome::regression) return Exit::failed;
  if (outcome == gate::Outcome::disturbed || inconclusive == "5") return Exit::inconclusive;
  return inconclusive == "pass" ? Exit::ok : Exit::failed;
}

/// Appends to the file that GitHub shows on the page of the workflow run.
void add_to_step_summary(const std::string& markdown) {
  const char* file = std::getenv("GITHUB_STEP_SUMMARY");
  if (file == nullptr) throw UsageError("--github: GITHUB_STEP_SUMMARY is not set; use it in a step of GitHub Actions");
  std::ofstream out(file, std::ios::app);
  if (!(out << markdown << "\n").flush()) throw OutputError(fmt::format("--github: cannot write {}", file));
}

void report_gate(const gate::Gate& gate, const compare::Told& told, const GateOptions& o) {
  const report::Document document = gate::document(gate, told);
  const std::string markdown = report::render_markdown(document);
  if (!o.junit.empty()) write_whole(o.junit, gate::junit(gate), "--junit");
  if (!o.summary.empty()) write_whole(o.summary, markdown, "--summary");
  if (o.format == "json")
    print_json(gate::to_json(gate, told));
  else if (o.format == "md")
    fmt::print("{}", markdown);
  else
    fmt::print("{}\n{}\n", report::render_text(document, report::text_style()), document.summary);
  if (!o.github) return;
  fmt::print(o.format == "json" ? stderr : stdout, "{}", gate::annotations(gate));  // GitHub reads both streams
  add_to_step_summary(markdown);
}

Exit run_gate(const GateOptions& o) {
  compare::check_across(o.common.across);
  const double max_regression = parse_percent("--max-regression", o.max_regression, 0, 10000);
  std::vector<Run> runs = load_baseline(o);
  const std::size_t baseline = runs.size();
  for (Run& run : report::load(report::record_files(o.current), Detail::figures)) runs.push_back(std::move(run));
  compare::Request request =
      compare::between({report::list(o.baseline, 3), report::list(o.current, 3)}, baseline, o.common.across);
  request.sides = {"baseline", "current"};
  request.options = compare::options_of(o.common);
  const compare::Comparison comparison = compare::compare(runs, request);
  const gate::Gate gate = gate::decide(comparison, request.options, max_regression, std::span(runs).first(baseline),
                                       std::span(runs).subspan(baseline));
  report_gate(
      gate,
      {.runs = runs, .request = request, .comparison = comparison, .differences = compare::differences(runs, request)},
      o);
  return exit_of_gate(gate.outcome(), o.inconclusive);
}

}  // namespace

extern const Command gate_runs{
    .name = "gate",
    .about = "fail if a run is slower than its baseline",
    .heading = "Measure and compare",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto o = std::make_shared<GateOptions>();
      line.add("--baseline", &o->baseline, "baseline: records, or a folder of them (busbar baseline)",
               common_value(records_value));
      line.add("--current", &o->current, "records to judge, best of several launches", common_value(records_value));
      line.add("--max-regression", &o->max_regression,
               "largest slowdown allowed; a point fails if its whole interval is above",
               {.name = "PERCENT", .common = true});
      line.add("--inconclusive", &o->inconclusive, "outcome of an inconclusive gate: pass, fail, or exit code 5",
               {.name = "OUTCOME", .choices = {"pass", "fail", "5"}, .strict = true, .common = true});
      line.add("--last", &o->last, "maximum number of baseline launches, the newest first",
               {.name = "N", .common = true, .low = 1});
      compare::add_common_options(line, o->common);
      line.add("--junit", &o->junit, "write JUnit XML to this file", common_value(file_value));
      line.add("--summary", &o->summary, "write Markdown to this file", common_value(file_value));
      line.add("--github", &o->github, "GitHub Actions: print annotations and write the step summary",
               {.common = true});
      add_format(line, o->format);
      line.exit_codes =
          "0 pass; 1 regression or wrong data; 2 wrong use or not comparable; 4 a file cannot be written; 5 "
          "inconclusive, or disturbed (grade D) whatever --inconclusive says.";
      line.examples = {"busbar gate --baseline baselines/a100 --current now-*.jsonl --junit gate.xml",
                       "busbar gate --baseline base.jsonl --current pr.jsonl --max-regression 5"};
      return [o] { return run_gate(*o); };
    },
};

}  // namespace busbar
