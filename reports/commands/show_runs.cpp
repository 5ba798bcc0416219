// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/terminal_text.hpp"
#include "core/grades/grade.hpp"
#include "core/journal/journal.hpp"
#include "core/ranks/launcher.hpp"
#include "core/record/parts.hpp"
#include "core/record/run.hpp"
#include "core/tables/case_table.hpp"
#include "reports/commands/command.hpp"
#include "reports/repeat/table.hpp"
#include "reports/sections/report_document.hpp"

namespace busbar {
namespace {

struct ShowOptions {
  std::vector<std::string> files;
  std::string format = "text";
};

/// Table of a `busbar repeat` record.
std::string of_launches(const std::vector<Run>& runs) {
  const auto commands = repeat::tally(runs);
  return repeat::table(commands) + "#\n" + repeat::foot(commands, 0);
}

std::vector<Run> read_all(const std::vector<std::string>& files) {
  std::vector<Run> all;
  for (const auto& file : files)
    for (Run& run : read_journals(file, Detail::figures)) all.push_back(std::move(run));
  return all;
}

/// The cases, each with its grade and the doubts that lower it.
nlohmann::json graded_cases(const Run& run) {
  const Grader grader(run);
  nlohmann::json all = nlohmann::json::array();
  for (const CaseRecord& c : run.cases) {
    nlohmann::json& one = all.emplace_back(c);
    const auto graded = grader.grade_case(c);
    one["grade"] = graded ? nlohmann::json(name(graded->grade)) : nlohmann::json();
    one["doubts"] = nlohmann::json::array();
    if (!graded) continue;
    for (const GradeReason& reason : graded->reasons)
      one["doubts"].push_back({{"doubt", name(reason.doubt)}, {"text", reason.text}});
  }
  return all;
}

/// The records without samples, rounds and per-rank rows. docs/records.md describes the keys.
nlohmann::json json_of(const std::vector<Run>& runs) {
  nlohmann::json all = nlohmann::json::array();
  for (const Run& run : runs) {
    all.push_back({{"path", run.path}, {"run", run.head}, {"cases", graded_cases(run)}, {"end", nullptr}});
    if (run.end) all.back()["end"] = *run.end;
  }
  return {{"runs", all}};
}

void print_tables(const std::vector<std::string>& files) {
  const auto terminal = stdout_terminal();
  std::string between;
  for (const auto& file : files) {
    const std::vector<Run> runs = read_journals(file);
    const bool repeated = runs.empty() || runs.front().launch;
    fmt::print("{}{}", between, printable_lines(repeated ? of_launches(runs) : table(runs.front(), terminal)));
    between = "\n";
  }
}

Exit show_files(const ShowOptions& o) {
  if (o.format == "json") return print_json(json_of(read_all(o.files)));
  if (o.format == "md")
    return print_document(
        report::make_document("busbar show", read_all(o.files), {.sections = {"cases"}, .overview = false}), o.format);
  print_tables(o.files);
  return Exit::ok;
}

}  // namespace

extern const Command show_runs{
    .name = "show",
    .about = "print the table of a record",
    .heading = "Read records",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto o = std::make_shared<ShowOptions>();
      line.add("FILE", &o->files, "records (JSON Lines)", records_value);
      add_format(line, o->format);
      line.examples = {"busbar show results/quickstart.jsonl"};
      return [o] { return show_files(*o); };
    },
};

}  // namespace busbar
