// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/files/kernel_files.hpp"
#include "core/mpi_library/mpi_library.hpp"
#include "core/record/method.hpp"
#include "core/record/rank_place.hpp"
#include "core/record/run.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {
namespace {

/// The ranks of a host and its CPUs.
struct Load {
  std::vector<int> ranks;
  std::map<std::string, std::vector<int>> by_cpus;  ///< ranks by the CPU list they are bound to
  std::vector<int> unbound;
  std::optional<int> cpus;   ///< hardware threads of the host
  std::optional<int> cores;  ///< cores of the host, if SMT is on
  std::optional<double> quota;
};

const MpiLibrary& library_of(const Run& run) { return find_mpi_library(run.head.mpi ? run.head.mpi->library : ""); }

/// Ranks are threads, which busbar makes yield and which a launcher's binding cannot separate.
bool are_threads(const Run& run) { return run.head.method.gpus_per_process.value_or(1) > 1; }

std::map<std::string, Load> loads(const Run& run) {
  std::map<std::string, Load> all;
  for (const Host& host : run.head.hosts) {
    all[host.name].cpus = host.threads;
    if (host.smt.value_or(false)) all[host.name].cores = host.cores;
    all[host.name].quota = host.cpu_quota;
  }
  for (const RankPlace& p : run.head.placement) {
    Load& load = all[p.host];
    load.ranks.push_back(p.rank);
    if (p.cpus) load.by_cpus[*p.cpus].push_back(p.rank);
    if (p.bound == false) load.unbound.push_back(p.rank);
  }
  return all;
}

Finding known_crowding(std::string title) { return {.certainty = Certainty::known, .title = std::move(title)}; }

/// Advice for oversubscribed hosts. `quota`: a CPU quota is the limit; `yields`: waiting ranks yield their CPU.
std::vector<std::string> more_room(bool quota, std::optional<bool> yields, const MpiLibrary& mpi) {
  std::vector<std::string> all{"Use fewer ranks per host, or fewer threads per rank."};
  if (quota) all.emplace_back("Request more CPUs: docker run --cpus, Slurm's --cpus-per-task.");
  if (!yields.value_or(false)) all.push_back(fmt::format("Or make ranks yield: {} ({}).", mpi.yield_hint, mpi.name));
  return all;
}

/// More threads than CPUs, or than the CPU quota allows.
void too_many(const Run& run, const std::map<std::string, Load>& all, std::vector<Finding>& found) {
  const int threads = threads_of_a_rank(run);
  bool any_quota = false;
  Finding f = known_crowding("hosts are oversubscribed: more threads than CPUs");
  for (const auto& [host, load] : all) {
    const auto wanted = static_cast<double>(load.ranks.size()) * threads;
    const bool quota = load.quota && wanted > *load.quota;
    if (!quota && !(load.cpus && wanted > *load.cpus)) continue;
    any_quota = any_quota || quota;
    f.where.hosts.push_back(host);
    if (f.evidence.size() < 3)
      f.evidence.push_back(
          fmt::format("{}: {} with {} each, {}.", host, plural(load.ranks.size(), "rank"), plural(threads, "thread"),
                      quota ? fmt::format("a quota of {:g} CPUs", *load.quota) : plural(*load.cpus, "CPU")));
  }
  if (f.where.hosts.empty()) return;
  const auto yields = are_threads(run) ? true : run.head.mpi ? run.head.mpi->yields : std::nullopt;
  if (yields)
    f.evidence.emplace_back(*yields ? "Waiting ranks yield their CPU, but the times still include scheduling delays."
                                    : "Waiting ranks spin and can keep the CPU from the rank they wait for: small "
                                      "messages then take milliseconds.");
  f.tries = more_room(any_quota, yields, library_of(run));
  found.push_back(std::move(f));
}

/// Threads fit the hardware threads but not the cores, so some ranks share a core.
void shared_cores(const Run& run, const std::map<std::string, Load>& all, std::vector<Finding>& found) {
  const int threads = threads_of_a_rank(run);
  Finding f = known_crowding("some ranks share a core: there are more threads than cores");
  for (const auto& [host, load] : all) {
    const auto wanted = static_cast<double>(load.ranks.size()) * threads;
    if (!load.cores || !load.cpus || wanted <= *load.cores || wanted > *load.cpus) continue;
    f.where.hosts.push_back(host);
    if (f.evidence.size() < 3)
      f.evidence.push_back(fmt::format("{}: {} with {} each, {} (SMT is on).", host, plural(load.ranks.size(), "rank"),
                                       plural(threads, "thread"), plural(*load.cores, "core")));
  }
  if (f.evidence.empty()) return;
  f.tries = {fmt::format("Compare with one rank per core ({}): hardware threads of a core share its resources.",
                         library_of(run).bind_hint)};
  found.push_back(std::move(f));
}

/// Ranks that outnumber the CPUs they are bound to, on hosts with at least one CPU per rank.
void same_cpus(const Run& run, const std::map<std::string, Load>& all, std::vector<Finding>& found) {
  Finding f = known_crowding("several ranks are bound to the same CPUs while others are free");
  for (const auto& [host, load] : all) {
    if (!load.cpus || load.ranks.size() > static_cast<std::size_t>(*load.cpus)) continue;
    for (const auto& [cpus, ranks] : load.by_cpus) {
      const auto count = facts::count_of(cpus);
      if (!count || ranks.size() <= static_cast<std::size_t>(*count)) continue;
      f.where.ranks.insert(f.where.ranks.end(), ranks.begin(), ranks.end());
      if (f.where.hosts.empty() || f.where.hosts.back() != host) f.where.hosts.push_back(host);
      if (f.evidence.size() < 3)
        f.evidence.push_back(fmt::format("{}: {} can run only on {} ({}); the host has {}.", host, rank_names(ranks),
                                         plural(*count, "CPU"), report::shortened(cpus), *load.cpus));
    }
  }
  if (f.evidence.empty()) return;
  f.tries = {
      are_threads(run)
          ? "Let the launcher bind no process to a core, since its ranks are threads: mpirun --bind-to none."
          : fmt::format("Bind with {}; check with {}. Two launches on one host both start at CPU 0: give each its own "
                        "CPUs (taskset, --cpu-set).",
                        library_of(run).bind_hint, library_of(run).show_bind_hint)};
  found.push_back(std::move(f));
}

/// Unbound ranks, on hosts with more CPUs than ranks.
void unbound(const Run& run, const std::map<std::string, Load>& all, std::vector<Finding>& found) {
  Finding f = known_crowding("");
  for (const auto& [host, load] : all) {
    if (load.unbound.empty() || !load.cpus || load.ranks.size() >= static_cast<std::size_t>(*load.cpus)) continue;
    f.where.ranks.insert(f.where.ranks.end(), load.unbound.begin(), load.unbound.end());
    f.where.hosts.push_back(host);
  }
  if (f.where.ranks.empty() || run.head.ranks < 2 || are_threads(run)) return;
  std::ranges::sort(f.where.ranks);
  f.title = fmt::format("{} of {} ranks {} not bound to CPUs", f.where.ranks.size(), run.head.ranks,
                        f.where.ranks.size() == 1 ? "is" : "are");
  f.evidence = {
      fmt::format("The scheduler can move them to any CPU of {}, away from their memory, their GPU or their network "
                  "device.",
                  report::list(f.where.hosts))};
  f.tries = {fmt::format("Use {} (with several threads per rank: numa instead of core).", library_of(run).bind_hint)};
  found.push_back(std::move(f));
}

bool has_data_for_crowded_cpus(const Run& run) {
  return std::ranges::any_of(run.head.placement, [](const RankPlace& p) { return p.cpus || p.bound; }) ||
         std::ranges::any_of(run.head.hosts, [](const Host& h) { return h.threads.has_value(); });
}

std::vector<Finding> find_crowded_cpus(const Run& run) {
  const auto all = loads(run);
  std::vector<Finding> found;
  too_many(run, all, found);
  shared_cores(run, all, found);
  same_cpus(run, all, found);
  unbound(run, all, found);
  return found;
}

}  // namespace

extern const Rule crowded_cpus{
    .name = "crowded_cpus",
    .about = "ranks are oversubscribed, share CPUs or cores, or are not bound",
    .order = 70,
    .suspicious = true,
    .has_data = has_data_for_crowded_cpus,
    .look = find_crowded_cpus,
};

}  // namespace busbar::explain
