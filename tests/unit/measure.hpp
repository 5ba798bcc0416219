// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "bench/engine/runner.hpp"
#include "core/record/case_record.hpp"
#include "core/record/rank_place.hpp"
#include "thread_ranks.hpp"

/// A Runner over thread ranks, for tests.
namespace busbar::test {

inline const BackendFactory threads{.name = "threads", .about = "", .make = nullptr};

inline std::vector<const Collective*> every_collective() {
  const auto rows = table<Collective>();
  return {rows.begin(), rows.end()};
}

inline Settings count_of(int samples) { return {.warmup = 1, .fixed_count = samples}; }

/// Ranks 0, 1, ... on the given hosts, each on a CPU of its own number.
inline Ranks on_hosts(std::vector<int> hosts) {
  Ranks ranks{.hosts = std::move(hosts), .timer = {.resolution_s = 1e-9, .cost_s = 1e-9}};
  ranks.cpus.assign(static_cast<std::size_t>(1 + std::ranges::max(ranks.hosts)), 64);
  for (std::size_t r = 0; r < ranks.hosts.size(); ++r)
    ranks.places.push_back(
        {.rank = static_cast<int>(r), .host = "node" + std::to_string(ranks.hosts[r]), .cpus = std::to_string(r)});
  return ranks;
}
inline Ranks on_one_host(int n) { return on_hosts(std::vector<int>(static_cast<std::size_t>(n), 0)); }

/// Keeps the output of a run.
class Listener final : public Observer {
 public:
  void visit(const Visit& v) override { visits.emplace_back(v.round, v.key.bytes); }
  void add_case(const CaseRecord& r) override { records.push_back(r); }
  void keep(std::vector<CaseRecord> unfinished) override { kept.push_back(std::move(unfinished)); }
  [[nodiscard]] bool interrupted() const override { return interrupt_after && visits.size() > *interrupt_after; }

  std::vector<std::pair<int, std::uint64_t>> visits;  ///< round and size
  std::vector<CaseRecord> records;
  std::vector<std::vector<CaseRecord>> kept;   ///< each time all that go on
  std::optional<std::size_t> interrupt_after;  ///< visits
};

/// Collective. All ranks of the group are one team.
inline void run(Group& group, Backend& backend, const std::vector<Case>& plan, const Settings& settings, Ranks ranks,
                Observer& observer) {
  ClockSync clock(group, ranks.clock_of_ranks());
  const Team team = one_team(group, ranks);
  Progress progress;
  Runner(group, backend, threads, settings, std::move(ranks), team, clock, progress).run(plan, observer);
}

/// Collective. Records in the order of the plan.
inline std::vector<CaseRecord> measure(Group& group, Backend& backend, const std::vector<Case>& plan,
                                       const Settings& settings, Ranks ranks) {
  Listener listener;
  run(group, backend, plan, settings, std::move(ranks), listener);
  std::ranges::sort(listener.records, {}, &CaseRecord::index);
  return listener.records;
}

/// Allreduce of fp32 at these sizes.
inline std::vector<Case> sizes(std::vector<std::uint64_t> bytes, int ranks, bool in_place = false) {
  return make_plan({.collectives = {try_find<Collective>("allreduce")},
                    .types = {DType::f32},
                    .ops = {Op::sum},
                    .sizes = std::move(bytes),
                    .places = {in_place}},
                   ranks);
}

}  // namespace busbar::test
