// SPDX-License-Identifier: Apache-2.0
#include "core/job/usage.hpp"

#include <algorithm>

#include "core/base/json.hpp"
#include "core/machine/contention.hpp"
#include "core/ranks/here.hpp"
#include "core/record/case_record.hpp"
#include "core/record/parts.hpp"
#include "core/record/rank_place.hpp"

namespace busbar {

void add_usage(Group& group, const Usage& mine, const Ranks& ranks, CaseRecord& record) {
  if (here::simulation() != nullptr) return;  // a simulation does not measure usage
  for (const auto& text : group.all_gather(nlohmann::json(mine).dump()))
    record.usage.push_back(nlohmann::json::parse(text).get<Usage>());
  record.contention.emplace();
  for (std::size_t host = 0; host < ranks.cpus.size(); ++host) {
    std::vector<Usage> here;
    std::string prefix;
    for (std::size_t r = 0; r < ranks.hosts.size(); ++r) {
      if (ranks.hosts[r] != static_cast<int>(host)) continue;
      here.push_back(record.usage[r]);
      if (ranks.cpus.size() > 1) prefix = ranks.places[r].host + ": ";
    }
    if (here.empty()) continue;  // none of these ranks is on this host
    for (const std::string& reason : contention_in_case(here, ranks.cpus[host]).reasons)
      record.contention->reasons.push_back(prefix + reason);
  }
}

void add_telemetry(Group& group, const GpuTelemetry& mine, CaseRecord& record) {
  const auto texts = group.all_gather(mine.readings > 0 ? nlohmann::json(mine).dump() : "");
  if (std::ranges::all_of(texts, &std::string::empty)) return;
  for (const std::string& text : texts)
    record.telemetry.push_back(text.empty() ? GpuTelemetry{} : nlohmann::json::parse(text).get<GpuTelemetry>());
  record.throttled = throttled(record.telemetry);
  if (record.throttled.value_or(false)) record.remarks.push_back(throttling(record.telemetry));
}

}  // namespace busbar
