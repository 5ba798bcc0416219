// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "bench/options.hpp"
#include "core/host_memory.hpp"
#include "core/job/job.hpp"
#include "core/job/program.hpp"
#include "core/job/prometheus.hpp"
#include "core/job/recorder.hpp"
#include "core/job/telemetry.hpp"
#include "core/job/watchdog.hpp"
#include "core/units.hpp"

namespace busbar {
namespace {

/// For the name of the record.
std::string what_is_measured(const Options& options) {
  const auto& all = options.sweep.collectives;
  return all.size() == 1 ? std::string(all[0]->name) : fmt::format("{}-collectives", all.size());
}

std::unique_ptr<Backend> make_backend(Group& group, const BackendFactory& kind, const Options& options) {
  std::unique_ptr<Backend> backend;
  std::optional<std::string> wrong_use;  // the same on every rank: it needs no rank's number in front
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

/// Collective. What the backend adds to the description of the job.
void add_facts(Group& group, const BackendFacts& facts, RunRecord& run) {
  run.libraries.insert(facts.libraries.begin(), facts.libraries.end());
  run.notes.insert(run.notes.end(), facts.notes.begin(), facts.notes.end());
  const auto names = group.all_gather(facts.device.value_or(""));
  const auto buses = group.all_gather(facts.device_bus.value_or(""));
  const auto uuids = group.all_gather(facts.device_uuid.value_or(""));
  for (std::size_t r = 0; r < names.size(); ++r) {
    if (names[r].empty()) continue;
    run.placement[r].device = names[r];
    run.placement[r].device_bus = buses[r];
    run.placement[r].device_uuid = uuids[r];
  }
  std::array shared{facts.shared_device ? 1.0 : 0.0};
  group.max(shared);
  run.method.shared_gpu = shared[0] > 0;
  if (shared[0] > 0)
    run.notes.push_back("ranks share a GPU (--share-gpu): these figures show that calls work, not how fast they are");
}

std::string_view name_of_check(const Settings& s) {
  if (s.check == Checking::off) return "off";
  if (s.cadence == Cadence::streaming) return "some_calls";
  return s.check == Checking::whole ? "every_call" : "every_call_sampled";
}

Method method_of(const Settings& s) {
  Method m{
      .cadence = std::string(name(s.cadence)),
      .rank_rule = "slowest",
      .statistic = "median_of_rounds",
      .warmup_iterations = s.warmup,
      .iterations = s.fixed_count,
      .check = std::string(name_of_check(s)),
      .buffers = BufferPlace{
          .alignment_bytes = page_bytes, .send_offset_bytes = s.offsets.send, .recv_offset_bytes = s.offsets.recv}};
  m.clock = s.clock == SampleClock::device ? device_clock : host_clock;
  if (s.graph_calls > 0) m.graph_calls = s.graph_calls;
  if (s.cadence == Cadence::streaming && s.graph_calls == 0) m.aggregated_iterations = s.streaming_calls;
  if (!s.fixed_count) m.stop = s.stop;
  return m;
}

/// Where the user leaves it open: a hypervisor moves virtual CPUs about, and some ranks share a host. Not where ranks
/// have to share CPUs: barriers then take as long as the scheduler likes.
bool settles(const Options& options, const RunRecord& run, const Ranks& ranks) {
  if (options.settle) return *options.settle;
  const auto is_virtual = [](const Host& h) {
    return h.virtualisation != "bare metal" && h.virtualisation != "unknown";
  };
  return run.ranks > run.nodes && !ranks.yield && std::ranges::any_of(run.hosts, is_virtual);
}

/// What every rank does while the cases are measured: watches over the time, counts, and on rank 0 records.
class Watch final : public Observer {
 public:
  Watch(int rank, double timeout_s, std::optional<Recorder>& recorder, std::optional<PrometheusFile>& prometheus)
      : rank_(rank), timeout_s_(timeout_s), watchdog_(timeout_s), recorder_(recorder), prometheus_(prometheus) {}

  void visit(const Visit& v) override {
    const std::string what = fmt::format("{} {}", v.key.collective, format_size(v.key.bytes));
    watchdog_.rearm(fmt::format("busbar-bench: rank {}: {} took longer than --timeout {} s; the job is ended", rank_,
                                what, timeout_s_));
    if (recorder_)
      recorder_->console().progress(v.elapsed_s, fmt::format("[round {}, {} of {} cases done, {:.0f} s] {}", v.round,
                                                             v.cases - v.active, v.cases, v.elapsed_s, what));
  }
  void take(const CaseRecord& r) override {
    count(counted_, r.status);
    if (recorder_) recorder_->take(r);
    if (prometheus_) prometheus_->take(r);
  }
  [[nodiscard]] bool interrupted() const override {
    return busbar::interrupted() || (recorder_ && recorder_->problem());
  }
  [[nodiscard]] const EndRecord& counted() const { return counted_; }

 private:
  int rank_;
  double timeout_s_;
  Watchdog watchdog_;
  std::optional<Recorder>& recorder_;
  std::optional<PrometheusFile>& prometheus_;
  EndRecord counted_;
};

/// Collective. Measures everything that was asked for. Gives the exit code, the same on every rank.
int measure(Group& group, const Options& options, const std::vector<std::string>& argv) {
  require_one_job(group, "busbar-bench", {argv.begin() + 1, argv.end()});
  if (options.sweep.root >= group.size())
    throw UsageError(
        fmt::format("-r: there is no rank {}; this job has ranks 0 to {}", options.sweep.root, group.size() - 1));
  const BackendFactory& kind = *try_find<BackendFactory>(options.backend);
  const auto backend = make_backend(group, kind, options);
  const std::string id = group.broadcast(new_run_id(), 0);
  std::optional<Recorder> recorder;
  on_rank_0(group, [&] { recorder.emplace(options.job, what_is_measured(options), id, group.size()); });

  const std::int64_t begin_ns = steady_ns();
  Job job = describe_job(group, options.job, method_of(options.settings), "busbar-bench", id, argv);
  job.run.method.registered_buffers = options.backend_options.registered;
  add_facts(group, backend->facts(), job.run);
  add_gpu_facts(group, job.ranks.hosts, backend->facts().device_uuid.has_value(), job.run);
  job.ranks.places = job.run.placement;
  std::optional<PrometheusFile> prometheus;
  if (const auto& file = options.job.telemetry_prometheus) prometheus.emplace(group, *file, job.ranks.hosts);
  Settings settings = options.settings;
  settings.settle = settles(options, job.run, job.ranks);
  Runner runner(group, *backend, kind, settings, job.ranks);
  job.run.clock = runner.clock().facts();
  if (recorder) recorder->begin(job.run);
  Watch watch(group.rank(), options.job.timeout_s, recorder, prometheus);
  const auto unwritable = [&] { return group.broadcast(recorder && recorder->problem() ? 1.0 : 0.0) > 0; };
  if (!unwritable()) runner.run(make_plan(options.sweep, group.size()), watch);

  const bool stopped = group.broadcast(interrupted() ? 1.0 : 0.0) > 0;
  EndRecord end = conclude(watch.counted(), stopped, seconds_since(begin_ns));
  end.settling = runner.settling();
  if (!runner.clock().checks().checks.empty()) end.clock = runner.clock().checks();
  if (recorder) recorder->finish(end);
  if (recorder && recorder->problem()) fmt::print(stderr, "busbar-bench: {}\n", *recorder->problem());
  if (prometheus && prometheus->problem()) fmt::print(stderr, "busbar-bench: {}\n", *prometheus->problem());
  return unwritable() ? static_cast<int>(Exit::output) : *end.exit_code;
}

}  // namespace
}  // namespace busbar

int main(int argc, char** argv) {
  using namespace busbar;
  const std::vector<std::string> words(argv, argv + argc);
  return run_program("busbar-bench", argc, argv, [&](const auto& arguments) -> std::variant<Ready, Information> {
    auto parsed = parse_options(arguments);
    if (auto* information = std::get_if<Information>(&parsed)) return *information;
    return Ready{.measure = [&words, options = std::get<Options>(parsed)](Group& group) {
      return measure(group, options, words);
    }};
  });
}
