// SPDX-License-Identifier: Apache-2.0
#include "core/simulation.hpp"

#include "core/json.hpp"

namespace busbar {

void to_json(nlohmann::json& j, const Simulation& s) {
  j = {{"simulator", s.simulator},
       {"version", s.version},
       {"platform_file", s.platform_file},
       {"platform_sha256", s.platform_sha256},
       {"platform", s.platform},
       {"settings", s.settings},
       {"data", s.data}};
}
void from_json(const nlohmann::json& j, Simulation& s) {
  j.at("simulator").get_to(s.simulator);
  j.at("version").get_to(s.version);
  read(j, "platform_file", s.platform_file);
  read(j, "platform_sha256", s.platform_sha256);
  read(j, "platform", s.platform);
  read(j, "settings", s.settings);
  read(j, "data", s.data);
}

}  // namespace busbar
