// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

#include "core/record/fwd.hpp"
#include "reports/import/bandwidths.hpp"

/// Times and bandwidths of a case from what a tool prints of them.
namespace busbar {

/// "11902.35" MB/s as GB/s.
[[nodiscard]] std::optional<Rounded> printed_MBps(std::string_view cell);

/// Of a case that is measured by its time: algbw is bytes over time, or the `printed` one where that has more digits;
/// busbw has the factor of the collective that it is like, and is left out where it is like none.
void set_time(CaseRecord&, const Rounded& time_us, std::string_view bus_like,
              const std::optional<Rounded>& printed_GBps, PrintedBandwidths&);

/// Of a stream of messages: algbw as printed, or by the rate of messages where that is printed too and has more digits;
/// the time is what a message takes up in the stream. Neither is set for no bytes or no bandwidth.
void set_stream(CaseRecord&, const Rounded& GBps, const std::optional<Rounded>& messages_per_s, PrintedBandwidths&);

}  // namespace busbar
