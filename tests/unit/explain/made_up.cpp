// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/explain/made_up.hpp"

#include "core/record/arrival.hpp"
#include "core/record/end_record.hpp"
#include "core/record/method.hpp"
#include "core/record/rank_place.hpp"
#include "core/record/software.hpp"
#include "core/statistics/summary.hpp"

namespace busbar::explain::test {
namespace {

Host host(const std::string& name) {
  Host h;
  h.name = name;
  h.threads = 64;
  h.governor = "performance";
  h.turbo = false;
  h.virtualisation = "bare metal";
  h.interfaces = {
      {.name = "eth0", .kind = InterfaceKind::ethernet, .driver = "igb", .state = "up", .speed_Gbps = 10, .mtu = 1500}};
  h.rdma = {{.device = "mlx5_0", .port = 1, .link_layer = "InfiniBand", .state = "ACTIVE", .rate_Gbps = 200}};
  return h;
}

Usage usage() {
  Usage u;
  u.wall_s = u.cpu_s = 0.5;
  u.waited_s = 0.001;
  u.host_busy_s = 1.0;
  u.host_stolen_s = 0;
  return u;
}

/// Fills a case of a quiet run, except for its rounds.
void fill(CaseRecord& c) {
  c.ended_by = EndedBy::converged;
  c.wall_s = 0.6;
  c.check.state = CheckState::passed;
  c.contention = Contention{};
  c.arrival = Arrival{.skew_s = 5e-6, .transfer_s = 0.9 * *c.time_s, .late = {}};
  for (int rank = 0; rank < 4; ++rank) {
    c.ranks.push_back(
        {.rank = rank, .min_s = *c.time_s, .median_s = *c.time_s * (1 + 0.01 * rank), .max_s = *c.time_s});
    c.usage.push_back(usage());
  }
}

}  // namespace

std::vector<std::uint64_t> sizes() {
  std::vector<std::uint64_t> all;
  for (std::uint64_t bytes = 8; bytes <= (std::uint64_t{16} << 20); bytes *= 2) all.push_back(bytes);
  return all;
}

double smooth_s(std::uint64_t bytes) { return 20e-6 + static_cast<double>(bytes) / 10e9; }

CaseRecord a_case(std::uint64_t bytes, double time_s) {
  CaseRecord c{.key = busbar::test::allreduce_key(bytes, 4, 2)};
  set_bandwidth(c, time_s, 1.5);
  return c;
}

CaseRecord in_rounds(CaseRecord c, int rounds, double sigma, busbar::test::Synthetic& random) {
  std::vector<double> medians;
  for (int i = 0; i < rounds; ++i) {
    medians.push_back(*c.time_s * random.lognormal(sigma));
    c.rounds.push_back({.at_s = 0.5 * i, .samples = 51, .kept = 51, .median_s = medians.back()});
  }
  c.interval_s = median_interval(medians, 0.95);
  set_bandwidth(c, median(medians), *c.bus_factor);
  return c;
}

std::vector<CaseRecord> sweep(const Time& time_s, const Change& change) {
  std::vector<CaseRecord> all;
  for (const auto bytes : sizes()) {
    all.push_back(a_case(bytes, time_s(bytes)));
    change(all.back());
  }
  return all;
}

Run imported_run(const Time& out_of_place, const Time& in_place) {
  Run run;
  run.head.origin = Origin::imported;
  run.head.ranks = 4;
  run.head.nodes = 2;
  for (const bool in : {false, true})
    for (CaseRecord& c : sweep(in ? in_place : out_of_place, [in](CaseRecord& c) {
           c.key.in_place = in;
           c.key.backend = "nccl";
           c.key.memory = "device";
         })) {
      run.cases.push_back(c);
      run.cases.back().index = static_cast<int>(run.cases.size()) - 1;
    }
  run.end = EndRecord{.status = EndStatus::ok};
  return run;
}

Run quiet_run() {
  Run run;
  busbar::test::Synthetic random(1);
  run.head.ranks = 4;
  run.head.nodes = 2;
  run.head.hosts = {host("a"), host("b")};
  run.head.method.stop = StopAt{.least_rounds = 20, .least_span_s = 5, .case_budget_s = 3, .run_budget_s = 60};
  run.head.mpi = Mpi{.library = "Open MPI 4.1.4", .standard = "3.1", .thread_level = "single", .yields = false};
  run.head.clock = ClockFacts{.method = "HCA3", .residual_s = 1e-7, .uncertainty_s = 1e-6};
  for (int rank = 0; rank < 4; ++rank) {
    run.head.placement.push_back({.rank = rank,
                                  .host = rank < 2 ? "a" : "b",
                                  .local_rank = rank % 2,
                                  .cpus = std::to_string(rank % 2),
                                  .bound = true});
    run.head.noise.push_back(
        {.measured_s = 1, .stolen_share = 0.01, .longest_s = 1e-4, .detours = 10, .speed_ratio = 1.02});
  }
  run.cases = sweep(smooth_s, [&](CaseRecord& c) {
    c = in_rounds(c, 24, 0.03, random);
    fill(c);
  });
  run.end = EndRecord{.status = EndStatus::ok, .exit_code = 0, .cases = {.ok = static_cast<int>(run.cases.size())}};
  return run;
}

void add_gpus(Run& run) {
  for (Host& host : run.head.hosts) {
    host.gpus = {{.name = "NVIDIA H200", .bus = "0000:01:00.0", .acs_redirect = false},
                 {.name = "NVIDIA H200", .bus = "0000:41:00.0", .acs_redirect = false}};
    host.gpu_links =
        GpuLinks{.columns = {"GPU0", "GPU1", "mlx5_0"}, .rows = {{"X", "NV18", "PIX"}, {"NV18", "X", "PXB"}}};
  }
  for (RankPlace& place : run.head.placement) {
    place.device = "NVIDIA H200";
    place.device_bus = *place.local_rank == 0 ? "0000:01:00.0" : "0000:41:00.0";
  }
  for (CaseRecord& c : run.cases) {
    c.key.backend = "nccl";
    c.key.memory = "device";
    c.throttled = false;
    GpuTelemetry t;
    t.readings = 48;
    t.sm_clock_MHz = Spread{.min = 1970, .median = 1980, .max = 1980};
    t.sm_clock_max_MHz = 1980;
    t.throttled = false;
    c.telemetry.assign(4, t);
  }
}

std::vector<Finding> apply_rule(std::string_view name, const Run& run) {
  const Rule* rule = try_find<Rule>(name);
  EXPECT_NE(rule, nullptr) << name;
  return rule != nullptr && rule->has_data(run) ? rule->look(run) : std::vector<Finding>{};
}

std::string text_of(const Finding& f) {
  std::string text = f.title;
  for (const auto* list : {&f.evidence, &f.tries})
    for (const std::string& sentence : *list) text += "\n" + sentence;
  return text;
}

}  // namespace busbar::explain::test
