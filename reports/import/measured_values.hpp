// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

#include "core/record/fwd.hpp"
#include "reports/import/bandwidths.hpp"

/// Times and bandwidths of a case from a tool's printed values.
namespace busbar {

/// Converts "11902.35" MB/s to GB/s.
[[nodiscard]] std::optional<Rounded> printed_MBps(std::string_view cell);

/// For a case measured by time. algbw is bytes / time, or the printed value if that is more precise. busbw uses the bus
/// factor of the collective `bus_like` and is left out if that is empty.
void set_time(CaseRecord&, const Rounded& time_us, std::string_view bus_like,
              const std::optional<Rounded>& printed_GBps, PrintedBandwidths&);

/// For a stream of messages. algbw is the printed value, or message rate * size if a rate is printed and more precise.
/// The time is the stream's time per message. Neither is set for 0 bytes or no bandwidth.
void set_stream(CaseRecord&, const Rounded& GBps, const std::optional<Rounded>& messages_per_s, PrintedBandwidths&);

}  // namespace busbar
