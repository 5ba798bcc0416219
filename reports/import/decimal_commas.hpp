// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "reports/import/importer.hpp"

namespace busbar {

/// A log with the decimal commas of its tables ("12,34") replaced by points; empty if it has none. Throws UsageError if
/// commas may separate thousands: if numbers with points stand beside them, or all have three digits after the comma.
[[nodiscard]] std::optional<std::string> with_decimal_points(const ImportRequest&);

}  // namespace busbar
