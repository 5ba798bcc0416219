// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/json.hpp"
#include "core/output_file.hpp"
#include "reports/command.hpp"
#include "reports/compare/options.hpp"
#include "reports/compare/sides.hpp"
#include "reports/gate/outputs.hpp"
#include "reports/load.hpp"
#include "reports/render.hpp"
#include "reports/text.hpp"

namespace busbar {
namespace {

struct Options {
  std::vector<std::string> baseline, current;
  std::string max_regression = "2%";
  std::string inconclusive = "3";
  std::size_t last = 10;
  compare::CommonOptions common;
  std::string junit, summary;
  bool github = false;
  std::string format = "text";
};

std::string start_of(const Run& run) { return run.head.start_utc.value_or(""); }

/// Baseline first. Of a history the newest launches count.
std::vector<Run> load_baseline(const Options& o) {
  std::vector<Run> runs = report::load(report::record_files(o.baseline), Detail::figures);
  std::ranges::stable_sort(runs, {}, start_of);
  if (runs.size() > o.last) runs.erase(runs.begin(), runs.end() - static_cast<std::ptrdiff_t>(o.last));
  return runs;
}

Exit exit_code(gate::Outcome outcome, const std::string& inconclusive) {
  switch (outcome) {
    case gate::Outcome::pass:
      return Exit::ok;
    case gate::Outcome::regression:
      return Exit::failed;
    case gate::Outcome::inconclusive:
      break;
  }
  if (inconclusive == "pass") return Exit::ok;
  return inconclusive == "fail" ? Exit::failed : Exit::inconclusive;
}

/// GitHub shows what is appended to the file that this variable names on the page of the run.
void add_to_step_summary(const std::string& markdown) {
  const char* file = std::getenv("GITHUB_STEP_SUMMARY");
  if (file == nullptr)
    throw UsageError("--github: the variable GITHUB_STEP_SUMMARY is not set: this is no step of GitHub Actions");
  std::ofstream out(file, std::ios::app);
  if (!(out << markdown << "\n").flush()) throw OutputError(fmt::format("--github: cannot write {}", file));
}

void tell(const gate::Gate& gate, const compare::Told& told, const Options& o) {
  const report::Document document = gate::document(gate, told);
  const std::string markdown = report::render_markdown(document);
  if (!o.junit.empty()) write_whole(o.junit, gate::junit(gate), "--junit");
  if (!o.summary.empty()) write_whole(o.summary, markdown, "--summary");
  if (o.format == "json")
    fmt::print("{}\n", gate::to_json(gate, told).dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
  else if (o.format == "md")
    fmt::print("{}", markdown);
  else
    fmt::print("{}\n{}\n", report::render_text(document, report::text_style()), document.summary);
  if (!o.github) return;
  fmt::print("{}", gate::annotations(gate));
  add_to_step_summary(markdown);
}

Exit run_gate(const Options& o) {
  compare::check_across(o.common.across);
  const double max_regression = compare::parse_share("--max-regression", o.max_regression, 0, 100);
  std::vector<Run> runs = load_baseline(o);
  const std::size_t baseline = runs.size();
  for (Run& run : report::load(report::record_files(o.current), Detail::figures)) runs.push_back(std::move(run));
  compare::Request request =
      compare::between({report::list(o.baseline, 3), report::list(o.current, 3)}, baseline, o.common.across);
  request.sides = {"baseline", "current"};
  request.options = compare::options_of(o.common);
  const compare::Comparison comparison = compare::compare(runs, request);
  const gate::Gate gate = gate::judge(comparison, request.options, max_regression, std::span(runs).first(baseline),
                                      std::span(runs).subspan(baseline));
  tell(gate,
       {.runs = runs, .request = request, .comparison = comparison, .differences = compare::differences(runs, request)},
       o);
  return exit_code(gate.outcome(), o.inconclusive);
}

}  // namespace

extern const Command gate_runs{
    .name = "gate",
    .about = "fail where a run is slower than its baseline by more than is allowed",
    .attach = [](CLI::App& app) -> std::function<Exit()> {
      const auto o = std::make_shared<Options>();
      app.add_option("--baseline", o->baseline, "records, or a folder of them (busbar baseline)")->required();
      app.add_option("--current", o->current, "records of what is to be judged; several launches are best")->required();
      app.add_option("--max-regression", o->max_regression,
                     "how much longer a point may take; it fails where its whole interval lies above this")
          ->capture_default_str();
      app.add_option("--inconclusive", o->inconclusive, "what an inconclusive gate is: pass, fail, or exit code 3")
          ->check(CLI::IsMember({"pass", "fail", "3"}))
          ->capture_default_str();
      app.add_option("--last", o->last, "of the baseline the newest launches, at most so many")
          ->check(CLI::PositiveNumber)
          ->capture_default_str();
      compare::add_common_options(app, o->common);
      app.add_option("--junit", o->junit, "JUnit XML file to write");
      app.add_option("--summary", o->summary, "Markdown file to write");
      app.add_flag("--github", o->github, "GitHub Actions: annotations, and the Markdown as summary of the step");
      app.add_option("--format", o->format, "text, md or json (default: text)")
          ->check(CLI::IsMember({"text", "md", "json"}));
      app.footer(
          "Exit code: 0 pass, 1 regression (or wrong data), 2 wrong use or not comparable, 3 inconclusive.\n"
          "Examples:\n"
          "  busbar gate --baseline baselines/a100 --current results/now-*.jsonl --max-regression 5% --junit gate.xml\n"
          "  busbar gate --baseline base-*.jsonl --current pr-*.jsonl --inconclusive pass --github");
      return [o] { return run_gate(*o); };
    },
};

}  // namespace busbar
