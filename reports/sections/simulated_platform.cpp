// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/record/run.hpp"
#include "reports/platform/picture.hpp"
#include "reports/platform/told.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {
namespace {

/// Runs on the same platform with the same simulator.
struct Group {
  const Simulation* simulation;
  std::size_t runs = 0;
  std::map<std::string, std::vector<std::string>> by_settings;  ///< values: names of runs
};

bool platforms_alike(const Simulation& a, const Simulation& b) {
  return a.platform_sha256 == b.platform_sha256 && a.platform == b.platform && a.simulator == b.simulator &&
         a.version == b.version;
}

std::string settings_text(const Simulation& s) {
  std::string text;
  for (const auto& [key, value] : s.settings) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key, value);
  return text.empty() ? "none changed" : shortened(text, 300);
}

std::vector<Group> groups_of(const Material& material) {
  std::vector<Group> all;
  for (std::size_t i = 0; i < material.runs().size(); ++i) {
    const auto& simulation = material.runs()[i].head.simulation;
    if (!simulation) continue;
    auto same = std::ranges::find_if(all, [&](const Group& g) { return platforms_alike(*g.simulation, *simulation); });
    if (same == all.end()) same = all.insert(all.end(), {.simulation = &*simulation});
    ++same->runs;
    same->by_settings[settings_text(*simulation)].push_back(material.names()[i]);
  }
  return all;
}

/// Identifies the platform file and the simulator.
KeyValues told_of(const Group& g) {
  const Simulation& s = *g.simulation;
  KeyValues told{
      .title = shortened(s.platform_file),
      .rows = {{"simulated by", shortened(fmt::format("{} {}", s.simulator, s.version))},
               {"runs", g.runs == 1 ? g.by_settings.begin()->second.front() : fmt::format("{} runs", g.runs)}}};
  if (g.by_settings.size() == 1) told.rows.emplace_back("settings", g.by_settings.begin()->first);
  told.rows.emplace_back("SHA-256", s.platform_sha256.substr(0, 16));
  return told;
}

/// The settings of each run; no rows if all are equal.
Table simulation_settings_table(const Group& g) {
  Table t{.title = fmt::format("Settings on {}", shortened(g.simulation->platform_file)),
          .columns = {{"settings"}, {"runs", number}, {"which"}},
          .folded = true};
  if (g.by_settings.size() == 1) return t;
  for (const auto& [settings, runs] : g.by_settings)
    t.rows.push_back({settings, std::to_string(runs.size()), list(runs)});
  return t;
}

void add_platform_row(const Group& g, std::vector<Block>& all) {
  KeyValues told = told_of(g);
  const auto spec = platform::from_properties(g.simulation->platform);
  if (spec)
    for (auto& row : platform::facts_of(*spec, platform::overview_of(*spec)).rows) told.rows.push_back(std::move(row));
  else
    told.rows.emplace_back("network", "unknown: the platform lacks the properties that busbar platform writes");
  all.emplace_back(std::move(told));
  if (spec) all.emplace_back(platform::picture_of(*spec));
  if (Table t = simulation_settings_table(g); !t.rows.empty()) all.emplace_back(std::move(t));
}

std::vector<Block> simulated_platform_blocks(const Material& material) {
  std::vector<Block> all;
  for (const Group& g : groups_of(material)) add_platform_row(g, all);
  if (!all.empty())
    all.insert(
        all.begin(),
        Paragraph{
            .text =
                "These runs were simulated: their times come from a model of this network, and nothing was measured."});
  return all;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::Section simulated_platform{
    .name = "platform", .title = "Simulated platform", .blocks = report::simulated_platform_blocks, .folded = true};

}  // namespace busbar
