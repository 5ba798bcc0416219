// SPDX-License-Identifier: Apache-2.0
#include "reports/sections/material.hpp"

#include "core/record/run.hpp"
#include "reports/compare/sides.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {

Material::Material(const std::vector<Run>& runs, DocumentOptions options)
    : runs_(runs), options_(std::move(options)), names_(run_names(runs)) {}

const std::vector<explain::ExplainedRun>& Material::explained() const {
  if (!explained_) explained_ = explain::explained(runs_);
  return *explained_;
}

const std::vector<expected::ExpectedSeries>& Material::expected() const {
  if (!expected_) expected_ = expected::expect(runs_, options_.line_rate);
  return *expected_;
}

const std::vector<expected::RunPlacement>& Material::places() const {
  if (!places_) {
    known_ = expected::installed_known_results();
    places_ = expected::place(runs_, options_.line_rate, known_);
  }
  return *places_;
}

const compare::Told* Material::comparison() const {
  if (options_.by.empty()) return nullptr;
  if (!compared_)
    compared_ = std::make_unique<Compared>(runs_, compare::by(options_.by, runs_, options_.pool, options_.across));
  return &compared_->told;
}

}  // namespace busbar::report
