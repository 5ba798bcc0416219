// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/case_table.hpp"
#include "core/journal.hpp"
#include "core/launcher.hpp"
#include "core/record/run.hpp"
#include "core/terminal_text.hpp"
#include "reports/command.hpp"
#include "reports/repeat/table.hpp"

namespace busbar {
namespace {

/// Of a record of `busbar repeat`.
std::string of_launches(const std::vector<Run>& runs) {
  const auto commands = repeat::tally(runs);
  return repeat::table(commands) + "#\n" + repeat::foot(commands, 0);
}

Exit show_files(const std::vector<std::string>& files) {
  const auto terminal = stdout_terminal();
  std::string between;
  for (const auto& file : files) {
    const std::vector<Run> runs = read_journals(file);
    const bool repeated = runs.empty() || runs.front().launch;
    fmt::print("{}{}", between, printable_lines(repeated ? of_launches(runs) : table(runs.front(), terminal)));
    between = "\n";
  }
  return Exit::ok;
}

}  // namespace

extern const Command show_runs{
    .name = "show",
    .about = "print the table of a record",
    .heading = "Read records",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto files = std::make_shared<std::vector<std::string>>();
      line.add("FILE", files.get(), "records (JSON Lines)", records_value);
      line.footer = "Example:\n  busbar show results/quickstart.jsonl";
      return [files] { return show_files(*files); };
    },
};

}  // namespace busbar
