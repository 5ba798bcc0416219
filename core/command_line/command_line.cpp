// SPDX-License-Identifier: Apache-2.0
#include "core/command_line/command_line.hpp"

#include <algorithm>

namespace busbar {

std::vector<std::string> Option::names() const {
  const auto comma = flags.find(',');
  if (comma == std::string::npos) return {flags};
  return {flags.substr(0, comma), flags.substr(comma + 1)};
}

void CommandLine::add(std::string flags, Target target, std::string its_about, Value value) {
  options.push_back({.flags = std::move(flags),
                     .target = target,
                     .about = std::move(its_about),
                     .value = std::move(value),
                     .group = group_});
}

CommandLine& CommandLine::add_subcommand(std::string its_name, std::string its_about) {
  return subcommands.emplace_back(CommandLine{.name = std::move(its_name), .about = std::move(its_about)});
}

std::size_t CommandLine::count(std::string_view flag) const {
  std::size_t all = 0;
  for (const Option& option : options)
    if (std::ranges::count(option.names(), flag) > 0) all += option.count;
  return all;
}

std::string CommandLine::typed(std::string_view flag) const {
  for (const Option& option : options)
    if (!option.typed.empty() && std::ranges::count(option.names(), flag) > 0) return option.typed;
  return std::string(flag);
}

}  // namespace busbar
