// SPDX-License-Identifier: Apache-2.0
#include "reports/sections/material.hpp"

#include "core/grades/grade.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/compare/sides.hpp"
#include "reports/document/pair_matrix.hpp"
#include "reports/history/histories.hpp"
#include "reports/runs/fastest.hpp"
#include "reports/runs/in_parallel.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {
namespace {

CaseGrades grade_cases(const Run& run) {
  const Grader grader(run);
  CaseGrades grades;
  grades.reserve(run.cases.size());
  for (const CaseRecord& c : run.cases) grades.push_back(grader.grade_case(c));
  return grades;
}

/// make(run) of each run.
template <class Make>
auto of_each(const std::vector<Run>& runs, const Make& make) {
  std::vector<decltype(make(runs.front()))> all(runs.size());
  in_parallel(runs.size(), [&](std::size_t i) { all[i] = make(runs[i]); });
  return all;
}

}  // namespace

Material::Material(const std::vector<Run>& runs, DocumentOptions options)
    : runs_(runs), options_(std::move(options)), names_(run_names(runs)) {}

Material::~Material() = default;

const std::vector<CaseGrades>& Material::grades() const {
  return grades_.get([&] { return of_each(runs_, grade_cases); });
}

const std::vector<std::vector<PairMatrix>>& Material::pairs() const {
  return pairs_.get([&] { return of_each(runs_, pair_matrices); });
}

const std::vector<explain::ExplainedRun>& Material::explained() const {
  return explained_.get([&] { return explain::explained(runs_); });
}

const std::vector<expected::ExpectedSeries>& Material::expected() const {
  return expected_.get([&] { return expected::expect(runs_, options_.line_rate); });
}

const std::vector<expected::RunPlacement>& Material::places() const {
  const Placed& placed = placed_.get([&] {
    Placed made{.known = expected::installed_known_results()};
    made.places = expected::place(runs_, options_.line_rate, made.known);
    return made;
  });
  return placed.places;
}

const compare::Told* Material::comparison() const {
  if (options_.by.empty()) return nullptr;
  const auto& compared = compared_.get([&] {
    return std::make_unique<Compared>(
        runs_, compare::by(options_.by, runs_, options_.pool, options_.across, options_.reference));
  });
  return &compared->told;
}

const Study* Material::study() const {
  if (options_.fastest.empty()) return nullptr;
  return study_.get([&] { return std::make_unique<const Study>(study_of(options_.fastest, runs_)); }).get();
}

const std::vector<virtualisation::Study>& Material::virtualisation() const {
  return virtualisation_.get([&] {
    const compare::Told* told = comparison();
    return told == nullptr ? std::vector<virtualisation::Study>{} : virtualisation::studies_of(*told, options_.pool);
  });
}

const std::vector<history::History>& Material::histories() const {
  return histories_.get([&] { return history::histories_of(runs_); });
}

const std::optional<fleet::Fleet>& Material::fleet() const {
  return fleet_.get([&] { return fleet::examine_fleet(runs_); });
}

}  // namespace busbar::report
