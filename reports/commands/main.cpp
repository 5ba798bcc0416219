// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/terminal_text.hpp"
#include "reports/commands/command.hpp"
#include "reports/runs/collective_facts.hpp"

namespace busbar {
namespace {

/// Prints the error as one line, escaped, and returns the exit code.
int fail(const std::exception& e, Exit code) {
  print_message("busbar", e.what());
  return static_cast<int>(code);
}

OutputError unwritable_output() {
  return OutputError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

/// Rejects `busbar allreduce` and suggests busbar-bench.
void require_no_collective(const std::vector<std::string>& words) {
  if (words.empty() || std::ranges::none_of(all_collective_facts(), [&](const auto& c) { return c.name == words[0]; }))
    return;
  throw UsageError(
      fmt::format("unknown command '{}'; to measure: mpirun -np 2 busbar-bench {}", words[0], fmt::join(words, " ")));
}

/// Parses the words and returns the chosen command, ready to run. `line` must outlive it.
std::variant<std::function<Exit()>, Information> read_command(CommandLine& line,
                                                              const std::vector<std::string>& words) {
  std::map<std::string, std::function<Exit()>> starts;
  for (const Command* command : table<Command>()) {
    CommandLine& its = line.add_subcommand(std::string(command->name), std::string(command->about));
    its.heading = command->heading;
    starts[its.name] = command->attach(its);
  }
  require_no_collective(words);
  if (auto information = parse_command_line(line, words)) return *information;
  return starts.at(line.chosen->name);
}

int run(int argc, char** argv) {
  CommandLine line{
      .name = "busbar",
      .about = "Read, compare and convert records of busbar-bench and busbar-train. Needs no MPI and no GPU."};
  try {
    Exit code = Exit::ok;
    const auto command = read_command(line, {argv + 1, argv + argc});
    if (const auto* information = std::get_if<Information>(&command))
      fmt::print("{}", information->text);
    else
      code = std::get<0>(command)();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw unwritable_output();
    return static_cast<int>(code);
  } catch (const UsageError& e) {
    return fail(e, Exit::usage);
  } catch (const OutputError& e) {
    return fail(e, Exit::output);
  } catch (const std::exception& e) {
    return std::ferror(stdout) != 0 ? fail(unwritable_output(), Exit::output) : fail(e, Exit::failed);
  }
}

}  // namespace
}  // namespace busbar

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is reported as a failed write
  return busbar::run(argc, argv);
}
