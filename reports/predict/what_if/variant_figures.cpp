// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/what_if/variant_figures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "reports/predict/prediction_figures.hpp"
#include "reports/predict/what_if/comparison.hpp"
#include "reports/text/text.hpp"

namespace busbar::predict {
namespace {

using report::Figure, report::Mark, report::Plot, report::Range;

/// What figures of one kind are called.
struct Kind {
  std::string unit;  ///< of rates: "images/s"; empty for times
  std::string of;    ///< that costs are of: "images", "calls"

  [[nodiscard]] std::string what() const { return unit.empty() ? "time" : unit; }
};

std::string span_text(const Span& s, const Kind& kind) {
  if (kind.unit.empty())
    return fmt::format("{} ({} to {})", format_duration(s.value), format_duration(s.low), format_duration(s.high));
  return fmt::format("{:.2f} {} ({:.0f} to {:.0f})", s.value, kind.unit, s.low, s.high);
}

std::string optional_text(const std::optional<Span>& s) {
  return s ? fmt::format("{} ({})", three_digits(s->value), three_digits(*s)) : "-";
}

Mark compared_mark(const Compared& c, std::size_t line, const Span& value, const std::string& machine,
                   const Kind& kind) {
  Mark m{.line = line, .x = static_cast<double>(c.scale.nodes), .value = value.value};
  if (value.low < value.high) m.interval = Range{value.low, value.high};
  m.facts = {{"what", "predicted"},
             {"machine", machine},
             {"scale", fmt::format("{} on {}", plural(c.scale.ranks, "rank"), plural(c.scale.nodes, "node"))},
             {"figure", span_text(c.figure, kind)},
             {"ratio", optional_text(c.ratio)},
             {"node-hours", fmt::format("{} for 1,000,000 {}", three_digits(c.node_hours.value), kind.of)},
             {"cost", optional_text(c.cost)}};
  return m;
}

/// A line per machine, dashed as all predictions are.
void add_machines(Figure& figure, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    add_line(figure, names[i] + ", predicted", {.colour = i, .shape = 1, .dash = 1});
}

/// Adds a plot if it has marks.
void add_plot(Figure& figure, Plot plot, const std::string& title, bool from_zero) {
  if (plot.marks.empty()) return;
  constexpr double margin = 0.06, least_room = 0.01;
  const Range range = extent(plot);
  const double room = std::max(margin * (range.high - range.low), least_room * range.high);
  plot.x = count_axis("nodes", plot);
  plot.y = report::linear_axis(title, {from_zero ? 0 : range.low - room, range.high + room});
  figure.plots.push_back(std::move(plot));
}

Figure figure_of(const Prediction& p, const std::vector<Compared>& all, const std::string& title, const Kind& kind) {
  Figure figure{.title = "What if: " + title,
                .caption =
                    "Dashed with a band: predicted, with its interval; of the ratio, what the change adds to it. "
                    "The axis of nodes is logarithmic."};
  const std::vector<std::string> names = machine_names(p);
  add_machines(figure, names);
  Plot ratio, cost;
  for (const Compared& c : all) {
    const std::string& machine = names[c.machine];
    if (!p.variants.empty())
      ratio.marks.push_back(compared_mark(c, c.machine, c.ratio.value_or(Span{1, 1, 1}), machine, kind));
    if (c.cost) cost.marks.push_back(compared_mark(c, c.machine, *c.cost, machine, kind));
  }
  add_plot(figure, std::move(ratio), kind.what() + " / as it is", false);
  add_plot(figure, std::move(cost),
           fmt::format("cost of 1,000,000 {}{}", kind.of, p.currency.empty() ? "" : " (" + p.currency + ")"), true);
  return figure;
}

void add_figures(std::vector<Figure>& figures, const Prediction& p, const Series& s) {
  const std::vector<Compared> all = compare_machines(p, s);
  if (all.empty()) return;
  for (const std::uint64_t bytes : std::set<std::uint64_t>{all.front().bytes, all.back().bytes}) {
    std::vector<Compared> some;
    std::ranges::copy_if(all, std::back_inserter(some), [bytes](const Compared& c) { return c.bytes == bytes; });
    figures.push_back(figure_of(p, some, fmt::format("{}: {}", s.name, format_size(bytes)), {.of = "calls"}));
  }
}

}  // namespace

std::vector<std::string> equal_readings_of(const TrainingSeries& t) {
  std::vector<std::string> all;
  if (!t.predicted.empty())
    for (std::size_t i = 0; i < t.equal_readings; ++i) all.push_back(t.predicted.front().readings[i].what);
  return all;
}

std::string samples_of(const TrainingSeries& t) { return t.unit.substr(0, t.unit.find('/')); }

std::vector<Figure> variant_figures(const Prediction& p) {
  std::vector<Figure> figures;
  for (const Series& s : p.series) add_figures(figures, p, s);
  for (const TrainingSeries& t : p.trainings) {
    const Kind kind{.unit = t.unit, .of = samples_of(t)};
    for (const std::string& reading : equal_readings_of(t))
      if (const auto all = compare_machines(p, t, reading); !all.empty())
        figures.push_back(figure_of(p, all, fmt::format("{}: {}", t.name, reading), kind));
  }
  return figures;
}

}  // namespace busbar::predict
