// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/fwd.hpp"
#include "core/statistics/interval.hpp"
#include "core/statistics/round.hpp"
#include "reports/document/lines.hpp"
#include "reports/document/overview.hpp"

/// Charts over message size: which runs share a chart.
namespace busbar::report {

enum class Quantity { busbw, algbw, time };
inline constexpr std::array quantities{Quantity::busbw, Quantity::algbw, Quantity::time};

/// Keys of the quantities in the points.
[[nodiscard]] constexpr auto words_of(Quantity) { return std::to_array<std::string_view>({"busbw", "algbw", "time"}); }
[[nodiscard]] std::string_view title(Quantity);  ///< "busbw (GB/s)"

/// How a value at one size is to be read, for readers who ask for that size.
struct SizeVerdict {
  Judgement judgement = Judgement::open;
  std::optional<double>
      over_line;  ///< time divided by that between its neighbouring sizes; on a smooth curve at most 1
  std::optional<double> growing_share;  ///< of the time, 0 to 1: what grows with the size; the rest is latency
  std::vector<std::string> remarks;     ///< that name this size, one sentence each
  std::string grade;                    ///< "B: one launch"; empty: unknown
};

struct ChartPoint {
  std::size_t line = 0;
  std::uint64_t bytes = 0;  ///< above 0: sizes are on a log axis
  std::optional<double> time_s, p99_s, algbw_GBps, busbw_GBps;
  std::optional<Interval> interval_s;  ///< of time_s
  double bus_factor = 0;
  std::optional<double> ceiling_GBps;  ///< highest busbw the hardware allows; empty: unknown
  std::string ceiling;                 ///< the limiting resource: "network between nodes"
  std::optional<SizeVerdict> verdict;
  std::vector<Round> rounds;           ///< shown on a click on the point; empty: none, or too many in total
  const CaseRecord* record = nullptr;  ///< of the runs given to make_charts(), which must outlive its use
};

struct Range {
  double low = 0, high = 0;  ///< both above 0, or both 0: nothing to draw
};

struct Plot;  // plot.hpp

/// Charts of one collective, drawn side by side: one for each quantity, over the same lines.
struct Charts {
  std::string title;    ///< "allreduce", "allreduce: fp32, sum, 8 ranks on 2 nodes"
  std::string caption;  ///< key parts common to all lines
  std::vector<Line> lines;
  std::vector<LegendEntry> legend;
  std::string choice;  ///< which lines are shown at first: show_few(); empty: all
  std::vector<ChartPoint> points;
  std::shared_ptr<const Plot> ratio;            ///< of two runs, below the curves; null: not two runs
  Range bytes;                                  ///< same for all charts of a document: share_sizes()
  std::array<Range, quantities.size()> values;  ///< by Quantity; also the same for all charts of a collective
};

/// Options of make_charts().
struct ChartOptions {
  using Value = std::function<std::string(const Run&, const CaseRecord&)>;
  Value colour;  ///< lines with equal values share a colour; empty: a colour for each run
  Value facet;   ///< cases with different values never share a chart; empty: split by collective only
  std::function<void(const CaseRecord&, ChartPoint&)>
      finish;  ///< adds data (a ceiling) to a case's point; may be empty
};

/// Charts of all successful cases that have a size, by collective; trainings are excluded. Simulated runs get separate,
/// labelled charts. A collective with more runs or series than colours and dashes is split by type, op, ranks and other
/// parts of the key.
[[nodiscard]] std::vector<Charts> make_charts(const std::vector<Run>&, const ChartOptions& options = {});

/// True if any point has a ceiling.
[[nodiscard]] bool has_ceilings(const Charts&);

/// "25.00 GB/s: network between nodes".
[[nodiscard]] std::string ceiling_text(const ChartPoint&);

/// True if the chart of this quantity has a point. Zeros are left out: the axes are logarithmic.
[[nodiscard]] bool has_points(const Charts&, Quantity);

/// The quantity's range over the confidence interval of the time; empty if unknown or if an end is not above 0.
[[nodiscard]] std::optional<Range> band_of(const ChartPoint&, Quantity);

/// True if any point has a band for this quantity.
[[nodiscard]] bool has_bands(const Charts&, Quantity);

/// The point's value; empty if it has none or is not above 0.
[[nodiscard]] std::optional<double> value_of(const ChartPoint&, Quantity);

}  // namespace busbar::report
