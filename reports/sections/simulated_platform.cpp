// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "reports/material.hpp"
#include "reports/platform/picture.hpp"
#include "reports/platform/told.hpp"
#include "reports/text.hpp"

namespace busbar::report {
namespace {

/// Runs on the same platform by the same simulator with the same settings.
struct Group {
  const Simulation* simulation;
  std::vector<std::string> runs;
};

bool alike(const Simulation& a, const Simulation& b) {
  return a.platform_sha256 == b.platform_sha256 && a.platform == b.platform && a.settings == b.settings &&
         a.simulator == b.simulator && a.version == b.version;
}

std::vector<Group> groups_of(const std::vector<Run>& runs) {
  const auto names = run_names(runs);
  std::vector<Group> all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto& simulation = runs[i].head.simulation;
    if (!simulation) continue;
    const auto same = std::ranges::find_if(all, [&](const Group& g) { return alike(*g.simulation, *simulation); });
    if (same == all.end())
      all.push_back({.simulation = &*simulation, .runs = {names[i]}});
    else
      same->runs.push_back(names[i]);
  }
  return all;
}

/// What tells which file it was, and who simulated.
KeyValues told_of(const Group& g) {
  const Simulation& s = *g.simulation;
  std::string settings;
  for (const auto& [key, value] : s.settings)
    settings += fmt::format("{}{} {}", settings.empty() ? "" : ", ", key, value);
  return {.title = list(g.runs),
          .rows = {{"simulated by", shortened(fmt::format("{} {}", s.simulator, s.version))},
                   {"settings", settings.empty() ? "none changed" : shortened(settings)},
                   {"platform",
                    fmt::format("{}, SHA-256 {}", shortened(s.platform_file), s.platform_sha256.substr(0, 16))}}};
}

void add(const Group& g, std::vector<Block>& all) {
  KeyValues told = told_of(g);
  const auto spec = platform::from_properties(g.simulation->platform);
  if (!spec) {
    told.rows.emplace_back("network", "not known: the platform does not say of itself what busbar platform writes");
    all.emplace_back(std::move(told));
    return;
  }
  for (auto& row : platform::facts_of(*spec, platform::overview_of(*spec)).rows) told.rows.push_back(std::move(row));
  all.emplace_back(std::move(told));
  all.emplace_back(platform::picture_of(*spec));
}

std::vector<Block> blocks(const Material& material) {
  std::vector<Block> all;
  for (const Group& g : groups_of(material.runs())) add(g, all);
  if (!all.empty())
    all.insert(all.begin(),
               Paragraph{.text = "These runs were simulated: their times are what a model of this network says, and "
                                 "nothing was measured."});
  return all;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::Section simulated_platform{
    .name = "platform", .title = "Simulated platform", .blocks = report::blocks};

}  // namespace busbar
