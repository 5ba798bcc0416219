// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/record/case_record.hpp"
#include "core/record/check.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "core/tables/named_table.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {
namespace {

/// "rank 1, element 17: expected 3, found 0 (call 5, timed)"; empty if none is recorded.
std::string first_difference(const Check& check) {
  if (!check.first) return {};
  const WrongElement& w = *check.first;
  return fmt::format("rank {}, element {}: expected {}, found {} (call {}, {})", w.rank, w.index, w.expected, w.found,
                     w.call, w.phase);
}

/// Cases with the same run, series, status and reason, at several sizes.
struct CasesAlike {
  std::string run;
  const CaseRecord* first;
  std::vector<std::uint64_t> sizes;
};

bool cases_alike(const CaseRecord& a, const CaseRecord& b) {
  return a.status == b.status && a.reason == b.reason && series_name(a.key) == series_name(b.key) && !a.check.first &&
         !b.check.first;
}

std::vector<CasesAlike> not_ok_cases(const Run& run, const std::string& name) {
  std::vector<CasesAlike> all;
  for (const CaseRecord& c : run.cases) {
    if (c.status == Status::ok) continue;
    if (all.empty() || !cases_alike(*all.back().first, c)) all.push_back({.run = name, .first = &c});
    all.back().sizes.push_back(c.key.bytes);
  }
  return all;
}

Table cases_table(const Material& material) {
  const auto& runs = material.runs();
  Table t{.title = "Cases",
          .columns = {{"run", ColumnKind::name},
                      {"status", ColumnKind::status},
                      {"collective"},
                      {"size", ColumnKind::name},
                      {"case"},
                      {"reason"},
                      {"first wrong element"}}};
  const auto& names = material.names();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const CasesAlike& group : not_ok_cases(runs[i], names[i])) {
      const CaseRecord& c = *group.first;
      const bool sizes = !is_named(c.key) || c.key.bytes > 0;
      t.rows.push_back({group.run, std::string(name(c.status)), subject(c.key), sizes ? size_list(group.sizes) : "-",
                        describe(c.key), c.reason.value_or("no reason given"), first_difference(c.check)});
    }
  }
  return t;
}

Table unfinished_runs_table(const Material& material) {
  const auto& runs = material.runs();
  Table t{.title = "Runs that failed or did not finish",
          .columns = {{"run", ColumnKind::name}, {"ended", ColumnKind::status}, {"reason"}}};
  const auto& names = material.names();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto& end = runs[i].end;
    if (!end)
      t.rows.push_back({names[i], "unfinished", "no end record"});
    else if (end->status != EndStatus::ok && end->status != EndStatus::unknown)
      t.rows.push_back({names[i], text_of(end->status), end->reason.value_or("")});
  }
  return t;
}

std::vector<Block> not_ok_blocks(const Material& material) {
  std::vector<Block> all;
  if (Table t = cases_table(material); !t.rows.empty()) all.emplace_back(std::move(t));
  if (Table t = unfinished_runs_table(material); !t.rows.empty()) all.emplace_back(std::move(t));
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section not_ok{.name = "failures", .title = "Failed and skipped", .blocks = report::not_ok_blocks};

}  // namespace busbar
