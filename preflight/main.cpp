// SPDX-License-Identifier: Apache-2.0
// busbar-preflight: finds problems in a cluster's set-up before measurements.
#include <chrono>
#include <optional>
#include <thread>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/terminal_text.hpp"
#include "core/base/units.hpp"
#include "core/job/program.hpp"
#include "core/ranks/launcher.hpp"
#include "preflight/read/read.hpp"
#include "preflight/stage_run.hpp"
#include "preflight/start_job.hpp"

namespace busbar::preflight {
namespace {

/// Ends a process without contact to other ranks: MPI cannot start or does not see one job. `speaks`: this process
/// reports the failure.
int end_alone(std::optional<Report>& report, const PreflightOptions& options, const std::vector<nlohmann::json>& failed,
              bool speaks) {
  if (!speaks) {
    std::this_thread::sleep_for(std::chrono::seconds(1));  // or the launcher may end the reporting process early
    return exit_code(Stage::launch);
  }
  if (!report)
    report.emplace(PreflightOptions{.json = options.json, .anonymise = options.anonymise});  // --out is for rank 0
  for (const auto& record : failed) report->write(record);
  report->write(end(Stage::launch, Stage::launch, static_cast<int>(failed.size()), 0));
  return exit_code(Stage::launch);
}

std::vector<nlohmann::json> judge_one_job(const Identity& mine) {
  const Check& check = *try_find<Check>("one_job");
  return {outcome(check, check.find({.ranks = {RankFacts{.id = mine}}}))};
}

/// Runs one rank of a job.
int run_rank(const PreflightOptions& options, int argc, char** argv) {
  Identity mine = read_identity();
  if (options.announce)
    fmt::print("{}\n", nlohmann::json{{"record", "started"}, {"rank", mine.rank}, {"host", mine.host}}.dump());
  std::fflush(stdout);
  std::optional<Report> report;
  if (mine.rank == 0) report.emplace(options);  // before MPI_Init: an error here ends the whole job
  Alarm alarm(options.timeout_s, fmt::format("rank {} of {} on {}", mine.rank, mine.launched.value_or(1), mine.host));
  alarm.enter(Stage::launch);
  if (const auto failed = judge_alone(mine); !failed.empty())
    return end_alone(report, options, failed, mine.place_here.value_or(0) == 0);

  Roll roll(argc, argv, alarm);
  mine.world = roll.size();
  if (roll.size() == 1 && mine.launched.value_or(1) > 1)
    return end_alone(report, options, judge_one_job(mine), mine.rank == 0);
  mine.rank = roll.rank();
  Run run{.roll = roll, .alarm = alarm, .options = options, .mine = mine};
  const int code = run_stages(run, roll.rank() == 0 ? &report.value() : nullptr);
  alarm.at("in MPI_Finalize");
  return code;
}

}  // namespace
}  // namespace busbar::preflight

int busbar::rank_main(int argc, char** argv) {
  using namespace busbar;
  using namespace busbar::preflight;
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto parsed = parse_options(arguments);
    if (const auto* information = std::get_if<Information>(&parsed)) {
      if (launch_rank() == 0) fmt::print("{}", information->text);
      return 0;
    }
    const auto& options = std::get<PreflightOptions>(parsed);
    if (options.hosts.empty()) return run_rank(options, argc, argv);
    if (launch_size()) throw UsageError("--hosts: already running under a launcher; use --hosts without one");
    return start_job(options);
  } catch (const UsageError& e) {
    return say_wrong_use("busbar-preflight", e);
  } catch (const Error& e) {
    print_message("busbar-preflight", e.what());
    return static_cast<int>(Exit::output);
  }
}
