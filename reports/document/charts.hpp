// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/record/fwd.hpp"
#include "core/statistics/interval.hpp"
#include "core/statistics/round.hpp"

/// What is drawn over sizes: which runs share a chart, and the Vega-Lite specification of one chart.
namespace busbar::report {

enum class Quantity { busbw, algbw, time };
inline constexpr std::array quantities{Quantity::busbw, Quantity::algbw, Quantity::time};

[[nodiscard]] std::string_view name(Quantity);   ///< key of its value in the points: "busbw"
[[nodiscard]] std::string_view title(Quantity);  ///< "busbw (GB/s)"

/// Indices into the palettes of the page; taken modulo their lengths.
struct LineStyle {
  std::size_t colour = 0, shape = 0, dash = 0;
};
inline constexpr std::size_t colours = 8, shapes = 7, dashes = 5;

struct Line {
  std::string run;
  std::string series;  ///< what tells lines of one run apart; empty where a run has one line
  LineStyle style;
};

/// One entry of the legend: all lines of a run, or all lines of a series.
struct LegendEntry {
  bool is_run = true;
  bool coloured = true;  ///< false: the dash is what it stands for
  bool filled = false;   ///< a bar
  std::string label;
  LineStyle style;
};

struct Point {
  std::size_t line = 0;
  std::uint64_t bytes = 0;  ///< not 0: sizes are on a log axis
  std::optional<double> time_s, p99_s, algbw_GBps, busbw_GBps;
  std::optional<Interval> interval_s;  ///< of time_s
  double bus_factor = 0;
  std::optional<double> ceiling_GBps;  ///< busbw that the hardware lets through; empty: not known
  std::string ceiling;                 ///< what that is: "network between nodes"
  std::vector<Round> rounds;           ///< of the case; shown where a point is clicked. Empty: none, or too many in all
};

struct Range {
  double low = 0, high = 0;  ///< both above 0, or both 0: nothing to draw
};

/// The charts of one collective that stand beside each other: one for each quantity, over the same lines.
struct Charts {
  std::string title;    ///< "allreduce", "allreduce: fp32, sum, 8 ranks on 2 nodes"
  std::string caption;  ///< what all lines have in common
  std::vector<Line> lines;
  std::vector<LegendEntry> legend;
  std::vector<Point> points;
  Range bytes;  ///< the same for all charts of a collective, so that they can be compared by eye
  std::array<Range, quantities.size()> values;  ///< by Quantity; likewise
};

/// What may be asked of charts.
struct ChartOptions {
  using Value = std::function<std::string(const Run&, const CaseRecord&)>;
  Value colour;  ///< lines with the same value have the same colour; empty: runs have colours of their own
  Value facet;   ///< cases with unlike values never share a chart; empty: collectives have charts of their own, no more
  std::function<void(const CaseRecord&, Point&)> finish;  ///< adds what it knows of a case to its point; may be empty
};

/// The charts of all ok cases but trainings that have a size, by collective; those of simulated runs are charts of
/// their own, and say so. Where one collective holds more runs or series than can be told apart, it is split into
/// charts by type, op, ranks and the like.
[[nodiscard]] std::vector<Charts> make_charts(const std::vector<Run>&, const ChartOptions& options = {});

/// True where a point has a ceiling.
[[nodiscard]] bool has_ceilings(const Charts&);

/// True where a chart of the quantity has at least one point. A zero cannot stand on a log axis and is left out.
[[nodiscard]] bool has_points(const Charts&, Quantity);

/// Vega-Lite specification of one chart. Its data are the data sets "points" and "lines" of chart_data(); its colours
/// come from the configuration. Values of the parameters `hidden_runs` and `hidden_series` are left out.
[[nodiscard]] nlohmann::json chart_spec(const Charts&, Quantity);

/// {"points": [...], "lines": [...]}: what the charts of a group share.
[[nodiscard]] nlohmann::json chart_data(const Charts&);

/// Vega-Lite configuration of all charts: fonts, and colours by the names of the page's style sheet.
[[nodiscard]] nlohmann::json chart_config();

/// Positions of the marks of an axis and what is written there.
struct Ticks {
  std::vector<double> values;
  std::vector<std::string> labels;
};

/// Powers of two, about eight of them: "1 KiB", "1 MiB".
[[nodiscard]] Ticks size_ticks(Range bytes);

/// Powers of ten; for less than two decades 1, 2 and 5 times those.
[[nodiscard]] Ticks value_ticks(Range, Quantity);

/// Where the quantity lies by the interval of the point's time; empty where that is not known, or an end is not above
/// 0.
[[nodiscard]] std::optional<Range> band_of(const Point&, Quantity);

/// True where a point of the quantity has a band.
[[nodiscard]] bool has_bands(const Charts&, Quantity);

/// A point's value, empty where it has none or it is not above 0.
[[nodiscard]] std::optional<double> value_of(const Point&, Quantity);

}  // namespace busbar::report
