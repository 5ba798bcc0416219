// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reports/document.hpp"

/// Short names for tables that list their columns as {title, kind}.
namespace busbar::report {

inline constexpr auto number = ColumnKind::number;

}  // namespace busbar::report
