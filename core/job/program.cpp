// SPDX-License-Identifier: Apache-2.0
#include "core/job/program.hpp"

#include <atomic>
#include <csignal>

#include <fmt/core.h>

#include "core/launcher.hpp"

namespace busbar {
namespace {

std::atomic<bool> was_interrupted = false;  // set by a signal, which has no other way to reach the run

int wrong_use(const std::string& name, const UsageError& e) {
  if (launch_rank() == 0) fmt::print(stderr, "{}: {}\n", name, e.what());
  return static_cast<int>(Exit::usage);
}

}  // namespace

void end_in_order_on_signals() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { was_interrupted = true; });
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is reported as a failed write
}

bool interrupted() { return was_interrupted; }

int run_program(const std::string& name, int argc, char** argv,
                const std::function<std::variant<Ready, Information>(const std::vector<std::string>&)>& read) {
  std::variant<Ready, Information> read_as;
  try {
    read_as = read({argv + 1, argv + argc});
  } catch (const UsageError& e) {
    return wrong_use(name, e);
  }
  if (const auto* information = std::get_if<Information>(&read_as)) {
    if (launch_rank() == 0) fmt::print("{}", information->text);
    return 0;
  }
  const Ready& ready = std::get<Ready>(read_as);
  end_in_order_on_signals();
  const auto group = join_mpi(argc, argv, ready.threading);
  try {
    return ready.measure(*group);
  } catch (const UsageError& e) {
    return group->rank() == 0 ? wrong_use(name, e) : static_cast<int>(Exit::usage);
  } catch (const std::exception& e) {
    group->abort(e.what());
  }
}

}  // namespace busbar
