// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace busbar {

/// A log with the decimal commas of its tables ("12,34") replaced by points; empty if it has none. Throws UsageError if
/// commas may separate thousands: if there are numbers with points too, or all have three digits after the comma.
/// `source` is named in messages.
[[nodiscard]] std::optional<std::string> with_decimal_points(std::string_view log, const std::string& source);

}  // namespace busbar
