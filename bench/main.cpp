// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "bench/backends/plugin/plugin_backend.hpp"
#include "bench/options.hpp"
#include "bench/replay/replayer.hpp"
#include "bench/stages/stage_runner.hpp"
#include "core/job/devices.hpp"
#include "core/job/job.hpp"
#include "core/job/program.hpp"
#include "core/job/watch.hpp"
#include "core/machine/host_memory.hpp"
#include "core/mpi/algorithms.hpp"
#include "core/record/end_record.hpp"
#include "core/record/method.hpp"
#include "core/record/run_record.hpp"
#include "reports/explain/verdict.hpp"

namespace busbar {
namespace {

constexpr auto program = "busbar-bench";

/// Part of the record's file name.
std::string what_is_measured(const BenchOptions& options) {
  if (options.replay) return "replay";
  if (options.scope.pairs != Scope::Between::none) return "pairs";
  const auto& all = options.sweep.collectives;
  return all.size() == 1 ? std::string(all[0]->name) : fmt::format("{}-collectives", all.size());
}

std::unique_ptr<Backend> make_backend(Group& group, const BackendFactory& kind, const BenchOptions& options) {
  std::unique_ptr<Backend> backend;
  std::optional<std::string> wrong_use;  // the same on every rank, so its message names no rank
  const Verdict up = agree(group, attempt([&] {
                             try {
                               backend = kind.make(group, options.backend_options);
                             } catch (const UsageError& e) {
                               wrong_use = e.what();
                               throw;
                             }
                           }));
  if (!up.ok()) throw UsageError(fmt::format("--backend {}: {}", kind.name, wrong_use.value_or(up.reason)));
  if (options.settings.clock == SampleClock::device && !backend->facts().device_clock)
    throw UsageError(fmt::format("--clock events: with --backend {} there is the host's clock only", kind.name));
  return backend;
}

/// The sweep with the algorithms that the backend has for each collective.
Sweep with_algorithms(Sweep sweep, const Backend& backend, const BackendOptions& options) {
  if (options.algorithms.empty()) return sweep;
  const auto all = backend.expand_algorithms(sweep.collectives, options.algorithms);
  for (std::size_t i = 0; i < all.size(); ++i) sweep.algorithms_of[sweep.collectives[i]] = all[i];
  return sweep;
}

/// Environment variables with which MPI takes requests for algorithms.
std::vector<std::pair<std::string, std::string>> variables_of(const BenchOptions& options) {
  if (options.backend != "mpi") return {};
  std::vector<std::string_view> calls;
  for (const Collective* c : options.sweep.collectives) calls.push_back(c->call);
  return variables_for_algorithms(calls, options.backend_options.algorithms);
}

/// For --list.
std::string list_algorithms() {
  const auto [library, algorithms] = algorithms_of_library();
  if (algorithms.empty()) return {};
  std::string text = fmt::format("algorithms of {} (--algorithm):\n", library);
  for (const auto& [call, names] : algorithms) text += fmt::format("  {:20} {}\n", call, fmt::join(names, ", "));
  return text;
}

std::string_view name_of_check(Checking check, Cadence cadence) {
  if (check == Checking::off) return "off";
  if (cadence == Cadence::streaming || cadence == Cadence::replay || cadence == Cadence::replay_gaps)
    return "some_calls";
  if (check == Checking::first_last) return "first_and_last";
  return check == Checking::all ? "every_call" : "every_call_sampled";
}

Method method_of(const BenchOptions& options) {
  const Settings& s = options.settings;
  const bool of_pairs = std::ranges::all_of(options.sweep.collectives, &Collective::between_pairs);
  Cadence cadence = options.sweep.cadences.front();  // the cadence of hot cases, if there are any
  if (of_pairs) cadence = cadence_for(*options.sweep.collectives.front(), cadence, options.sweep);
  Method m{
      .cadence = std::string(name(cadence)),
      .rank_rule = RankRule::slowest,
      .statistic = Statistic::median_of_rounds,
      .warmup_iterations = options.replay ? 1 : s.warmup,
      .iterations = s.fixed_count,
      .check = std::string(name_of_check(s.check, cadence)),
      .buffers = BufferPlace{
          .alignment_bytes = page_bytes, .send_offset_bytes = s.offsets.send, .recv_offset_bytes = s.offsets.recv}};
  m.clock = s.clock == SampleClock::device ? device_clock : host_clock;
  if (s.graph_calls > 0) m.graph_calls = s.graph_calls;
  if (cadence == Cadence::streaming && s.graph_calls == 0 && !of_pairs) m.aggregated_iterations = s.streaming_calls;
  if (options.backend_options.work_sms > 0) m.work_sms = options.backend_options.work_sms;
  m.registered_buffers = options.backend_options.registered;
  m.nonblocking_calls = options.backend_options.nonblocking;
  m.split_communicators = options.backend_options.comm_split;
  const int gpus = options.backend_options.gpus_per_process;
  if (options.backend == "nccl") m.gpus_per_process = gpus;
  if (gpus > 1) m.gpu_launch = options.backend_options.launch == GpuLaunch::group ? "group" : "threads";
  if (!s.fixed_count) m.stop = s.stop;
  return m;
}

/// Default time budget, in seconds.
double budget_for(int cases) {
  constexpr double least_s = 10, case_s = 0.4;
  return std::max(least_s, case_s * cases);
}

/// Default of --settle: yes if a hypervisor may move virtual CPUs and ranks share a host. No if ranks share CPUs:
/// barrier times then depend on the scheduler.
bool settles(const BenchOptions& options, const RunRecord& run, const Ranks& ranks) {
  if (options.settle) return *options.settle;
  const auto is_virtual = [](const Host& h) {
    return h.virtualisation != "bare metal" && h.virtualisation != "unknown";
  };
  return run.ranks > run.nodes && !ranks.yield && std::ranges::any_of(run.hosts, is_virtual);
}

/// Judged from the OS noise of all ranks, if measured.
bool others_use_cpus(const std::vector<Noise>& of_ranks) {
  constexpr double much = 0.2;  // fraction of a rank's time; 0.5 beside one busy loop
  return std::ranges::any_of(of_ranks, [](const Noise& n) { return n.stolen_share > much; });
}

/// Adds a note if the job has only one rank.
void note_lone_rank(RunRecord& run, const std::vector<std::string>& argv) {
  if (run.ranks > 1 || run.simulation) return;
  run.notes.insert(
      run.notes.begin(),
      fmt::format("one rank: no communication is measured; launch several: mpirun -np 2 {}", fmt::join(argv, " ")));
}

/// Throws UsageError unless every team contains the root.
void require_root(const Sweep& sweep, const std::vector<Stage>& stages) {
  for (const Stage& stage : stages) {
    const std::size_t second = stage.second.teams.empty() ? stage.teams[0].size() : stage.second.teams[0].size();
    if (const int ranks = static_cast<int>(std::min(stage.teams[0].size(), second)); sweep.root >= ranks)
      throw UsageError(fmt::format("--root: rank {} does not exist; {} has ranks 0 to {}", sweep.root,
                                   stages.size() == 1 && stage.teams.size() == 1 ? "this job" : stage.name, ranks - 1));
  }
}

/// Collective over the job. Replays traces instead of measuring a sweep. Returns the exit code, the same on every rank.
int replay_calls(replay::ReplaySetup setup, Job& job, Settings& settings, std::optional<double> budget_s) {
  job.run.notes.insert(job.run.notes.end(), setup.schedule.notes.begin(), setup.schedule.notes.end());
  settings.end_ns = end_of_launch(setup.job, budget_s);
  setup.watch.limit_time(budget_s);
  replay::Replayer replayer(setup);
  if (const auto code = setup.watch.begin(job.run, job.ranks.hosts, {.number = replayer.cases()})) return *code;
  if (!setup.watch.unwritable()) replayer.run();
  return setup.watch.finish({.settling = replayer.settling()});
}

/// Collective over the group. Measures all requested cases. Returns the exit code, the same on every rank.
int measure(Group& group, Guard& guard, const BenchOptions& options, const std::vector<std::string>& argv) {
  require_one_job(group, program, {argv.begin() + 1, argv.end()});
  std::optional<replay::Schedule> schedule;
  if (options.replay) {
    guard.progress().step("start-up: traces");
    schedule = read_schedule(group, *options.replay, options.sweep.places[0], options.sweep.ops[0]);
  }
  auto anonymiser = make_anonymiser(group, options.job, program);
  const BackendFactory* const own = try_find<BackendFactory>(options.backend);
  const BackendFactory kind = own != nullptr ? *own : plugin_backend(options.backend);
  guard.progress().step(fmt::format("start-up: --backend {}", kind.name));
  const auto backend = make_backend(group, kind, options);
  const std::string id = group.broadcast(new_run_id(), 0);
  Watch watch(group, guard, options.job, program, what_is_measured(options), id, std::move(anonymiser),
              explain::verdict);

  guard.progress().step("start-up: hosts, noise");
  Job job = describe_job(group, options.job, method_of(options), program, id, argv);
  describe_devices(group, backend->facts(), job.ranks.hosts, job.run);
  job.ranks.places = job.run.placement;
  note_lone_rank(job.run, argv);
  if (job.run.simulation) job.run.simulation->data = options.backend_options.with_data;
  Settings settings = options.settings;
  if (job.run.simulation) settings.keep_every_s = 0;  // simulated time is not wall time
  settings.settle = settles(options, job.run, job.ranks);
  job.run.method.settled = settings.settle;
  settings.cpus_shared = others_use_cpus(job.run.noise);
  const Stages stages = make_stages(options.scope, job.ranks);
  require_root(options.sweep, stages.all);
  job.run.notes.insert(job.run.notes.end(), stages.notes.begin(), stages.notes.end());
  guard.progress().step("start-up: clocks");
  ClockSync clock(group, job.ranks.clock_of_ranks());
  job.run.clock = clock.facts();
  const JobSetup setup{.job = group,
                       .backend = *backend,
                       .kind = kind,
                       .backend_options = options.backend_options,
                       .ranks = job.ranks,
                       .clock = clock,
                       .watch = watch};
  if (schedule)
    return replay_calls({setup, settings, *schedule, options.replay->gaps}, job, settings,
                        options.settings.stop.run_budget_s);
  const Sweep sweep = with_algorithms(options.sweep, *backend, options.backend_options);
  StageRunner runner({setup, settings, sweep}, stages.all);
  auto budget_s = options.settings.stop.run_budget_s;
  if (options.budget_by_cases) budget_s = budget_for(runner.cases());
  if (job.run.method.stop) job.run.method.stop->run_budget_s = budget_s;
  const auto end_ns = end_of_launch(group, budget_s, options.asks_for_budget);
  watch.limit_time(budget_s);
  if (const auto code = watch.begin(job.run, job.ranks.hosts, {.number = runner.cases()})) return *code;
  if (!watch.unwritable()) runner.run(end_ns, watch.usual_barrier_s());

  EndRecord end{.settling = runner.settling()};
  if (!clock.checks().checks.empty()) end.clock = clock.checks();
  return watch.finish(std::move(end));
}

}  // namespace
}  // namespace busbar

int busbar::rank_main(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  return run_program(program, argc, argv, [&](const auto& arguments) -> std::variant<Ready, Information> {
    auto parsed = parse_options(arguments, list_algorithms);
    if (auto* information = std::get_if<Information>(&parsed)) return *information;
    const auto& options = std::get<BenchOptions>(parsed);
    const int gpus = options.backend_options.gpus_per_process;
    const bool by_thread =
        gpus > 1 || std::ranges::find(options.sweep.advances, Advance::thread) != options.sweep.advances.end();
    return Ready{
        .threading = by_thread ? Threading::serialised : Threading::single,
        .ranks_per_process = gpus,
        .startup_s = options.job.startup_timeout_s,
        .variables = variables_of(options),
        .measure = [&words, options](Group& group, Guard& guard) { return measure(group, guard, options, words); }};
  });
}
