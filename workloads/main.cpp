// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/core.h>

#include "core/build_info.hpp"
#include "core/job/job.hpp"
#include "core/job/program.hpp"
#include "core/job/prometheus.hpp"
#include "core/job/recorder.hpp"
#include "core/job/watchdog.hpp"
#include "core/training_table.hpp"
#include "workloads/options.hpp"
#include "workloads/peak.hpp"
#include "workloads/pipeline/drawing.hpp"
#include "workloads/train/pipeline_parallel.hpp"
#include "workloads/train/workload.hpp"

namespace busbar {
namespace {

constexpr auto program = "busbar-train";
constexpr double peak_s = 0.5;  ///< that the processor's peak is measured

Method method_of(const TrainSettings& s) {
  Method m{.cadence = "streaming",
           .rank_rule = "slowest",
           .statistic = "median_of_round_means",
           .warmup_iterations = s.warmup,
           .iterations = s.steps,
           .check = "every_round"};
  if (!s.steps) m.stop = s.stop;
  return m;
}

/// The time-step table of a pipeline; empty where there is none, or stages read different clocks.
std::string drawing(const CaseRecord& r) {
  if (!r.training || !r.training->pipeline || r.key.nodes != 1) return "";
  std::string text;
  std::istringstream lines(pipeline::draw(timetable_of(*r.training->pipeline), 78));
  for (std::string line; std::getline(lines, line);) text += "# " + line + "\n";
  return "#\n" + text;
}

/// What every rank does while steps are measured: watches over the time, counts, and on rank 0 records.
class Watch final : public TrainObserver {
 public:
  Watch(int rank, const TrainOptions& options, std::optional<Recorder>& recorder,
        std::optional<PrometheusFile>& prometheus)
      : rank_(rank),
        options_(options),
        watchdog_(options.job.timeout_s),
        recorder_(recorder),
        prometheus_(prometheus) {}

  void visit(int round, double elapsed_s, const std::string& what) override {
    watchdog_.rearm(fmt::format("{}: rank {}: {} took longer than --timeout {} s; the job is ended", program, rank_,
                                what, options_.job.timeout_s));
    const std::string when = round == 0 ? "warm-up" : fmt::format("round {}", round);
    if (recorder_) recorder_->console().progress(elapsed_s, fmt::format("[{}, {:.0f} s] {}", when, elapsed_s, what));
  }
  void take(const CaseRecord& r) override {
    count(counted_, r.status);
    if (prometheus_) prometheus_->take(r);
    if (!recorder_) return;
    recorder_->take(r);
    if (options_.explain) recorder_->console().text(explain(r) + drawing(r));
  }
  void keep(std::span<const CaseRecord> unfinished) override {
    if (recorder_) recorder_->keep(unfinished);
  }
  [[nodiscard]] bool interrupted() const override {
    return busbar::interrupted() || (recorder_ && recorder_->problem());
  }
  [[nodiscard]] const EndRecord& counted() const { return counted_; }

 private:
  int rank_;
  const TrainOptions& options_;
  Watchdog watchdog_;
  std::optional<Recorder>& recorder_;
  std::optional<PrometheusFile>& prometheus_;
  EndRecord counted_;
};

/// Opened before anything is measured. Throws UsageError.
std::ofstream open_profile(const std::string& file) {
  std::ofstream out(file);
  if (!out) throw UsageError(fmt::format("--write-profile: cannot create {}", file));
  return out;
}

void write_measured(std::ostream& out, Profile profile, const Job& job, const CaseKey& key) {
  const std::string ranks = fmt::format("{} {}, {} rank{}", program, version(), key.ranks, key.ranks == 1 ? "" : "s");
  if (const auto threads = key.training->threads) {
    profile.device = job.run.hosts.front().cpu_model.value_or("cpu");
    profile.source = fmt::format("{} of {} thread{}", ranks, *threads, *threads == 1 ? "" : "s");
  } else {
    profile.device = key.training->computed_on;
    profile.source = fmt::format("{} of a GPU", ranks);
  }
  write_profile(out, profile);
  out.flush();
  if (!out) throw Error("--write-profile: the file could not be written to its end");
}

/// All ranks at once, as they will compute. A GPU's is not measured.
std::optional<Peak> peak_of(Group& group, const Workload& workload) {
  if (!workload.network || !workload.threads) return std::nullopt;
  group.barrier();
  return measure_peak(peak_s, *workload.threads);
}

/// Collective. Measures everything that was asked for. Gives the exit code, the same on every rank.
int measure(Group& group, const TrainOptions& options, const std::vector<std::string>& argv) {
  require_one_job(group, program, {argv.begin() + 1, argv.end()});
  Workload workload = find_workload(options);
  const auto gpu = open_gpu(group, workload, options);
  const std::string id = group.broadcast(new_run_id(), 0);
  const std::int64_t begin_ns = steady_ns();
  Job job = describe_job(group, options.job, method_of(options.settings), program, id, argv);
  if (gpu) job.run.notes.insert(job.run.notes.end(), gpu->notes().begin(), gpu->notes().end());
  Curve curve = options.curve;
  describe(workload, curve);
  const auto plan = make_plan(curve, job.ranks.hosts);
  const Verdict fits = agree(group, attempt([&] {
                               if (gpu)
                                 gpu->require_memory(plan, group.rank());
                               else
                                 require_memory(workload, plan, job.ranks.hosts, group.rank());
                             }));
  if (!fits.ok()) throw UsageError(fits.reason);
  std::optional<PrometheusFile> prometheus;
  if (const auto& file = options.job.telemetry_prometheus) prometheus.emplace(group, *file, job.ranks.hosts);
  std::optional<Recorder> recorder;
  std::ofstream profile;
  on_rank_0(group, [&] {
    if (options.write_profile) profile = open_profile(*options.write_profile);
    recorder.emplace(options.job, "train-" + workload.model, id, group.size());
  });

  TrainRunner runner(group, job.ranks, options.settings, trainees(workload, options, group.rank(), gpu.get()),
                     peak_of(group, workload));
  if (recorder) recorder->begin(job.run);
  Watch watch(group.rank(), options, recorder, prometheus);
  const auto unwritable = [&] { return group.broadcast(recorder && recorder->problem() ? 1.0 : 0.0) > 0; };
  if (!unwritable()) runner.run(plan, watch);

  const bool stopped = group.broadcast(interrupted() ? 1.0 : 0.0) > 0;
  const EndRecord end = conclude(watch.counted(), stopped, seconds_since(begin_ns));
  if (recorder) recorder->finish(end);
  if (recorder && options.write_profile && runner.profile())
    write_measured(profile, *runner.profile(), job, plan.front().key);
  if (recorder && recorder->problem()) fmt::print(stderr, "{}: {}\n", program, *recorder->problem());
  if (prometheus && prometheus->problem()) fmt::print(stderr, "{}: {}\n", program, *prometheus->problem());
  return unwritable() ? static_cast<int>(Exit::output) : *end.exit_code;
}

}  // namespace
}  // namespace busbar

int main(int argc, char** argv) {
  using namespace busbar;
  const std::vector<std::string> words(argv, argv + argc);
  return run_program("busbar-train", argc, argv, [&](const auto& arguments) -> std::variant<Ready, Information> {
    auto parsed = parse_train_options(arguments);
    if (auto* information = std::get_if<Information>(&parsed)) return *information;
    const auto& options = std::get<TrainOptions>(parsed);
    const auto& overlaps = options.curve.overlaps;
    const bool helper = std::ranges::find(overlaps, "thread") != overlaps.end();
    return Ready{.threading = helper ? Threading::serialised : Threading::single,
                 .measure = [&words, options](Group& group) { return measure(group, options, words); }};
  });
}
