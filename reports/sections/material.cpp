// SPDX-License-Identifier: Apache-2.0
#include "reports/sections/material.hpp"

#include "core/record/run.hpp"
#include "reports/compare/sides.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {

Material::Material(const std::vector<Run>& runs, DocumentOptions options)
    : runs_(runs), options_(std::move(options)), names_(run_names(runs)) {}

const std::vector<explain::ExplainedRun>& Material::explained() const {
  return explained_.get([&] { return explain::explained(runs_); });
}

const std::vector<expected::ExpectedSeries>& Material::expected() const {
  return expected_.get([&] { return expected::expect(runs_, options_.line_rate); });
}

const std::vector<expected::RunPlacement>& Material::places() const {
  const Placed& placed = placed_.get([&] {
    Placed made{.known = expected::installed_known_results(), .places = {}};
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

const std::vector<virtualisation::Study>& Material::virtualisation() const {
  return virtualisation_.get([&] {
    const compare::Told* told = comparison();
    return told == nullptr ? std::vector<virtualisation::Study>{} : virtualisation::studies_of(*told, options_.pool);
  });
}

const std::optional<fleet::Fleet>& Material::fleet() const {
  return fleet_.get([&] { return fleet::examine_fleet(runs_); });
}

}  // namespace busbar::report
