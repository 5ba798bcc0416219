// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/training.hpp"
#include "tests/unit/synthetic.hpp"

namespace busbar::test {

/// A made-up platform whose costs are known. Factors: of time, 1 costs nothing.
struct MadeUpPlatform {
  std::string name, virtualisation;
  std::optional<std::string> lab, container;
  double small = 1, large = 1;  ///< of messages up to 4 KiB, and of larger ones
  double computing = 1, exchange = 1;
  std::optional<double> stolen;  ///< fraction of CPU time; empty: not counted
  double noise = 0.01;           ///< fraction of CPU time
  std::string clock_source = "tsc";
  double spread = 0.005;  ///< of launches: standard deviation of the logarithm
  int nodes = 1;
};

/// Makes launches of platforms, in the order of the calls.
class MadeUpLaunches {
 public:
  explicit MadeUpLaunches(std::uint64_t seed) : random_(seed) {}

  Run launch(const MadeUpPlatform& p) {
    const std::size_t number = ++launches_;
    Run run{.path = fmt::format("{}-{}.jsonl", p.name, number)};
    run.head = {.id = fmt::format("launch-{}", number),
                .start_utc = fmt::format("2026-11-01T{:02}:{:02}:00Z", number / 60, number % 60),
                .labels = {{"platform", p.name}},
                .ranks = 2,
                .nodes = p.nodes,
                .method = {.cadence = "barrier", .rank_rule = RankRule::slowest}};
    add_machine(run, p);
    const double level = random_.lognormal(p.spread);  // all cases of a launch share it
    for (const std::string collective : {"allreduce", "alltoall", "pingpong"})
      for (const unsigned e : {3U, 10U, 13U, 17U, 20U})
        run.cases.push_back(message(p, collective, std::uint64_t{1} << e, level * random_.lognormal(p.spread / 4)));
    run.cases.push_back(training(p, 1, level * random_.lognormal(p.spread / 4)));
    run.cases.push_back(training(p, 2, level * random_.lognormal(p.spread / 4)));
    set_scaling(run.cases[run.cases.size() - 1], run.cases[run.cases.size() - 2]);
    if (p.stolen) set_stolen(run, *p.stolen);
    return run;
  }

 private:
  void add_machine(Run& run, const MadeUpPlatform& p) {
    for (int n = 0; n < p.nodes; ++n)
      run.head.hosts.push_back({.name = fmt::format("{}{}", p.name, n),
                                .threads = 2,
                                .clock_source = p.clock_source,
                                .virtualisation = p.virtualisation,
                                .container = p.container,
                                .lab = p.lab,
                                .interfaces = {{.name = "eth0", .driver = "virtio_net", .state = "up"}}});
    for (int rank = 0; rank < 2; ++rank) {
      run.head.placement.push_back({.rank = rank, .host = fmt::format("{}{}", p.name, rank * p.nodes / 2)});
      run.head.noise.push_back({.measured_s = 1,
                                .stolen_share = p.noise * random_.lognormal(0.02),
                                .longest_s = 1e-4 * random_.lognormal(0.3)});
    }
    run.head.timer = Timer{.resolution_s = 1e-9, .cost_s = 2.5e-8 * random_.lognormal(0.01)};
  }

  static CaseRecord message(const MadeUpPlatform& p, const std::string& collective, std::uint64_t bytes,
                            double factor) {
    CaseRecord c{.key = allreduce_key(bytes, 2, p.nodes)};
    c.key.collective = collective;
    if (collective == "pingpong") c.key.kind = CaseKind::pair;
    if (collective != "allreduce") c.key.op.reset();
    const double base_s = 2e-6 + 1e-10 * static_cast<double>(bytes);
    const double cost = bytes <= 4096 ? p.small : p.large;
    set_bandwidth(c, base_s * cost * factor, 1);
    c.interval_s = Interval{.low = *c.time_s * 0.99, .high = *c.time_s * 1.01, .confidence = 0.95};
    return c;
  }

  static CaseRecord training(const MadeUpPlatform& p, int ranks, double factor) {
    CaseRecord c{.key = {.kind = CaseKind::training,
                         .collective = "resnet50",
                         .backend = "mpi",
                         .memory = "host",
                         .type = "fp32",
                         .bytes = 102'000'000,
                         .ranks = ranks,
                         .nodes = ranks == 1 ? 1 : p.nodes,
                         .ranks_per_node = ranks == 1 ? 1 : ranks / p.nodes,
                         .training = TrainingKey{.compute = "onednn", .computed_on = "cpu", .batch = 8}},
                 .training = Training{}};
    StepSplit split{.forward_s = 0.1 * p.computing * factor,
                    .backward_s = 0.2 * p.computing * factor,
                    .exposed_s = ranks > 1 ? 0.1 * p.exchange * factor : 0,
                    .optimiser_s = 0.02 * factor};
    split.slowest_compute_s = split.forward_s + split.backward_s;
    split.step_s = *split.slowest_compute_s + split.exposed_s + split.optimiser_s;
    c.time_s = split.step_s;
    c.training->split = split;
    c.training->samples_per_s = 8 * ranks / split.step_s;
    return c;
  }

  static void set_scaling(CaseRecord& c, const CaseRecord& base) {
    const double efficiency = c.training->samples_per_s / c.key.ranks / base.training->samples_per_s;
    c.training->scaling = Scaling{.baseline_ranks = 1,
                                  .baseline_samples_per_s = base.training->samples_per_s,
                                  .speed_up = efficiency * c.key.ranks,
                                  .efficiency = efficiency};
  }

  static void set_stolen(Run& run, double share) {
    for (CaseRecord& c : run.cases)
      c.usage.assign(static_cast<std::size_t>(c.key.ranks), {.wall_s = 1, .host_stolen_s = share * 2});
  }

  Synthetic random_;
  std::size_t launches_ = 0;
};

/// The same number of launches of each platform, in alternation.
inline std::vector<Run> made_up_launches(const std::vector<MadeUpPlatform>& platforms, int each,
                                         std::uint64_t seed = 1) {
  MadeUpLaunches launches(seed);
  std::vector<Run> runs;
  for (int i = 0; i < each; ++i)
    for (const MadeUpPlatform& p : platforms) runs.push_back(launches.launch(p));
  return runs;
}

}  // namespace busbar::test
