// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/document/charts.hpp"

/// Data sets of charts: rows for `--format json`, and columns, which take half the room of rows, for a page.
/// page/charts.js makes rows of them.
namespace busbar::report {

/// Rounded to six digits, the precision of a chart and its tooltip; null if empty.
[[nodiscard]] nlohmann::json rounded(std::optional<double>);

/// The data set "lines": an element for each line.
[[nodiscard]] nlohmann::json line_data(const std::vector<Line>&);

/// {"points": [...], "lines": [...]}, shared by the charts of a group.
[[nodiscard]] nlohmann::json chart_data(const Charts&);

/// Transposes rows to columns by key; missing values are null.
[[nodiscard]] nlohmann::json columns_of(const nlohmann::json& rows);

/// The points of chart_data() as columns, without what the page can tell by itself: texts of sizes, and bandwidths that
/// follow from size and time. Where those of all points do, the column "factor" (busbw over algbw) stands for both. A
/// column with the same value in all rows is that value, not an array; "line" always is an array.
[[nodiscard]] nlohmann::json point_columns(const Charts&);

[[nodiscard]] bool has_verdicts(const Charts&);

/// The verdicts of all points on single sizes as columns in their order, for page/cases.js; null where there is none:
/// "judgement", its place among the words of Judgement; "over_line"; "growing_share"; "grade" and "remarks" (a line
/// each), their places in "grade_texts" and "remark_texts". A column with the same value in all rows is that value, not
/// an array.
[[nodiscard]] nlohmann::json verdict_columns(const Charts&);

/// Text of each size that occurs: {"1024": "1 KiB"}.
[[nodiscard]] nlohmann::json size_texts(const Charts&);

}  // namespace busbar::report
