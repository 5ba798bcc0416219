// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/settings.hpp"

#include <array>
#include <utility>

#include <fmt/core.h>
#include <simgrid/engine.h>  // version.h does not compile alone
#include <simgrid/version.h>
#include <smpi/smpi.h>
#include <xbt/config.hpp>
#include <xbt/log.h>

#include "core/base/error.hpp"

namespace busbar {
namespace {

/// A message takes latency + bytes / bandwidth of its path, and flows share links fairly. SimGrid's own defaults are
/// factors fitted to TCP on Gigabit Ethernet (P. Velho, A. Legrand: Accuracy Study and Improvement of Network
/// Simulation in the SimGrid Framework, SIMUTools 2009), a TCP window of 4 MiB, and acknowledgements that use 5 % of
/// the reverse path. Collectives follow Open MPI's choices; SMPI's own default is flat trees.
constexpr std::array<std::pair<const char*, const char*>, 7> defaults{{
    {"network/TCP-gamma", "0"},
    {"network/crosstraffic", "no"},
    {"network/weight-S", "0"},
    {"smpi/bw-factor", "0:1"},
    {"smpi/lat-factor", "0:1"},
    {"smpi/coll-selector", "ompi"},
    {"smpi/simulate-computation", "no"},
}};

/// SMPI's own network model, with the factors above.
constexpr std::pair<const char*, const char*> model{"network/model", "SMPI"};

/// The first line of a SimGrid error states the reason.
std::string first_line_of_text(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

void quieten() { xbt_log_control_set("root.thres:critical"); }

void set_before_platform(const SimGridSettings& users) {
  smpi_init_options();
  simgrid::config::set_as_string(model.first, model.second);
  for (const auto& [name, value] : users) {
    try {
      simgrid::config::set_as_string(name.c_str(), value);
    } catch (const std::exception& e) {
      throw UsageError(fmt::format("--cfg {}:{}: {}", name, value, first_line_of_text(e.what())));
    }
  }
}

SimGridSettings set_after_platform(SimGridSettings settings) {
  settings.insert(model);
  for (const auto& [name, value] : defaults) {
    if (!simgrid::config::is_default(name)) continue;
    simgrid::config::set_as_string(name, value);
    settings.emplace(name, value);
  }
  return settings;
}

std::string simgrid_version() {
  int major = 0, minor = 0, patch = 0;
  sg_version_get(&major, &minor, &patch);
  return patch == 0 ? fmt::format("{}.{}", major, minor) : fmt::format("{}.{}.{}", major, minor, patch);
}

}  // namespace busbar
