// SPDX-License-Identifier: Apache-2.0
#include "core/job/telemetry.hpp"

#include <algorithm>

#include "core/base/json.hpp"
#include "core/record/case_record.hpp"
#include "core/record/parts.hpp"

namespace busbar {

void add_telemetry(Group& group, const GpuTelemetry& mine, CaseRecord& record) {
  const auto texts = group.all_gather(mine.readings > 0 ? nlohmann::json(mine).dump() : "");
  if (std::ranges::all_of(texts, &std::string::empty)) return;
  for (const std::string& text : texts)
    record.telemetry.push_back(text.empty() ? GpuTelemetry{} : nlohmann::json::parse(text).get<GpuTelemetry>());
  record.throttled = throttled(record.telemetry);
  if (record.throttled.value_or(false)) record.remarks.push_back(throttling(record.telemetry));
}

}  // namespace busbar
