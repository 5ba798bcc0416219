// SPDX-License-Identifier: Apache-2.0
#include "reports/suite/runner.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/privacy.hpp"
#include "core/base/units.hpp"
#include "reports/suite/progress.hpp"
#include "reports/text/text.hpp"

namespace busbar::suite {
namespace {

namespace fs = std::filesystem;

std::string how_it_failed(const Launch& launch, const Step& step, const Ended& ended) {
  switch (ended.why) {
    case LaunchEnd::time_limit:
      return fmt::format("took longer than its limit of {} s and was ended", step.time_limit_s);
    case LaunchEnd::interrupted:
      return "interrupted";
    case LaunchEnd::itself:
    case LaunchEnd::not_started:
      break;
  }
  std::error_code problem;
  if (ended.exit_code == 0 && !fs::exists(launch.result, problem))
    return fmt::format("left no {} here; rank 0 writes it, so --out has to be a folder that its host shares",
                       launch.result.string());
  if (ended.exit_code == 0) return "";
  std::string why = why_cut_short(launch);
  if (why.empty()) why = telling_line_of(launch.log, step.program);
  return fmt::format("exit code {}{}{}", ended.exit_code, why.empty() ? "" : ": ", why);
}

/// The command, changed to resume its record instead of overwriting it.
std::vector<std::string> resuming(const Launch& launch) {
  std::vector<std::string> argv = launch.argv;
  const auto out = std::ranges::find(argv, "--out");
  if (out == argv.end()) return argv;
  *out = "--resume";
  std::erase(argv, "--overwrite");
  return argv;
}

/// Resumes the incomplete record of an earlier attempt. If the program refuses (e.g. another build wrote it), renames
/// the record to .old and starts over.
Ended run_or_resume(const Launch& launch, const Step& step, Signals& signals, Progress& progress) {
  const auto run = [&](const std::vector<std::string>& argv) {
    return run_child(argv, launch.log, {.time_s = static_cast<double>(step.time_limit_s)}, signals,
                     [&](double seconds) { progress.show(seconds, launch.log); });
  };
  std::error_code ignored;
  if (is_cut_short(launch, step)) {
    const Ended ended = run(resuming(launch));
    const bool refused = ended.why == LaunchEnd::itself && ended.exit_code == static_cast<int>(Exit::usage);
    if (!refused) return ended;
    fs::rename(launch.result, launch.result.string() + ".old", ignored);
  }
  fs::remove(launch.result, ignored);  // from an earlier attempt
  return run(launch.argv);
}

Ending run_launch(const Launch& launch, const Step& step, Signals& signals, Progress& progress) {
  try {
    const Ended ended = run_or_resume(launch, step, signals, progress);
    progress.clear();
    const std::string reason = without_people(how_it_failed(launch, step, ended), this_person());
    const bool no_result = ended.exit_code == 0 && !reason.empty() && ended.why == LaunchEnd::itself;
    return {.argv = launch.argv,
            .ended = ended.why,
            .without_result = no_result,
            .exit_code = ended.exit_code,
            .reason = reason,
            .wall_s = ended.wall_s};
  } catch (const Error& e) {
    return {.argv = launch.argv,
            .ended = LaunchEnd::not_started,
            .reason = without_people(e.what(), this_person()),
            .wall_s = 0};
  }
}

void say(const Outcome& outcome) {
  const Ending& e = outcome.ending;
  const bool before = outcome.state == Outcome::State::kept;
  const std::string took = fmt::format("{:.0f} s", e.wall_s);
  if (outcome.ok())
    fmt::print("  {}, {}\n", before ? "done before" : "ok", took);
  else if (e.ended == LaunchEnd::interrupted)
    fmt::print("  interrupted after {}\n", took);
  else
    fmt::print("  {}, {}: {}\n  output: {}\n", before ? "failed before" : "failed", took, report::shortened(e.reason),
               outcome.launch.log.string());
  std::fflush(stdout);
}

}  // namespace

std::string telling_line_of(const fs::path& log, const std::string& program) {
  std::ifstream in(log, std::ios::binary);
  return telling_line(std::string(std::istreambuf_iterator<char>(in), {}), program);
}

std::string telling_line(const std::string& log, const std::string& program) {
  std::istringstream lines(log);
  std::string said, before, behind;  // with the program's name; around the launcher's first rule of dashes
  bool launcher_speaks = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(program + ": ")) said = line;
    launcher_speaks = launcher_speaks || line.starts_with("----------");
    const bool of_the_runtime = line.starts_with('[');  // Open MPI: "[node0:00262] ..."
    const bool has_words = std::ranges::any_of(line, [](unsigned char c) { return std::isalpha(c) != 0; });
    if (of_the_runtime || !has_words) continue;
    if (!launcher_speaks) before = line;
    if (launcher_speaks && behind.empty()) behind = line;
  }
  std::string line = !said.empty() ? said : !before.empty() ? before : behind;
  line.erase(0, line.find_first_not_of("# "));
  return report::shortened(line);
}

Outcomes run_plan(const Suite& suite, const Plan& plan, const History& history, Journal& journal, Signals& signals) {
  Outcomes outcomes;
  const Step* ended_by = nullptr;
  for (std::size_t i = 0; i < plan.launches.size(); ++i) {
    Outcome outcome{.launch = plan.launches[i]};
    const Launch& launch = outcome.launch;
    const Step& step = suite.steps[launch.step];
    const std::string place = fmt::format("[{} of {}] {}", i + 1, plan.launches.size(), launch.name);
    outcomes.interrupted = outcomes.interrupted || signals.interrupted();
    if (is_done(launch, step, history)) {
      outcome.state = Outcome::State::kept;
      outcome.ending = history.endings.at(launch.name);
    } else if (ended_by == nullptr && !outcomes.interrupted) {
      outcome.state = Outcome::State::run;
      fmt::print("{}: {} on {}, at most {} s\n", place, plural(launch.ranks(), "rank"), plural(launch.nodes, "node"),
                 step.time_limit_s);
      std::fflush(stdout);
      journal.write_begin(launch);
      Progress progress(place);
      outcome.ending = run_launch(launch, step, signals, progress);
      journal.write_end(launch, outcome.ending);
      outcomes.interrupted = outcome.ending.ended == LaunchEnd::interrupted;
      if (step.required && !outcome.ok()) ended_by = &step;
    }
    if (outcome.state == Outcome::State::kept) fmt::print("{}:\n", place);
    if (outcome.state != Outcome::State::not_run) say(outcome);
    outcomes.all.push_back(std::move(outcome));
  }
  if (ended_by != nullptr && !outcomes.interrupted)
    fmt::print("{} is required and failed: what comes after it was not run\n", ended_by->name);
  return outcomes;
}

}  // namespace busbar::suite
