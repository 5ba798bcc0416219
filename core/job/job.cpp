// SPDX-License-Identifier: Apache-2.0
#include "core/job/job.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/build_info.hpp"
#include "core/base/json.hpp"
#include "core/environment/environment.hpp"
#include "core/job/machine_notes.hpp"
#include "core/journal/journal.hpp"
#include "core/machine/host_name.hpp"
#include "core/machine/local_clock.hpp"
#include "core/machine/noise.hpp"
#include "core/machine/timer.hpp"
#include "core/mpi/group.hpp"
#include "core/mpi_library/mpi_library.hpp"
#include "core/ranks/here.hpp"
#include "core/ranks/launcher.hpp"
#include "core/ranks/thread_group.hpp"
#include "core/record/method.hpp"
#include "core/record/parts.hpp"
#include "core/record/rank_place.hpp"
#include "core/record/simulation.hpp"

namespace busbar {
namespace {

/// Sets the host of each rank, numbered from 0 in order of first rank, and the names of hosts.
Ranks with_hosts(Group& group, Ranks ranks) {
  std::unordered_map<std::string, int> numbers;
  for (const auto& name : group.all_gather(host_name())) {
    const auto [it, is_new] = numbers.try_emplace(name, static_cast<int>(numbers.size()));
    if (is_new) ranks.names.push_back(name);
    ranks.hosts.push_back(it->second);
  }
  return ranks;
}

/// Thousands of simulated ranks share a process: only rank 0 keeps what it alone writes.
bool keeps_record(const Group& group) { return group.rank() == 0 || here::simulation() == nullptr; }

/// Facts of every host, from the first rank on each.
std::vector<Host> gather_hosts(Group& group, const std::vector<int>& hosts) {
  const auto me = static_cast<std::size_t>(group.rank());
  const bool first = std::ranges::find(hosts, hosts[me]) - hosts.begin() == group.rank();
  std::vector<Host> all;
  for (const auto& text : group.all_gather(first ? nlohmann::json(here::host()).dump() : ""))
    if (!text.empty() && keeps_record(group)) all.push_back(nlohmann::json::parse(text).get<Host>());
  return all;
}

std::vector<RankPlace> gather_placement(Group& group, const std::vector<int>& hosts, const std::vector<Host>& facts) {
  const auto cpus = group.all_gather(format_cpu_list(here::cpus()));
  const auto counts = group.all_gather(static_cast<double>(here::cpus().size()));
  std::vector<int> seen(facts.size());
  std::vector<RankPlace> all;
  if (!keeps_record(group)) return all;
  for (std::size_t r = 0; r < cpus.size(); ++r) {
    const Host& host = facts.at(static_cast<std::size_t>(hosts[r]));
    RankPlace place{
        .rank = static_cast<int>(r), .host = host.name, .local_rank = seen[static_cast<std::size_t>(hosts[r])]++};
    if (!cpus[r].empty()) place.cpus = cpus[r];
    if (host.threads) place.bound = counts[r] < *host.threads;
    all.push_back(place);
  }
  return all;
}

/// Noise of all ranks, measured at the same time.
std::vector<Noise> gather_noise(Group& group, double seconds) {
  std::vector<Noise> all;
  if (seconds <= 0) return all;
  group.barrier();
  const std::string mine = nlohmann::json(measure_noise(seconds)).dump();
  for (const auto& text : group.all_gather(mine)) all.push_back(nlohmann::json::parse(text).get<Noise>());
  return all;
}

/// If ranks are threads: they may share CPUs, and only the first ranks of processes exchange messages with others. So
/// each process's clock is synchronised if a host has several.
void add_threads(Group& group, Ranks& ranks) {
  if (group.threads() == nullptr) return;
  const int threads = ranks_of_process(group);
  ranks.yield = group.any(ranks.yield || static_cast<int>(here::cpus().size()) < threads);
  if (group.size() == threads * static_cast<int>(ranks.names.size())) return;
  for (int r = 0; r < group.size(); ++r) ranks.clocks.push_back(r / threads);
}

/// Warnings to read before trusting the numbers. `yields`: waiting ranks yield their CPU; empty: unknown.
std::vector<std::string> warnings(const RunRecord& run, std::optional<bool> yields) {
  std::vector<std::string> notes;
  if (build_type() != "Release") notes.push_back(fmt::format("this is a {} build; measure with Release", build_type()));
  const auto more = machine_notes({.hosts = run.hosts,
                                   .placement = run.placement,
                                   .noise = run.noise,
                                   .timer = run.timer.value_or(Timer{}),
                                   .bind_hint = run.mpi && run.method.gpus_per_process.value_or(1) == 1
                                                    ? find_mpi_library(run.mpi->library).bind_hint
                                                    : std::string_view(),
                                   .yields = yields});
  notes.insert(notes.end(), more.begin(), more.end());
  return notes;
}

std::vector<std::string> with_launch_words(std::vector<std::string> argv) {
  const auto words = launch_words();
  argv.insert(argv.begin() + 1, words.begin(), words.end());
  return argv;
}

}  // namespace

Job describe_job(Group& group, const JobOptions& options, Method method, const std::string& program,
                 const std::string& id, const std::vector<std::string>& argv) {
  group.sleep_in_waits(true);  // nothing is timed yet
  const Yielding yield = yielding();
  // The same on all ranks: collective decisions, such as whether to settle, depend on it.
  const bool any_yields = group.any(yield.yields.value_or(false));
  Job job{.ranks = with_hosts(group, {.timer = here::timer(), .yield = any_yields})};
  add_threads(group, job.ranks);
  const auto& hosts = job.ranks.hosts;
  job.run = {.id = id,
             .tool = {.name = program,
                      .version = std::string(version()),
                      .revision = std::string(git_revision()),
                      .compiler = std::string(compiler()),
                      .build_type = std::string(build_type())},
             .argv = with_launch_words(argv),
             .start_utc = group.broadcast(utc_now(), 0),
             .labels = options.labels,
             .ranks = group.size(),
             .nodes = world_of(hosts).nodes,
             .method = std::move(method),
             .mpi = mpi_facts(),
             .hosts = gather_hosts(group, hosts),
             .environment = here::environment(),
             .timer = job.ranks.timer,
             .noise = gather_noise(group, options.noise_s)};
  job.run.mpi->yields = yield.yields;
  job.run.mpi->yield_asked_by = yield.asked_by;
  if (const Simulation* simulation = here::simulation()) {
    job.run.simulation = *simulation;
    job.run.origin = Origin::simulated;
    job.ranks.clocks.assign(hosts.size(), 0);
  }
  job.run.placement = job.ranks.places = gather_placement(group, hosts, job.run.hosts);
  for (const Host& host : job.run.hosts) job.ranks.cpus.push_back(host.threads.value_or(1));
  if (keeps_record(group)) job.run.notes = warnings(job.run, group.threads() != nullptr ? true : yield.yields);
  group.sleep_in_waits(false);
  return job;
}

std::optional<std::int64_t> end_of_launch(Group& group, std::optional<double> budget_s, bool asked_for) {
  if (!budget_s) return std::nullopt;
  // Minimum time left if starting used up the budget.
  const double least_s = asked_for ? std::min(0.6, 0.6 * *budget_s) : *budget_s * 2 / 3;
  const double left_s = group.broadcast(std::max(*budget_s - seconds_since(launched_ns()), least_s));
  return steady_ns() + static_cast<std::int64_t>(left_s * 1e9);
}

void require_one_job(Group& group, const std::string& program, const std::vector<std::string>& arguments) {
  if (group.size() == ranks_of_process(group) && launch_size().value_or(1) > 1)
    throw UsageError(
        fmt::format("the launcher started {} processes but MPI sees one: {} was built with another MPI than the one "
                    "that launched it",
                    *launch_size(), program));
  const auto all = group.all_gather(fmt::format("{} {} {}", version(), git_revision(), fmt::join(arguments, "\n")));
  for (std::size_t r = 1; r < all.size(); ++r)
    if (all[r] != all[0])
      throw UsageError(fmt::format("rank {} was started with other arguments or from another build than rank 0", r));
}

}  // namespace busbar
