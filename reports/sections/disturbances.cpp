// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/grades/grade.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"

/// The grades of each run's cases, and all notes about the measurement: what disturbed it, in one place.
namespace busbar::report {
namespace {

GradeCounts count_grades(const CaseGrades& cases) {
  GradeCounts grades;
  for (const auto& graded : cases)
    if (graded) grades.add_case(*graded);
  return grades;
}

/// Runs with the same grades and reasons share a row.
Table grades_table(const Material& material) {
  std::vector<std::vector<std::string>> order;
  std::map<std::vector<std::string>, std::vector<std::string>> names;
  for (std::size_t i = 0; i < material.runs().size(); ++i) {
    const GradeCounts grades = count_grades(material.grades()[i]);
    if (grades.cases() == 0) continue;
    std::vector<std::string> row;
    for (const Grade grade : {Grade::a, Grade::b, Grade::c, Grade::d})
      row.push_back(std::to_string(grades.count(grade)));
    for (const Grade grade : {Grade::c, Grade::d}) row.push_back(grades.doubts(grade));
    if (names[row].empty()) order.push_back(row);
    names[row].push_back(material.names()[i]);
  }
  Table t{.title = "Grades of cases",
          .columns = {
              {"run"}, {"A", number}, {"B", number}, {"C", number}, {"D", number}, {"C because of"}, {"D because of"}}};
  for (const auto& row : order) {
    t.rows.push_back({list(names[row], 3)});
    t.rows.back().insert(t.rows.back().end(), row.begin(), row.end());
  }
  fold_if_long(t);
  return t;
}

/// Notes from the records and from reading them, each once, with the runs it applies to.
Table notes_table(const Material& material) {
  const auto& runs = material.runs();
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::string>> of;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const auto* notes : {&runs[i].head.notes, &runs[i].notes}) {
      for (const std::string& note : *notes) {
        if (of[note].empty()) order.push_back(note);
        of[note].push_back(material.names()[i]);
      }
    }
  }
  Table t{.title = "Notes", .columns = {{"runs"}, {"note"}}};
  for (const auto& note : order) t.rows.push_back({owners_text(of[note], runs.size(), "all runs"), note});
  fold_if_long(t);
  return t;
}

std::vector<Block> disturbance_blocks(const Material& material) {
  std::vector<Block> all;
  if (Table grades = grades_table(material); !grades.rows.empty()) {
    all.emplace_back(std::move(grades));
    all.emplace_back(Paragraph{.text =
                                   "A: later launches repeat the figure. B: they differ by up to 20 %. C: doubtful. "
                                   "D: disturbed or wrong; no verdict is based on it."});
  }
  if (Table notes = notes_table(material); !notes.rows.empty()) all.emplace_back(std::move(notes));
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section disturbances{
    .name = "disturbances", .title = "Disturbances and grades", .blocks = report::disturbance_blocks, .folded = true};

}  // namespace busbar
