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
std::string default_out(const Options& options, const RunRecord& run) {
  const auto& all = options.sweep.collectives;
  const std::string what = all.size() == 1 ? std::string(all[0]->name) : fmt::format("{}-collectives", all.size());
  return fmt::format("results/{}-{}-np{}.jsonl", run.id.substr(0, 16), what, run.ranks);
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
  Recorder(const Options& options, const RunRecord& run)
      : journal_(options.out.value_or(default_out(options, run)), options.overwrite),
        console_(options.progress == "always" || (options.progress == "auto" && stdout_is_terminal())) {
    console_.head(run);
    console_.note(fmt::format("record: {}", journal_.path().string()));
    write(run);
  }

  void begin(int number, int total, const CaseKey& key) { console_.begin(number, total, key); }
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

void count(EndRecord& end, Status status) {
  ++(status == Status::ok ? end.ok : status == Status::skipped ? end.skipped : end.failed);
}

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
  const auto hosts = hosts_of_ranks(group);
  const RunRecord run = describe_run(group, options, argv, hosts);
  std::optional<Recorder> recorder;
  on_rank_0(group, [&] { recorder.emplace(options, run); });

  Watchdog watchdog(options.timeout_s);
  const auto begin = std::chrono::steady_clock::now();
  Runner runner(group, *backend, kind, options.settings, hosts, interrupted);
  const auto plan = make_plan(options.sweep, group.size());
  EndRecord counted;
  const auto cannot_write = [&] { return group.broadcast(recorder && recorder->problem() ? 1.0 : 0.0) > 0; };
  bool stopped = false, unwritable = cannot_write();
  for (std::size_t i = 0; i < plan.size() && !stopped && !unwritable; ++i) {
    const CaseKey key = key_of(plan[i], runner.world(), kind.name, backend->memory());
    watchdog.rearm(fmt::format("busbar-bench: rank {}: {} {} took longer than --timeout {} s; the job is ended",
                               group.rank(), key.collective, format_size(key.bytes), options.timeout_s));
    if (recorder) recorder->begin(static_cast<int>(i) + 1, static_cast<int>(plan.size()), key);
    const CaseRecord record = runner.run(plan[i], static_cast<int>(i));
    count(counted, record.status);
    if (recorder) recorder->take(record);
    stopped = runner.interrupted();
    unwritable = cannot_write();
  }
  const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const EndRecord end = conclude(counted, stopped, wall_s);
  if (recorder) recorder->finish(end);
  if (recorder && recorder->problem()) fmt::print(stderr, "busbar-bench: {}\n", *recorder->problem());
  return cannot_write() ? static_cast<int>(Exit::output) : *end.exit_code;
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
