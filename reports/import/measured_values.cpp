// SPDX-License-Identifier: Apache-2.0
#include "reports/import/measured_values.hpp"

#include <cmath>

#include "core/record/case_record.hpp"
#include "reports/runs/collective_facts.hpp"

namespace busbar {

std::optional<Rounded> printed_MBps(std::string_view cell) {
  const auto MBps = rounded(cell);
  if (!MBps || MBps->value < 0) return std::nullopt;
  return Rounded{.value = MBps->value * 1e-3, .half_unit = MBps->half_unit * 1e-3};
}

void set_time(CaseRecord& c, const Rounded& time_us, std::string_view bus_like,
              const std::optional<Rounded>& printed_GBps, PrintedBandwidths& count) {
  c.time_s = time_us.value / 1e6;
  if (c.key.bytes == 0) return;
  settle(c.algbw_GBps, printed_GBps, bandwidth_GBps(static_cast<double>(c.key.bytes), time_us), count);
  if (bus_like.empty() || !c.algbw_GBps) return;
  c.bus_factor = bus_factor_of(bus_like, c.key.ranks);
  c.busbw_GBps = *c.algbw_GBps * *c.bus_factor;
}

void set_stream(CaseRecord& c, const Rounded& GBps, const std::optional<Rounded>& messages_per_s,
                PrintedBandwidths& count) {
  const double bytes = static_cast<double>(c.key.bytes);
  const bool by_rate = messages_per_s && messages_per_s->value > 0;
  const double time_s = by_rate ? 1 / messages_per_s->value : bytes / (GBps.value * 1e9);
  if (std::isfinite(time_s) && time_s > 0) c.time_s = time_s;
  if (c.key.bytes == 0) return;
  if (!by_rate) {
    if (GBps.value > 0) c.algbw_GBps = GBps.value;
    return;
  }
  const Computed one{.value = messages_per_s->value, .low = messages_per_s->low(), .high = messages_per_s->high()};
  settle(c.algbw_GBps, GBps, one.times(bytes * 1e-9), count);
}

}  // namespace busbar
