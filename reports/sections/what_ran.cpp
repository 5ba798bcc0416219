// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/rank_place.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/software.hpp"
#include "core/record/status.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {
namespace {

std::string host_names(const RunRecord& r) {
  std::vector<std::string> names;
  for (const Host& host : r.hosts) names.push_back(host.name);
  return names.empty() ? std::string(unknown) : list(names, 3);
}

std::string tool(const Tool& t) { return t.name + (t.version ? " " + *t.version : ", version unknown"); }

/// "8 x NVIDIA H200" over all ranks; empty if no rank reports a GPU.
std::string gpus(const RunRecord& r) {
  std::map<std::string, int> count;
  for (const RankPlace& place : r.placement) {
    if (place.device) ++count[*place.device];
  }
  std::string s;
  for (const auto& [model, n] : count) s += fmt::format("{}{} x {}", s.empty() ? "" : ", ", n, model);
  return s;
}

std::string format_count(std::optional<int> n) { return n ? std::to_string(*n) : std::string(unknown); }

/// "32 ok, 3 skipped, 1 failed", without zero counts.
std::string case_counts(const Run& run) {
  std::map<Status, int> n;
  for (const CaseRecord& c : run.cases) ++n[c.status];
  std::string s = fmt::format("{} ok", n[Status::ok]);
  for (const Status status : {Status::partial, Status::skipped, Status::failed}) {
    if (n[status] > 0) s += fmt::format(", {} {}", n[status], busbar::name(status));
  }
  return s;
}

Table runs_table(const Material& material) {
  const auto& runs = material.runs();
  Table t{.columns = {{"run", ColumnKind::name},
                      {"origin"},
                      {"tool"},
                      {"started (UTC)", ColumnKind::name},
                      {"ranks", number},
                      {"nodes", number},
                      {"hosts"},
                      {"GPUs"},
                      {"MPI"},
                      {"cases", ColumnKind::name},
                      {"run ended", ColumnKind::status}}};
  const auto& names = material.names();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunRecord& r = runs[i].head;
    t.rows.push_back({names[i], text_of(r.origin), tool(r.tool), r.start_utc.value_or(std::string(unknown)),
                      r.ranks > 0 ? std::to_string(r.ranks) : std::string(unknown), format_count(r.nodes),
                      host_names(r), gpus(r), r.mpi ? r.mpi->library : std::string(unknown), case_counts(runs[i]),
                      runs[i].end ? text_of(runs[i].end->status) : "unfinished"});
  }
  return t;
}

/// Removes the columns in which all cells are `text`, and returns their titles.
std::vector<std::string> remove_columns_of(std::string_view text, Table& t) {
  std::vector<std::string> removed;
  for (std::size_t i = t.columns.size(); i-- > 0;) {
    if (!std::ranges::all_of(t.rows, [i, text](const auto& row) { return row[i] == text; })) continue;
    removed.insert(removed.begin(), t.columns[i].title);
    t.columns.erase(t.columns.begin() + static_cast<std::ptrdiff_t>(i));
    for (auto& row : t.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return removed;
}

std::vector<Block> what_ran_blocks(const Material& material) {
  const auto& runs = material.runs();
  Table table = runs_table(material);
  remove_columns_of("", table);
  const auto unknown_columns = remove_columns_of(unknown, table);
  if (table.rows.size() > 16) {
    table.title = fmt::format("{} runs", table.rows.size());
    table.folded = true;
  }
  std::vector<Block> all{std::move(table)};
  if (!unknown_columns.empty())
    all.emplace_back(Paragraph{.text = "Unknown for all runs: " + list(unknown_columns, unknown_columns.size()) + "."});
  if (std::ranges::any_of(runs, [](const Run& run) { return run.head.origin == Origin::imported; }))
    all.emplace_back(
        Paragraph{.text = "Runs marked \"imported\" were measured by another program and read from its output. That "
                          "program defines their times, and data that it did not write are unknown here.",
                  .tone = Tone::warning});
  const auto shared = [](const Run& run) { return run.head.method.shared_gpu.value_or(false); };
  if (std::ranges::any_of(runs, shared))
    all.emplace_back(Paragraph{.text = "In runs marked \"shared GPU\", ranks shared a GPU on purpose: they show that "
                                       "calls work, not how fast they are on a cluster.",
                               .tone = Tone::warning});
  if (std::ranges::any_of(runs, [](const Run& run) { return is_lab(run.head); }))
    all.emplace_back(
        Paragraph{.text = "In runs marked \"lab\", hosts are parts of one machine with artificial link rates: they "
                          "show how a job over several hosts behaves, not how fast a network is.",
                  .tone = Tone::warning});
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section what_ran{
    .name = "runs", .title = "Runs", .blocks = report::what_ran_blocks, .folded = true};

}  // namespace busbar
