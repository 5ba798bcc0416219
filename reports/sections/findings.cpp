// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/record/run.hpp"
#include "reports/explain/show.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"

/// The findings of `busbar explain` for the runs of the report.
namespace busbar::report {
namespace {

using explain::ExplainedRun;

std::string sentences(const std::vector<std::string>& all) { return fmt::format("{}", fmt::join(all, " ")); }

constexpr std::size_t most_runs_apart = 12;  ///< findings of more runs are counted

std::vector<std::string> findings_row(const std::string& runs, const std::string& title, const explain::Finding& f) {
  return {runs,
          title,
          std::string(name(f.certainty)),
          sentences(f.evidence),
          sentences(f.tries),
          explain::text_of(f.where)};
}

Table findings_table(const std::vector<ExplainedRun>& runs) {
  Table t{.columns = {{"run", ColumnKind::name},
                      {"finding"},
                      {"certainty", ColumnKind::name},
                      {"evidence"},
                      {"suggestion"},
                      {"where"}}};
  if (runs.size() > most_runs_apart) {
    for (const explain::FoundOften& often : explain::counted(runs))
      t.rows.push_back(findings_row(list(often.runs, 3), title_of(often), *often.first));
  } else {
    for (const ExplainedRun& r : runs)
      for (const explain::Found& found : r.explanation.found)
        t.rows.push_back(findings_row(r.name, found.finding.title, found.finding));
  }
  drop_last_column_if_empty(t);
  if (t.rows.size() > 12) {
    t.title = fmt::format("{} findings", t.rows.size());
    t.folded = true;
  }
  return t;
}

/// A sentence about the runs without findings; empty if all have some.
std::string quiet(const std::vector<ExplainedRun>& runs) {
  std::vector<std::string> names;
  std::size_t cases = 0;
  for (const ExplainedRun& r : runs) {
    if (!r.explanation.found.empty()) continue;
    names.push_back(r.name);
    cases += r.run->cases.size();
  }
  if (names.empty()) return "";
  return fmt::format("No findings in {} of {}.", plural(cases, "case"), list(names, 3));
}

std::vector<Block> findings_blocks(const Material& material) {
  const auto& explained = material.explained();
  std::vector<Block> all;
  if (Table t = findings_table(explained); !t.rows.empty()) all.emplace_back(std::move(t));
  if (std::string text = quiet(explained); !text.empty()) all.emplace_back(Paragraph{.text = std::move(text)});
  all.emplace_back(
      Paragraph{.text = "Known: shown by the record or its intervals. Likely: several figures agree. Possible: one "
                        "figure suggests it, and it may be chance. All rules: busbar explain --list."});
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section findings{.name = "findings", .title = "Findings", .blocks = report::findings_blocks};

}  // namespace busbar
