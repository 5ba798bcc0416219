// SPDX-License-Identifier: Apache-2.0
#include "reports/command.hpp"

#include "reports/collective_facts.hpp"

namespace busbar {
namespace {

std::vector<std::string> names_of_collectives() {
  std::vector<std::string> all;
  for (const CollectiveFacts& c : all_collective_facts())
    if (c.moves_data) all.emplace_back(c.name);
  return all;
}

}  // namespace

void add_format(CommandLine& line, std::string& format) {
  line.add("--format", &format, "output format", {.name = "FORMAT", .choices = {"text", "md", "json"}, .strict = true});
}

Value collective_value(bool list) { return {.name = "COLLECTIVE", .choices = names_of_collectives(), .list = list}; }

}  // namespace busbar
