// SPDX-License-Identifier: Apache-2.0
// write_journals FULL EMPTY: one journal with every field set, and one with every optional field empty.
#include <cstdio>
#include <exception>

#include "core/journal.hpp"
#include "core/record/arrival.hpp"
#include "core/record/case_record.hpp"
#include "core/record/check.hpp"
#include "core/record/end_record.hpp"
#include "core/record/method.hpp"
#include "core/record/mpi.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"

namespace {

using namespace busbar;

Host full_host() {
  return {
      .name = "node017",
      .cpu_model = "Some CPU",
      .sockets = 2,
      .cores = 64,
      .threads = 128,
      .memory_bytes = std::uint64_t{1} << 39,
      .kernel = "6.1.0-18-amd64",
      .os = "Debian GNU/Linux 12 (bookworm)",
      .governor = "performance",
      .cpufreq_driver = "intel_pstate",
      .turbo = true,
      .smt = false,
      .cpu_quota = 1.5,
      .clock_source = "tsc",
      .transparent_huge_pages = "madvise",
      .virtualisation = "bare metal",
      .container = "apptainer",
      .lab = "1 of 4 hosts on one machine, link rate 10gbit",
      .iommu = "DMA-FQ, identity",
      .interfaces =
          {{.name = "ib0", .kind = "infiniband", .driver = "mlx5_core", .state = "up", .speed_Gbps = 200, .mtu = 2044}},
      .rdma = {{.device = "mlx5_0",
                .port = 1,
                .link_layer = "InfiniBand",
                .state = "ACTIVE",
                .rate_Gbps = 200,
                .ats = true,
                .acs_redirect = false}},
      .gpus = {{.name = "NVIDIA H100",
                .bus = "0000:1b:00.0",
                .uuid = "GPU-1",
                .memory_bytes = std::uint64_t{80} << 30,
                .mig = false,
                .virtualisation = "none",
                .ecc = true,
                .persistence = true,
                .compute_mode = "default",
                .power_limit_W = 700,
                .sm_clock_max_MHz = 1980,
                .memory_clock_max_MHz = 2619,
                .pcie_gen = 5,
                .pcie_width = 16,
                .pcie_gen_max = 5,
                .pcie_width_max = 16,
                .nvlinks = 18,
                .nvlink_version = "4.0",
                .numa_node = 0,
                .ats = false,
                .acs_redirect = true}},
      .gpu_driver = "550.54.15",
      .gpu_links = GpuLinks{.columns = {"GPU0", "mlx5_0", "eth0"}, .rows = {{"X", "PIX", std::nullopt}}}};
}

GpuTelemetry full_telemetry() {
  const Spread some{.min = 1, .median = 2, .max = 3};
  return {.uuid = "GPU-1",
          .readings = 4,
          .sm_clock_MHz = some,
          .memory_clock_MHz = some,
          .power_W = some,
          .temperature_C = some,
          .busy_percent = some,
          .sm_clock_max_MHz = 1980,
          .memory_clock_max_MHz = 2619,
          .power_limit_W = 700,
          .clock_reasons = {{.reason = "sw_power_cap", .share = 0.25}},
          .throttled = true,
          .span_s = 1.5,
          .calls = 120,
          .energy_J = 900,
          .throttle_time_s = {{"sw_power_cap", 0.5}},
          .nvlink_tx_bytes = 1024,
          .nvlink_rx_bytes = 2048,
          .pcie_tx_bytes = 1,
          .pcie_rx_bytes = 2,
          .ecc_corrected = 3,
          .ecc_uncorrected = 4,
          .pcie_gen = 5,
          .pcie_width = 16,
          .pcie_gen_max = 5,
          .pcie_width_max = 16,
          .nvlinks = 18,
          .nvlink_version = "4.0"};
}

RunRecord full_run() {
  return {
      .id = "20260131T120000Z-1f3a9c02",
      .resumes = "20260130T120000Z-0123abcd",
      .origin = "simulated",
      .tool = {.name = "busbar-bench",
               .version = "0.1.0",
               .revision = "0123456789ab",
               .compiler = "GNU 12.2.0",
               .build_type = "Release"},
      .argv = {"busbar-bench", "allreduce"},
      .start_utc = "2026-01-31T12:00:00Z",
      .labels = {{"platform", "metal"}},
      .ranks = 2,
      .nodes = 1,
      .anonymised = true,
      .method = {.cadence = "barrier",
                 .rank_rule = "slowest",
                 .statistic = "median_of_rounds",
                 .warmup_iterations = 5,
                 .iterations = 20,
                 .aggregated_iterations = 1,
                 .check = "every_call_sampled",
                 .stop = StopAt{.least_rounds = 20,
                                .least_span_s = 5,
                                .case_budget_s = 3,
                                .run_budget_s = 60,
                                .most_samples = 100000},
                 .buffers = BufferPlace{.alignment_bytes = 4096, .send_offset_bytes = 16, .recv_offset_bytes = 64},
                 .clock = "cuda_events",
                 .graph_calls = 20,
                 .registered_buffers = true,
                 .nonblocking_calls = false,
                 .split_communicators = false,
                 .shared_gpu = false,
                 .settled = true,
                 .launch_spread = LaunchSpread{.relative = 0.04, .launches = 7}},
      .mpi = Mpi{.library = "Open MPI 4.1.4",
                 .standard = "3.1",
                 .thread_level = "funneled",
                 .yields = true,
                 .yield_asked_by = "busbar: more ranks than CPUs"},
      .libraries = {{"nccl", "2.28.9"}},
      .hosts = {full_host()},
      .placement = {{.rank = 0,
                     .host = "node017",
                     .local_rank = 0,
                     .cpus = "0-3,8",
                     .bound = true,
                     .device = "NVIDIA H100",
                     .device_bus = "0000:1b:00.0",
                     .device_uuid = "GPU-00000000-0000-0000-0000-000000000000"}},
      .environment = {{"NCCL_DEBUG", "INFO"}, {"SLURM_NTASKS", "2"}},
      .timer = Timer{.resolution_s = 1e-8, .cost_s = 2.5e-8},
      .clock =
          ClockFacts{
              .method = "HCA3",
              .reference_rank = 0,
              .residual_s = 2e-8,
              .uncertainty_s = 3e-7,
              .took_s = 0.2,
              .ranks = {{.rank = 1, .offset_s = -12.5, .drift_ppm = -0.7, .residual_s = 2e-8, .uncertainty_s = 3e-7}}},
      .noise = {{.measured_s = 1, .stolen_share = 0.01, .longest_s = 1e-3, .detours = 500, .speed_ratio = 1.25}},
      .source = "a.log",
      .simulation = Simulation{.simulator = "SimGrid SMPI",
                               .version = "3.32",
                               .platform_file = "fat.xml",
                               .platform_sha256 = std::string(64, '0'),
                               .platform = {{"busbar.topology", "fat-tree:2-level"}},
                               .settings = {{"smpi/allreduce", "lr"}},
                               .data = true},
      .notes = {"a note"}};
}

constexpr Interval some_interval{.low = 0.9, .high = 1.1, .confidence = 0.95};

Training full_training() {
  return {
      .samples_per_s = 14.5,
      .samples_per_s_interval = some_interval,
      .scaling = Scaling{.baseline_ranks = 1,
                         .baseline_samples_per_s = 7.4,
                         .speed_up = 1.96,
                         .efficiency = 0.98,
                         .efficiency_interval = some_interval},
      .split = StepSplit{.step_s = 1.1, .forward_s = 0.4, .backward_s = 0.6, .exposed_s = 0.05, .optimiser_s = 0.03},
      .wire_bytes = 102228128,
      .buckets = 5,
      .loss_first = 7.0,
      .loss_last = 6.5,
      .weights_hash = "0123456789abcdef",
      .memory = Memory{.peak_bytes = 3, .before_bytes = 1, .weights_bytes = 1, .needed_bytes = 2},
      .arithmetic = Arithmetic{.flop_per_step = 2e11,
                               .peak_flop_per_s = 2.5e11,
                               .peak_instructions = "AVX-512",
                               .peaks = {{.type = "fp32", .instructions = "AVX-512", .flop_per_s = 2.5e11}},
                               .reorder_s = 0.01,
                               .layers = {{.kind = "convolution", .layers = 53, .flop = 2e11, .forward_s = 0.3}}},
      .slow_ranks = {{.rank = 1, .host = "node018", .cpus = "4", .compute_s = 1.3, .others_compute_s = 1}},
      .jobs = {{.ranks = {0, 1}, .samples_per_s = 14.5, .samples_per_s_interval = some_interval, .slow_down = 1.1}},
      .pipeline = Pipeline{.stages = 2,
                           .micro_batches = 4,
                           .bubble = 0.25,
                           .ideal_bubble = 0.2,
                           .stage_compute_s = {0.5, 0.6},
                           .most_in_flight = 2,
                           .operations = {{.stage = 1, .pass = "backward", .micro_batch = 3, .end_s = 0.5}}}};
}

CaseRecord full_case() {
  CaseRecord c{
      .index = 3,
      .key = {.collective = "allreduce",
              .backend = "mpi",
              .memory = "host",
              .type = "fp32",
              .op = "sum",
              .root = 0,
              .bytes = 1024,
              .in_place = false,
              .ranks = 2,
              .nodes = 1,
              .ranks_per_node = 2,
              .cadence = "barrier",
              .algorithm = "ring",
              .group = "world",
              .training = TrainingKey{.compute = "onednn",
                                      .computed_on = "cpu",
                                      .batch = 8,
                                      .precision = "bf16",
                                      .image = 224,
                                      .threads = 1,
                                      .overlap = "thread",
                                      .schedule = "1f1b"}},
      .status = Status::failed,
      .reason = "wrong data",
      .count = 256,
      .reduction = "MPI_SUM",
      .choice = LibraryChoice{.algorithm = "ring", .protocol = "simple", .channels = 24},
      .time_by_clock_s = {{"host", 2e-6}, {"cuda_events", 1.9e-6}},
      .statistics = summarise(std::vector{1e-6, 2e-6, 3e-6}),
      .samples_taken = 3,
      .samples_s = {1e-6, 2e-6, 3e-6},
      .interval_s = Interval{.low = 1.5e-6, .high = 2.5e-6, .confidence = 0.95},
      .interval_of_launches_s = Interval{.low = 1.4e-6, .high = 2.6e-6, .confidence = 0.95},
      .paced = PacedTime{.time_s = 2e-6, .pace_s = 1.25e-6},
      .rounds = {{.at_s = 0.5,
                  .samples = 8,
                  .kept = 3,
                  .median_s = 2e-6,
                  .mean_s = 2.1e-6,
                  .early_s = 2.5e-6,
                  .pace_s = 1.25e-6,
                  .contended = true}},
      .modes = Modes{.low = {.median_s = 1.5e-6, .rounds = 12}, .high = {.median_s = 2.5e-6, .rounds = 8}},
      .calls_per_sample = 4,
      .invalid_samples = 2,
      .arrival = Arrival{.skew_s = 3e-7,
                         .transfer_s = 1.5e-6,
                         .late = {{.rank = 1,
                                   .host = "node018",
                                   .cpus = "4",
                                   .device = "NVIDIA H100",
                                   .last_share = 0.875,
                                   .behind_s = 2e-6}}},
      .usage = {{.wall_s = 0.25,
                 .cpu_s = 0.2,
                 .waited_s = 0.03,
                 .voluntary = 1,
                 .involuntary = 2,
                 .host_busy_s = 0.5,
                 .host_stolen_s = 0.01,
                 .throttled = 3}},
      .contention = Contention{.reasons = {"waited 12 % of the time for a CPU"}},
      .telemetry = {full_telemetry()},
      .throttled = true,
      .gated = GatedTimes{.launch_s = 4e-6, .device_s = 9e-6, .notice_s = 6e-6},
      .overhead = Overhead{.inside_s = 0.1, .start_s = 0.05, .data_s = 0.04, .other_s = 0.06},
      .training = full_training(),
      .remarks = {"times rose by 6 % from the first round to the last"},
      .ranks = {{.rank = 0, .min_s = 1e-6, .median_s = 2e-6, .max_s = 3e-6}},
      .check = {.state = "failed",
                .calls_made = 9,
                .calls_checked = 8,
                .calls_whole = 2,
                .element_share = 0.25,
                .wrong_elements = 1,
                .wrong_ranks = {1},
                .first =
                    WrongElement{.rank = 1, .index = 17, .expected = "3", .found = "4", .call = 6, .phase = "timed"}},
      .warmup_iterations = 5,
      .ended_by = "count",
      .started_s = 0.5,
      .wall_s = 0.25};
  set_bandwidth(c, 2e-6, 1.0);
  return c;
}

EndRecord full_end() {
  return {.status = "failed",
          .reason = "some cases failed",
          .exit_code = 1,
          .ok = 1,
          .skipped = 2,
          .failed = 3,
          .end_utc = "2026-01-31T12:00:10Z",
          .wall_s = 10,
          .half_width = 0.03,
          .verdict = "allreduce: 0.21 us at 8 B",
          .clock = ClockChecks{.checks = {{.at_s = 5, .residual_s = 4e-8, .uncertainty_s = 3e-7}},
                               .worst_residual_s = 4e-8,
                               .resynchronised = 1},
          .settling = Settling{.first_barrier_s = 4.4e-7,
                               .best_barrier_s = 1.3e-7,
                               .usual_barrier_s = 1.4e-7,
                               .seconds = 0.7,
                               .times = 2,
                               .wakes = 700,
                               .looks = 69,
                               .far = 1},
          .over_earlier = OverEarlier{.ratio = 2.3, .launches = 19},
          .cold_over_hot = {{.series = "allreduce/mpi/host/ranks:2/nodes:1/barrier",
                             .bytes = 8,
                             .hot_s = 2.5e-7,
                             .cold_s = 3.4e-6,
                             .ratio = 13.6,
                             .interval = Interval{.low = 12, .high = 15, .confidence = 0.95}}},
          .unguarded = {1}};
}

/// What has no default that means anything is set; all else is as a new object has it.
RunRecord empty_run() {
  return {.id = "x",
          .tool = {.name = "other-tool"},
          .ranks = 1,
          .method = {.cadence = "unknown", .rank_rule = "unknown", .statistic = "mean", .check = "unknown"},
          .hosts = {Host{.name = "unknown"}},
          .placement = {{.rank = 0, .host = "unknown"}}};
}

CaseRecord empty_case() {
  CaseRecord c{.key = {.collective = "barrier", .backend = "mpi", .ranks = 1}, .status = Status::skipped};
  c.check.state = "none";
  return c;
}

void write(const char* path, const RunRecord& run, const CaseRecord& one, const EndRecord& end) {
  JournalWriter journal(path, true);
  journal.write(run);
  journal.write(one);
  journal.write(end);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  write(argv[1], full_run(), full_case(), full_end());
  RunRecord sparse = empty_run();
  sparse.hosts[0].interfaces = {{.name = "eth0", .kind = "ethernet"}};
  sparse.hosts[0].rdma = {{.device = "mlx5_0"}};
  sparse.hosts[0].gpus = {{.name = "unknown"}};
  write(argv[2], sparse, empty_case(), {.status = "unknown"});
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
