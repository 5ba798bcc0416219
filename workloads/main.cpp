// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include <fmt/core.h>

#include "core/base/build_info.hpp"
#include "core/base/terminal_text.hpp"
#include "core/base/units.hpp"
#include "core/files/output_file.hpp"
#include "core/job/devices.hpp"
#include "core/job/job.hpp"
#include "core/job/program.hpp"
#include "core/job/watch.hpp"
#include "core/nvml/device.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/method.hpp"
#include "core/record/run_record.hpp"
#include "core/tables/training_table.hpp"
#include "workloads/options.hpp"
#include "workloads/peak/peak.hpp"
#include "workloads/pipeline/drawing.hpp"
#include "workloads/train/pipeline_parallel.hpp"
#include "workloads/workload.hpp"

namespace busbar {
namespace {

constexpr auto program = "busbar-train";
constexpr double peak_s = 0.5;  ///< duration of the CPU peak measurement

Method method_of(const TrainSettings& s) {
  Method m{.cadence = "streaming",
           .rank_rule = RankRule::slowest,
           .statistic = Statistic::median_of_round_means,
           .warmup_iterations = s.warmup,
           .iterations = s.steps,
           .check = s.with_data ? "every_round" : "off"};
  if (!s.steps) m.stop = s.stop;
  return m;
}

/// Pipeline timetable of the last timed step as text; empty without a pipeline or if stages read different clocks.
std::string drawing(const CaseRecord& r) {
  if (!r.training || !r.training->pipeline || r.key.nodes != 1) return "";
  std::string text;
  std::istringstream lines(pipeline::draw(timetable_of(*r.training->pipeline), 78));
  for (std::string line; std::getline(lines, line);) text += "# " + line + "\n";
  return "#\n# the last timed step:\n" + text;
}

/// Forwards events of a runner to Watch.
class WatchRunner final : public TrainObserver {
 public:
  WatchRunner(Watch& watch, bool explaining) : watch_(watch), explaining_(explaining) {}
  void visit(int round, const std::string& what) override {
    watch_.visit(what, round == 0 ? "warm-up" : fmt::format("round {}", round));
  }
  void add_case(const CaseRecord& r) override {
    watch_.add_case(r);
    if (explaining_ && watch_.shows()) watch_.print_text(explain(r) + drawing(r));
  }
  void keep(std::span<const CaseRecord> unfinished) override { watch_.keep(unfinished); }
  [[nodiscard]] bool interrupted() const override { return watch_.interrupted(); }

 private:
  Watch& watch_;
  bool explaining_;
};

/// Completes and writes a measured profile. Throws OutputError.
void write_measured(const std::string& file, Profile profile, const Job& job, const CaseKey& key) {
  const std::string ranks = fmt::format("{} {}, {}", program, version(), plural(key.ranks, "rank"));
  if (const auto threads = key.training->threads) {
    profile.device = job.run.hosts.front().cpu_model.value_or("cpu");
    profile.source = fmt::format("{} of {}", ranks, plural(*threads, "thread"));
  } else {
    profile.device = key.training->computed_on;
    profile.source = fmt::format("{} of a GPU", ranks);
  }
  write_whole(file, [&](std::ostream& out) { write_profile(out, profile); }, "--write-profile");
}

/// Measures all ranks at once, as in training. GPU peaks are not measured. Collective over the group.
std::vector<Peak> peaks_of(Group& group, const Workload& workload) {
  if (!workload.network || !workload.threads) return {};
  group.barrier();
  return measure_peaks(peak_s, *workload.threads);
}

/// Collective over the group. Throws UsageError, the same on every rank, if any rank lacks memory for its cases.
void require_memory(Group& group, const Workload& workload, const GpuTraining* gpu, const std::vector<TrainCase>& plan,
                    const std::vector<int>& hosts) {
  const Verdict fits = agree(group, attempt([&] {
                               if (gpu != nullptr)
                                 gpu->require_memory(plan, group.rank());
                               else
                                 require_memory(workload, plan, hosts, group.rank());
                             }));
  if (!fits.ok()) throw UsageError(fits.reason);
}

/// Collective over the group. Runs all requested measurements. Returns the exit code, the same on every rank.
int measure(Group& group, Guard& guard, const TrainOptions& options, const std::vector<std::string>& argv) {
  require_one_job(group, program, {argv.begin() + 1, argv.end()});
  auto anonymiser = make_anonymiser(group, options.job, program);
  guard.progress().step("start-up: model, GPU");
  Workload workload = find_workload(options);
  if (const Verdict can = agree(group, attempt([&] { require_precision(workload); })); !can.ok())
    throw UsageError(can.reason);
  const auto gpu = open_gpu(group, workload, options);
  const std::string id = group.broadcast(new_run_id(), 0);
  Watch watch(group, guard, options.job, program, "train-" + workload.model, id, std::move(anonymiser));

  guard.progress().step("start-up: hosts, noise");
  Job job = describe_job(group, options.job, method_of(options.settings), program, id, argv);
  const BackendFacts device = gpu ? gpu->facts() : BackendFacts{};
  describe_devices(group, device, job.ranks.hosts, job.run);
  job.ranks.places = job.run.placement;
  if (job.run.simulation) job.run.simulation->data = options.settings.with_data;
  Curve curve = options.curve;
  describe(workload, curve);
  const auto plan = make_plan(curve, job.ranks.hosts);
  require_parts(workload, curve, plan);
  require_memory(group, workload, gpu.get(), plan, job.ranks.hosts);
  if (const auto& file = options.write_profile)
    on_rank_0(group, [&] { OutputFile(*file, "--write-profile"); });  // fail early if the file cannot be created
  const auto probe = nvml::open_gpu(device.device_uuid, device.device_bus);
  TrainSettings settings = options.settings;
  settings.end_ns = end_of_launch(group, settings.stop.run_budget_s);
  TrainRunner runner(group, job.ranks, settings, trainees(workload, options, group, gpu.get()),
                     peaks_of(group, workload), probe.get(), watch.progress());
  const PlannedCases planned{.number = static_cast<int>(plan.size()), .together = true};
  if (const auto code = watch.begin(job.run, job.ranks.hosts, planned)) return *code;
  WatchRunner observer(watch, options.explain);
  if (!watch.unwritable()) runner.run(plan, observer);

  const int code = watch.finish({});
  if (!options.write_profile) return code;
  bool written = true;
  try {
    if (group.rank() == 0 && runner.profile())
      write_measured(*options.write_profile, *runner.profile(), job, plan.front().key);
  } catch (const OutputError& e) {
    print_message(program, e.what());
    written = false;
  }
  return group.broadcast(written ? 1.0 : 0.0) > 0 ? code : static_cast<int>(Exit::output);
}

}  // namespace
}  // namespace busbar

int busbar::rank_main(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  return run_program("busbar-train", argc, argv, [&](const auto& arguments) -> std::variant<Ready, Information> {
    auto parsed = parse_train_options(arguments);
    if (auto* information = std::get_if<Information>(&parsed)) return *information;
    const auto& options = std::get<TrainOptions>(parsed);
    const auto& overlaps = options.curve.overlaps;
    const bool helper = std::ranges::find(overlaps, "thread") != overlaps.end();
    return Ready{
        .threading = helper ? Threading::serialised : Threading::single,
        .startup_s = options.job.startup_timeout_s,
        .measure = [&words, options](Group& group, Guard& guard) { return measure(group, guard, options, words); }};
  });
}
