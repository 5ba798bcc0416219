// SPDX-License-Identifier: Apache-2.0
#include "bench/run_facts.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "bench/backends/mpi_group.hpp"
#include "core/build_info.hpp"
#include "core/environment.hpp"
#include "core/journal.hpp"
#include "core/json.hpp"
#include "core/launcher.hpp"

namespace busbar {
namespace {

std::string this_host() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// Facts of every host, told by the first rank on each.
std::vector<Host> gather_hosts(Group& group, const std::vector<int>& hosts) {
  const auto me = static_cast<std::size_t>(group.rank());
  const bool first = std::ranges::find(hosts, hosts[me]) - hosts.begin() == group.rank();
  std::vector<Host> all;
  for (const auto& text : group.all_gather(first ? nlohmann::json(read_host()).dump() : ""))
    if (!text.empty()) all.push_back(nlohmann::json::parse(text).get<Host>());
  return all;
}

std::vector<RankPlace> gather_placement(Group& group, const std::vector<int>& hosts, const std::vector<Host>& facts) {
  const auto cpus = group.all_gather(format_cpu_list(affinity()));
  const auto counts = group.all_gather(static_cast<double>(affinity().size()));
  std::vector<RankPlace> all;
  for (std::size_t r = 0; r < cpus.size(); ++r) {
    const auto before = hosts.begin() + static_cast<std::ptrdiff_t>(r);
    const Host& host = facts.at(static_cast<std::size_t>(hosts[r]));
    RankPlace place{.rank = static_cast<int>(r),
                    .host = host.name,
                    .local_rank = static_cast<int>(std::count(hosts.begin(), before, hosts[r])),
                    .cpus = cpus[r]};
    if (host.threads) place.bound = counts[r] < *host.threads;
    all.push_back(place);
  }
  return all;
}

Method method_of(const Settings& settings) {
  Method m{.cadence = "barrier",
           .rank_rule = "slowest",
           .statistic = "median",
           .warmup_iterations = settings.warmup,
           .aggregated_iterations = 1,
           .check = settings.check ? "every_call" : "off"};
  if (settings.stop.min_samples == settings.stop.max_samples) m.iterations = settings.stop.max_samples;
  return m;
}

/// What a person should know before believing the numbers.
std::vector<std::string> warnings(const RunRecord& run) {
  std::vector<std::string> notes;
  if (build_type() != "Release") notes.push_back(fmt::format("this is a {} build; measure with Release", build_type()));
  for (const Host& host : run.hosts) {
    const auto here = std::ranges::count(run.placement, host.name, &RankPlace::host);
    if (host.threads && here > *host.threads)
      notes.push_back(fmt::format("{} ranks share {} CPUs on {}: times show the scheduler as well", here, *host.threads,
                                  host.name));
  }
  return notes;
}

}  // namespace

std::vector<int> hosts_of_ranks(Group& group) {
  std::vector<std::string> seen;
  std::vector<int> hosts;
  for (const auto& name : group.all_gather(this_host())) {
    auto it = std::ranges::find(seen, name);
    if (it == seen.end()) it = seen.insert(seen.end(), name);
    hosts.push_back(static_cast<int>(it - seen.begin()));
  }
  return hosts;
}

RunRecord describe_run(Group& group, const Options& options, const std::vector<std::string>& argv,
                       const std::vector<int>& hosts) {
  RunRecord run{.id = group.broadcast(new_run_id(), 0),
                .tool = {.name = "busbar-bench",
                         .version = std::string(version()),
                         .revision = std::string(git_revision()),
                         .compiler = std::string(compiler()),
                         .build_type = std::string(build_type())},
                .argv = argv,
                .start_utc = group.broadcast(utc_now(), 0),
                .labels = options.labels,
                .ranks = group.size(),
                .nodes = static_cast<int>(std::set(hosts.begin(), hosts.end()).size()),
                .method = method_of(options.settings),
                .mpi = mpi_facts(),
                .hosts = gather_hosts(group, hosts),
                .environment = read_environment()};
  run.placement = gather_placement(group, hosts, run.hosts);
  run.notes = warnings(run);
  return run;
}

void require_one_job(Group& group, const std::vector<std::string>& arguments) {
  if (group.size() == 1 && launch_size().value_or(1) > 1)
    throw UsageError(
        fmt::format("the launcher started {} processes but MPI sees one: busbar-bench was built with another "
                    "MPI than the one that launched it",
                    *launch_size()));
  const auto all = group.all_gather(fmt::format("{} {} {}", version(), git_revision(), fmt::join(arguments, "\n")));
  for (std::size_t r = 1; r < all.size(); ++r)
    if (all[r] != all[0])
      throw UsageError(fmt::format("rank {} was started with other arguments or from another build than rank 0", r));
}

}  // namespace busbar
