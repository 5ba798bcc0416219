// SPDX-License-Identifier: Apache-2.0
#include "core/job/program.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <fmt/core.h>
#include <unistd.h>

#include "core/base/terminal_text.hpp"
#include "core/ranks/here.hpp"
#include "core/ranks/launcher.hpp"

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
  Guard guard(name, ready.startup_s);
  const Listening listening(guard.progress());
  if (here::simulation() == nullptr) end_in_order_on_signals();  // a simulation ends at once
  for (const auto& [variable, value] : ready.variables) ::setenv(variable.c_str(), value.c_str(), 0);
  const auto group = join_mpi(argc, argv, ready.threading, [&](std::string_view why) { guard.abort(why); });
  try {
    guard.join(*group);
    return ready.measure(*group, guard);
  } catch (const UsageError& e) {
    return group->rank() == 0 ? say_wrong_use(name, e) : static_cast<int>(Exit::usage);
  } catch (const std::exception& e) {
    group->abort(e.what());
  }
}

}  // namespace busbar
