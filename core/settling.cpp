// SPDX-License-Identifier: Apache-2.0
#include "core/settling.hpp"

#include "core/json.hpp"

namespace busbar {

void to_json(nlohmann::json& j, const Settling& s) {
  j = {{"first_barrier_s", s.first_barrier_s},
       {"best_barrier_s", s.best_barrier_s},
       {"seconds", s.seconds},
       {"times", s.times},
       {"wakes", s.wakes},
       {"looks", s.looks},
       {"far", s.far},
       {"usual_barrier_s", s.usual_barrier_s},
       {"gave_up", s.gave_up}};
}
void from_json(const nlohmann::json& j, Settling& s) {
  j.at("first_barrier_s").get_to(s.first_barrier_s);
  j.at("best_barrier_s").get_to(s.best_barrier_s);
  j.at("seconds").get_to(s.seconds);
  j.at("times").get_to(s.times);
  j.at("wakes").get_to(s.wakes);
  j.at("looks").get_to(s.looks);
  j.at("far").get_to(s.far);
  read(j, "usual_barrier_s", s.usual_barrier_s);
  read(j, "gave_up", s.gave_up);
}

}  // namespace busbar
