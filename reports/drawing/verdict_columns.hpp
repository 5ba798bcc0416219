// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "reports/document/charts.hpp"

/// Verdicts on single sizes, for page/cases.js.
namespace busbar::report {

[[nodiscard]] bool has_verdicts(const Charts&);

/// The verdicts of all points as columns in their order, null where there is none: "judgement", its place among the
/// words of Judgement; "over_line"; "growing_share"; "grade" and "remarks" (a line each), their places in "grade_texts"
/// and "remark_texts". A column with the same value in all rows is that value, not an array.
[[nodiscard]] nlohmann::json verdict_columns(const Charts&);

}  // namespace busbar::report
