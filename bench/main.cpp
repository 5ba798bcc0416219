// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>

#include <fmt/chrono.h>
#include <fmt/core.h>

#include "bench/backends/mpi_group.hpp"
#include "bench/console.hpp"
#include "bench/engine/watchdog.hpp"
#include "bench/options.hpp"
#include "bench/run_facts.hpp"
#include "core/journal.hpp"
#include "core/launcher.hpp"
#include "core/units.hpp"

namespace busbar {
namespace {

std::atomic<bool> interrupted = false;  // set by a signal, which has no other way to reach the run

void end_in_order_on_signals() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { interrupted = true; });
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is reported as a failed write
}

/// A new name under results/: when, what, how many ranks.
std::string default_out(const Options& options, const std::string& id, int ranks) {
  const auto& all = options.sweep.collectives;
  const std::string what = all.size() == 1 ? std::string(all[0]->name) : fmt::format("{}-collectives", all.size());
  return fmt::format("results/{}-{}-np{}.jsonl", id.substr(0, 16), what, ranks);
}

std::unique_ptr<Backend> make_backend(Group& group, const BackendFactory& kind) {
  std::unique_ptr<Backend> backend;
  const Verdict up = agree(group, attempt([&] { backend = kind.make(group); }));
  if (!up.ok()) throw UsageError(fmt::format("--backend {}: {}", kind.name, up.reason));
  return backend;
}

/// What rank 0 keeps of a run: the table on the screen and the journal on disk. Other ranks have none of it.
class Recorder {
 public:
  explicit Recorder(const Options& options, const std::filesystem::path& out)
      : journal_(out, options.overwrite),
        console_(options.progress == "always" || (options.progress == "auto" && stdout_is_terminal())) {}

  void begin(const RunRecord& run) {
    console_.head(run);
    console_.note(fmt::format("record: {}", journal_.path().string()));
    write(run);
  }
  void visit(const Observer::Visit& v) { console_.visit(v.round, v.cases - v.active, v.cases, v.elapsed_s, v.key); }
  void take(const CaseRecord& record) {
    write(record);
    console_.row(record);
  }
  void finish(EndRecord end) {
    write(end);
    if (problem_) {
      end.status = "output";
      end.reason = problem_;
    }
    console_.foot(end);
  }
  [[nodiscard]] const std::optional<std::string>& problem() const { return problem_; }

 private:
  template <class Record>
  void write(const Record& record) {
    if (problem_) return;
    try {
      journal_.write(record);
    } catch (const Error& e) {
      problem_ = e.what();
    }
  }

  JournalWriter journal_;
  Console console_;
  std::optional<std::string> problem_;
};

/// What every rank does while the cases are measured: watches over the time, counts, and on rank 0 records.
class Watch final : public Observer {
 public:
  Watch(int rank, double timeout_s, std::optional<Recorder>& recorder)
      : rank_(rank), timeout_s_(timeout_s), watchdog_(timeout_s), recorder_(recorder) {}

  void visit(const Visit& v) override {
    watchdog_.rearm(fmt::format("busbar-bench: rank {}: {} {} took longer than --timeout {} s; the job is ended", rank_,
                                v.key.collective, format_size(v.key.bytes), timeout_s_));
    if (recorder_) recorder_->visit(v);
  }
  void take(const CaseRecord& r) override {
    ++(r.status == Status::ok ? counted_.ok : r.status == Status::skipped ? counted_.skipped : counted_.failed);
    if (recorder_) recorder_->take(r);
  }
  [[nodiscard]] bool interrupted() const override { return busbar::interrupted || (recorder_ && recorder_->problem()); }
  [[nodiscard]] const EndRecord& counted() const { return counted_; }

 private:
  int rank_;
  double timeout_s_;
  Watchdog watchdog_;
  std::optional<Recorder>& recorder_;
  EndRecord counted_;
};

/// The end of a run whose cases are counted.
EndRecord conclude(EndRecord end, bool stopped, double wall_s) {
  end.status = "ok";
  end.end_utc = utc_now();
  end.wall_s = wall_s;
  Exit code = Exit::ok;
  if (end.failed > 0 || end.ok == 0) {
    code = Exit::failed;
    end.status = "failed";
    end.reason = end.failed > 0 ? "some cases failed" : "nothing could be measured";
  }
  if (stopped) {
    code = Exit::interrupted;
    end.status = "interrupted";
    end.reason = "ended by a signal";
  }
  end.exit_code = static_cast<int>(code);
  return end;
}

/// Collective. Measures everything that was asked for. Gives the exit code, the same on every rank.
int measure(Group& group, const Options& options, const std::vector<std::string>& argv) {
  require_one_job(group, {argv.begin() + 1, argv.end()});
  if (options.sweep.root >= group.size())
    throw UsageError(
        fmt::format("-r: there is no rank {}; this job has ranks 0 to {}", options.sweep.root, group.size() - 1));
  const BackendFactory& kind = *try_find<BackendFactory>(options.backend);
  const auto backend = make_backend(group, kind);
  const std::string id = group.broadcast(new_run_id(), 0);
  std::optional<Recorder> recorder;
  on_rank_0(group, [&] { recorder.emplace(options, options.out.value_or(default_out(options, id, group.size()))); });

  const auto begin = std::chrono::steady_clock::now();
  Job job = describe_job(group, options, id, argv);
  Settings settings = options.settings;
  settings.settle = job.settle;
  Runner runner(group, *backend, kind, settings, job.ranks);
  job.run.clock = runner.clock().facts();
  if (recorder) recorder->begin(job.run);
  Watch watch(group.rank(), options.timeout_s, recorder);
  const auto unwritable = [&] { return group.broadcast(recorder && recorder->problem() ? 1.0 : 0.0) > 0; };
  if (!unwritable()) runner.run(make_plan(options.sweep, group.size()), watch);

  const bool stopped = group.broadcast(interrupted ? 1.0 : 0.0) > 0;
  const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EndRecord end = conclude(watch.counted(), stopped, wall_s);
  end.settling = runner.settling();
  if (!runner.clock().checks().checks.empty()) end.clock = runner.clock().checks();
  if (recorder) recorder->finish(end);
  if (recorder && recorder->problem()) fmt::print(stderr, "busbar-bench: {}\n", *recorder->problem());
  return unwritable() ? static_cast<int>(Exit::output) : *end.exit_code;
}

int run(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  std::variant<Options, Information> parsed;
  try {
    parsed = parse_options({words.begin() + 1, words.end()});
  } catch (const UsageError& e) {
    if (launch_rank() == 0) fmt::print(stderr, "busbar-bench: {}\n", e.what());
    return static_cast<int>(Exit::usage);
  }
  if (const auto* information = std::get_if<Information>(&parsed)) {
    if (launch_rank() == 0) fmt::print("{}", information->text);
    return 0;
  }
  end_in_order_on_signals();
  const auto group = join_mpi(argc, argv);
  try {
    return measure(*group, std::get<Options>(parsed), words);
  } catch (const UsageError& e) {
    if (group->rank() == 0 && launch_rank() == 0) fmt::print(stderr, "busbar-bench: {}\n", e.what());
    return static_cast<int>(Exit::usage);
  } catch (const std::exception& e) {
    group->abort(e.what());
  }
}

}  // namespace
}  // namespace busbar

int main(int argc, char** argv) { return busbar::run(argc, argv); }
