// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "reports/document/charts.hpp"

/// Data of charts as columns, which take half the room of rows in a page. page/charts.js makes rows of them.
namespace busbar::report {

/// Transposes rows to columns by key; missing values are null.
[[nodiscard]] nlohmann::json columns_of(const nlohmann::json& rows);

/// A column of a page's data: one value instead of all if they are equal.
[[nodiscard]] nlohmann::json shortened_column(nlohmann::json values);

/// The points of chart_data() as columns, without what the page can tell by itself: texts of sizes, and bandwidths that
/// follow from size and time. Where those of all points do, the column "factor" (busbw over algbw) stands for both. A
/// column with the same value in all rows is that value, not an array; "line" always is an array.
[[nodiscard]] nlohmann::json point_columns(const Charts&);

/// Text of each size that occurs: {"1024": "1 KiB"}.
[[nodiscard]] nlohmann::json size_texts(const Charts&);

}  // namespace busbar::report
