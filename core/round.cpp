// SPDX-License-Identifier: Apache-2.0
#include "core/round.hpp"

#include <cmath>
#include <vector>

#include "core/json.hpp"
#include "core/statistics.hpp"

namespace busbar {

std::optional<PacedTime> paced_time(std::span<const Round> rounds) {
  constexpr double trimmed = 0.2;
  std::vector<double> time, pace;
  for (const Round& r : rounds) {
    if (!r.pace_s || !(*r.pace_s > 0) || !(r.median_s > 0)) return std::nullopt;
    time.push_back(std::log(r.median_s));
    pace.push_back(std::log(*r.pace_s));
  }
  if (time.empty()) return std::nullopt;
  return PacedTime{.time_s = std::exp(trimmed_mean(std::move(time), trimmed)),
                   .pace_s = std::exp(trimmed_mean(std::move(pace), trimmed))};
}

void to_json(nlohmann::json& j, const PacedTime& p) { j = {{"time_s", p.time_s}, {"pace_s", p.pace_s}}; }
void from_json(const nlohmann::json& j, PacedTime& p) {
  j.at("time_s").get_to(p.time_s);
  j.at("pace_s").get_to(p.pace_s);
}

void to_json(nlohmann::json& j, const Round& r) {
  j = {{"at_s", r.at_s},     {"samples", r.samples}, {"kept", r.kept},     {"median_s", r.median_s},
       {"mean_s", r.mean_s}, {"early_s", r.early_s}, {"pace_s", r.pace_s}, {"contended", r.contended}};
}
void from_json(const nlohmann::json& j, Round& r) {
  read(j, "at_s", r.at_s);
  read(j, "samples", r.samples);
  read(j, "kept", r.kept);
  j.at("median_s").get_to(r.median_s);
  read(j, "mean_s", r.mean_s);
  read(j, "early_s", r.early_s);
  read(j, "pace_s", r.pace_s);
  read(j, "contended", r.contended);
}

}  // namespace busbar
