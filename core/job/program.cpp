// SPDX-License-Identifier: Apache-2.0
#include "core/job/program.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <list>
#include <thread>

#include <fmt/core.h>
#include <unistd.h>

#include "core/base/terminal_text.hpp"
#include "core/ranks/here.hpp"
#include "core/ranks/launcher.hpp"
#include "core/ranks/thread_group.hpp"

namespace busbar {
namespace {

// Globals, since signal handlers cannot reach the run otherwise.
std::atomic<bool> was_interrupted = false;
std::atomic<Progress*> told_of_signals = nullptr;

/// During its lifetime, signal handlers report to `progress`.
class Listening {
 public:
  explicit Listening(Progress& progress) { told_of_signals = &progress; }
  ~Listening() { told_of_signals = nullptr; }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
};

void interrupt(int signal) {
  was_interrupted = true;
  if (Progress* progress = told_of_signals) progress->note_signal(signal);
}

/// Measures with several ranks per process, the first of which is this thread.
int measure_on_threads(const Ready& ready, Group& processes, Guard& guard) {
  ThreadRanks ranks(ready.ranks_per_process, &processes);
  std::list<Guard> guards;  // of the other ranks
  std::list<std::jthread> threads;
  const auto measure = [&](int number, Guard& its_guard) {
    ThreadGroup group(ranks, number, [&](std::string_view why) { its_guard.abort(why); });
    return or_abort(group, [&]() -> std::variant<int, UsageError> {
      try {
        return ready.measure(group, its_guard);
      } catch (const UsageError& e) {
        return e;
      }
    });
  };
  for (int number = 1; number < ready.ranks_per_process; ++number)
    threads.emplace_back([&, number, its_guard = &guards.emplace_back(guard, number)] { measure(number, *its_guard); });
  const auto result = measure(0, guard);
  if (const auto* wrong_use = std::get_if<UsageError>(&result)) throw *wrong_use;  // the same on every rank
  return std::get<int>(result);
}

}  // namespace

void end_in_order_on_signals() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, interrupt);
  for (const int signal : {SIGXFSZ, SIGPIPE}) std::signal(signal, SIG_IGN);  // reported as a failed write
}

bool interrupted() { return was_interrupted; }

int say_wrong_use(const std::string& name, const UsageError& e) {
  if (launch_rank() == 0) {
    print_message(name, e.what());
  } else if (here::simulation() == nullptr) {  // simulated ranks end one after the other: waits would add up
    std::signal(SIGTERM,
                [](int) { ::_exit(static_cast<int>(Exit::usage)); });  // srun returns the highest code of all ranks
    std::this_thread::sleep_for(std::chrono::seconds(2));
  }
  return static_cast<int>(Exit::usage);
}

int run_program(const std::string& name, int argc, char** argv,
                const std::function<std::variant<Ready, Information>(const std::vector<std::string>&)>& read) {
  std::variant<Ready, Information> read_as;
  try {
    read_as = read({argv + 1, argv + argc});
  } catch (const UsageError& e) {
    return say_wrong_use(name, e);
  }
  if (const auto* information = std::get_if<Information>(&read_as)) {
    if (launch_rank() == 0) fmt::print("{}", information->text);
    return 0;
  }
  const Ready& ready = std::get<Ready>(read_as);
  Guard guard(name, ready.startup_s, ready.ranks_per_process);
  const Listening listening(guard.progress());
  if (here::simulation() == nullptr) end_in_order_on_signals();  // a simulation ends at once
  for (const auto& [variable, value] : ready.variables) ::setenv(variable.c_str(), value.c_str(), 0);
  const auto group = join_mpi(argc, argv, ready.threading, [&](std::string_view why) { guard.abort(why); });
  try {
    guard.join(*group);
    return ready.ranks_per_process > 1 ? measure_on_threads(ready, *group, guard) : ready.measure(*group, guard);
  } catch (const UsageError& e) {
    return group->rank() == 0 ? say_wrong_use(name, e) : static_cast<int>(Exit::usage);
  } catch (const std::exception& e) {
    group->abort(e.what());
  }
}

}  // namespace busbar
