// SPDX-License-Identifier: Apache-2.0
#include "reports/repeat/words.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "reports/suite/placeholders.hpp"

namespace busbar::repeat {
namespace {

constexpr std::array<std::string_view, 2> programs{"busbar-bench", "busbar-train"};

bool is_program(const std::string& word) {
  return std::ranges::find(programs, std::filesystem::path(word).filename().string()) != programs.end();
}

/// True if a flag follows the program, alone or as --flag=value.
bool has_flag(const Words& command, std::initializer_list<std::string_view> flags) {
  const auto program = std::ranges::find_if(command, is_program);
  return std::any_of(program, command.end(), [&](const std::string& word) {
    return std::ranges::any_of(
        flags, [&](std::string_view flag) { return word == flag || word.starts_with(std::string(flag) + "="); });
  });
}

void check_command(const Words& command) {
  const auto refuse = [&](std::string_view why) {
    return UsageError(fmt::format("{}: {}", suite::shell_line(command), why));
  };
  if (program_of(command).empty()) throw refuse("launches neither busbar-bench nor busbar-train");
  if (has_flag(command, {"--out", "--resume"})) throw refuse("give --out and --resume to busbar repeat");
}

}  // namespace

std::string program_of(const Words& command) {
  const auto program = std::ranges::find_if(command, is_program);
  return program == command.end() ? "" : std::filesystem::path(*program).filename().string();
}

std::vector<Words> split_commands(const Words& rest) {
  std::vector<Words> commands;
  for (const std::string& word : rest) {
    if (word == "--" || commands.empty()) commands.emplace_back();
    if (word != "--") commands.back().push_back(word);
  }
  if (commands.empty()) throw UsageError("no command: give it after --: busbar repeat -- mpirun -np 2 busbar-bench");
  for (const Words& command : commands) {
    if (command.empty()) throw UsageError("no command between -- and the next -- or the end");
    check_command(command);
  }
  return commands;
}

Words short_launch(Words command, const std::filesystem::path& out, double budget_s) {
  const bool own_limit = has_flag(command, {"--run-budget", "--quick", "-n", "--iters"});
  const bool own_noise = has_flag(command, {"--noise"});
  command.insert(command.end(), {"--out", out.string()});
  if (!own_limit) command.insert(command.end(), {"--run-budget", fmt::format("{:.3g}", budget_s)});
  if (!own_noise) command.insert(command.end(), {"--noise", "0.05"});
  return command;
}

}  // namespace busbar::repeat
