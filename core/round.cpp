// SPDX-License-Identifier: Apache-2.0
#include "core/round.hpp"

#include "core/json.hpp"

namespace busbar {

void to_json(nlohmann::json& j, const Round& r) {
  j = {{"at_s", r.at_s},     {"samples", r.samples}, {"kept", r.kept},          {"median_s", r.median_s},
       {"mean_s", r.mean_s}, {"early_s", r.early_s}, {"contended", r.contended}};
}
void from_json(const nlohmann::json& j, Round& r) {
  read(j, "at_s", r.at_s);
  read(j, "samples", r.samples);
  read(j, "kept", r.kept);
  j.at("median_s").get_to(r.median_s);
  read(j, "mean_s", r.mean_s);
  read(j, "early_s", r.early_s);
  read(j, "contended", r.contended);
}

}  // namespace busbar
