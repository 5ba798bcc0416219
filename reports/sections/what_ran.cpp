// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <fmt/core.h>

#include "core/units.hpp"
#include "reports/document.hpp"
#include "reports/text.hpp"

namespace busbar::report {
namespace {

std::string host_names(const RunRecord& r) {
  std::vector<std::string> names;
  for (const Host& host : r.hosts) names.push_back(host.name);
  return names.empty() ? std::string(unknown) : list(names);
}

std::string tool(const Tool& t) { return fmt::format("{} {}", t.name, t.version.value_or("(version unknown)")); }

std::string number(std::optional<int> n) { return n ? std::to_string(*n) : std::string(unknown); }

/// "32 ok, 3 skipped, 1 failed", without what is none.
std::string case_counts(const Run& run) {
  std::map<Status, int> n;
  for (const CaseRecord& c : run.cases) ++n[c.status];
  std::string s = fmt::format("{} ok", n[Status::ok]);
  for (const Status status : {Status::skipped, Status::failed}) {
    if (n[status] > 0) s += fmt::format(", {} {}", n[status], busbar::name(status));
  }
  return s;
}

Table runs_table(const std::vector<Run>& runs) {
  const auto number_column = ColumnKind::number;
  Table t{.title = "",
          .columns = {{"run"},
                      {"origin"},
                      {"taken by"},
                      {"started (UTC)"},
                      {"ranks", number_column},
                      {"nodes", number_column},
                      {"hosts"},
                      {"MPI"},
                      {"cases"},
                      {"run ended"}},
          .rows = {}};
  const auto names = run_names(runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunRecord& r = runs[i].head;
    t.rows.push_back({names[i], r.origin, tool(r.tool), r.start_utc.value_or(std::string(unknown)),
                      std::to_string(r.ranks), number(r.nodes), host_names(r),
                      r.mpi ? r.mpi->library : std::string(unknown), case_counts(runs[i]),
                      runs[i].end ? runs[i].end->status : "not to its end"});
  }
  return t;
}

/// The notes of the runs and of the reader, each once with the runs it is about.
Table notes_table(const std::vector<Run>& runs) {
  const auto names = run_names(runs);
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::string>> of;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const auto* notes : {&runs[i].head.notes, &runs[i].notes}) {
      for (const std::string& note : *notes) {
        if (of[note].empty()) order.push_back(note);
        of[note].push_back(names[i]);
      }
    }
  }
  Table t{.title = "Notes", .columns = {{"run"}, {"note"}}, .rows = {}};
  for (const auto& note : order)
    t.rows.push_back({of[note].size() == runs.size() && runs.size() > 1 ? "all runs" : list(of[note]), note});
  return t;
}

std::vector<Block> blocks(const std::vector<Run>& runs) {
  std::vector<Block> all{runs_table(runs)};
  bool imported = false;
  for (const Run& run : runs) imported = imported || run.head.origin == "imported";
  if (imported)
    all.emplace_back(Paragraph{
        .text = "Runs marked \"imported\" were taken by another program and read from its output: their times are as "
                "that program defines them, and what it did not write down is unknown here.",
        .tone = Tone::warning});
  if (Table notes = notes_table(runs); !notes.rows.empty()) all.emplace_back(std::move(notes));
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section what_ran{.name = "runs", .title = "What ran where", .blocks = report::blocks};

}  // namespace busbar
