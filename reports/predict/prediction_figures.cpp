// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/prediction_figures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/statistics/log_ratio.hpp"
#include "reports/predict/axes.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::predict {
namespace {

using report::Figure, report::Mark, report::Plot, report::PlotAxis, report::Quantity, report::Range;

constexpr std::size_t most_lines = 4;
constexpr std::size_t full = 0, dashed = 1;  ///< indices of dash patterns

/// Adds a line and its legend entry. The name says whether it is measured or predicted.
std::size_t add_line(Figure& figure, const std::string& label, std::size_t colour, std::size_t dash) {
  const std::string name = label + (dash == full ? ", measured" : ", predicted");
  const report::LineStyle style{.colour = colour, .shape = dash == full ? 0U : 1U, .dash = dash};
  figure.lines.push_back({.run = name, .series = "", .style = style});
  figure.legend.push_back({.label = name, .style = style});
  return figure.lines.size() - 1;
}

/// At most `most` values, evenly spread, including the first and the last.
template <class T>
std::vector<T> some_of(const std::set<T>& all, std::size_t most) {
  const std::vector<T> values(all.begin(), all.end());
  if (values.size() <= most) return values;
  std::vector<T> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(values[i * (values.size() - 1) / (most - 1)]);
  return some;
}

/// A predicted or measured point of a line.
struct At {
  fit::Scale scale;
  std::uint64_t bytes = 0;
  Span time_s, busbw;
  bool measured = false;
};

void add_points(std::vector<At>& all, const Series& s, const std::vector<Predicted>& some) {
  for (const Predicted& p : some)
    all.push_back({.scale = p.scale, .bytes = p.bytes, .time_s = p.time_s, .busbw = busbw_GBps(s, p)});
}

/// Measured points; several launches become their geometric mean.
std::vector<At> measured_points(const Series& s) {
  std::map<std::pair<std::uint64_t, fit::Scale>, std::vector<double>> times;
  for (const Measured& m : s.measured) times[{m.bytes, m.scale}].push_back(m.time_s);
  std::vector<At> all;
  for (const auto& [key, launches] : times) {
    const double time_s = geometric_mean(launches);
    const double busbw = busbw_GBps(s, Measured{.scale = key.second, .bytes = key.first, .time_s = time_s});
    all.push_back({.scale = key.second,
                   .bytes = key.first,
                   .time_s = {time_s, time_s, time_s},
                   .busbw = {busbw, busbw, busbw},
                   .measured = true});
  }
  return all;
}

Mark mark_of(const At& p, std::size_t line, double x, const Span& value) {
  Mark m{.line = line, .x = x, .value = value.value};
  if (!p.measured) m.interval = Range{value.low, value.high};
  m.facts = {
      {"what", p.measured ? "measured" : "predicted"},
      {"scale", fmt::format("{} on {}", plural(p.scale.ranks, "rank"), plural(p.scale.nodes, "node"))},
      {"size", format_size(p.bytes)},
      {"time", format_duration(p.time_s.value)},
      {"interval",
       p.measured ? "-" : fmt::format("{} to {}", format_duration(p.time_s.low), format_duration(p.time_s.high))},
      {"busbw", report::bandwidth(p.busbw.value) + " GB/s"}};
  return m;
}

/// Draws time and busbw of the points over `x`; `key` chooses the line.
template <class Key, class X>
void draw(Figure& figure, const std::vector<At>& points, const std::vector<std::string>& labels, Key key, X x,
          PlotAxis (*x_axis)(const Plot&)) {
  std::map<std::pair<std::size_t, bool>, std::size_t> lines;
  Plot time, busbw;
  for (const At& p : points) {
    const std::optional<std::size_t> colour = key(p);
    if (!colour) continue;
    const auto [at, is_new] = lines.try_emplace({*colour, p.measured}, 0);
    if (is_new) at->second = add_line(figure, labels[*colour], *colour, p.measured ? full : dashed);
    time.marks.push_back(mark_of(p, at->second, x(p), p.time_s));
    if (p.busbw.low > 0) busbw.marks.push_back(mark_of(p, at->second, x(p), p.busbw));
  }
  for (auto& [plot, quantity] : {std::pair(&busbw, Quantity::busbw), std::pair(&time, Quantity::time)}) {
    if (plot->marks.empty()) continue;
    plot->x = x_axis(*plot);
    plot->y = value_axis(*plot, quantity);
    figure.plots.push_back(std::move(*plot));
  }
}

std::set<std::uint64_t> sizes_of(const Series& s) {
  std::set<std::uint64_t> all;
  for (const Predicted& p : s.predicted) all.insert(p.bytes);
  return all;
}

constexpr auto meaning =
    "Dashed with a band: predicted, with its interval. Solid: measured, geometric mean of launches. Both axes are "
    "logarithmic.";

// Trainings

struct Rates {
  fit::Scale scale;
  Span rate;
  std::string what;
  bool measured = false;
};

Mark mark_of(const TrainingSeries& t, const Rates& r, std::size_t line, bool as_efficiency) {
  const auto value = [&](double rate) { return as_efficiency ? 100 * efficiency(t, r.scale, rate) : rate; };
  Mark m{.line = line, .x = static_cast<double>(r.scale.ranks), .value = value(r.rate.value)};
  if (r.rate.low < r.rate.high) m.interval = Range{value(r.rate.low), value(r.rate.high)};
  m.facts = {{"what", r.measured ? "measured" : "predicted"},
             {"assumed", r.measured ? "-" : r.what},
             {"scale", fmt::format("{} on {}", plural(r.scale.ranks, "rank"), plural(r.scale.nodes, "node"))},
             {"rate", fmt::format("{:.2f} {}", r.rate.value, t.unit)},
             {"efficiency", report::percent(std::optional(efficiency(t, r.scale, r.rate.value)))}};
  return m;
}

}  // namespace

Figure over_nodes(const Series& s) {
  const auto sizes = some_of(sizes_of(s), most_lines);
  std::vector<std::string> labels;
  for (const std::uint64_t bytes : sizes) labels.push_back(format_size(bytes));
  Figure figure{.title = s.name + " over nodes: measured and predicted", .caption = meaning};
  const auto line = [&](const At& p) -> std::optional<std::size_t> {
    const auto at = std::ranges::find(sizes, p.bytes);
    return at == sizes.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - sizes.begin()));
  };
  std::vector<At> points = measured_points(s);
  add_points(points, s, s.fitted);
  add_points(points, s, s.predicted);
  draw(
      figure, points, labels, line, [](const At& p) { return static_cast<double>(p.scale.nodes); },
      [](const Plot& plot) { return count_axis("nodes", plot); });
  return figure;
}

std::optional<Figure> over_sizes(const Series& s) {
  if (sizes_of(s).size() < 3) return std::nullopt;
  std::set<int> all;
  for (const Measured& m : s.measured) all.insert(m.scale.nodes);
  for (const Predicted& p : s.predicted) all.insert(p.scale.nodes);
  const auto nodes = some_of(all, 2 * most_lines);
  std::vector<std::string> labels;
  for (const int n : nodes) labels.push_back(plural(n, "node"));
  Figure figure{.title = s.name + " over size: measured and predicted", .caption = meaning};
  const auto line = [&](const At& p) -> std::optional<std::size_t> {
    const auto at = std::ranges::find(nodes, p.scale.nodes);
    return at == nodes.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - nodes.begin()));
  };
  std::vector<At> points = measured_points(s);
  add_points(points, s, s.predicted);
  draw(
      figure, points, labels, line, [](const At& p) { return static_cast<double>(p.bytes); },
      [](const Plot& plot) { return size_axis(plot); });
  return figure;
}

Figure over_ranks(const TrainingSeries& t) {
  Figure figure{.title = t.name + " over ranks: measured and predicted",
                .caption =
                    "Dashed: predicted, with a band if other groups give one; alternatives have none. Solid: measured. "
                    "The axis of ranks is logarithmic."};
  std::vector<Rates> rates{{.scale = t.baseline,
                            .rate = {t.baseline_samples_per_s, t.baseline_samples_per_s, t.baseline_samples_per_s},
                            .what = "",
                            .measured = true}};
  for (const PredictedTraining& p : t.predicted) {
    if (const auto m = p.measured_samples_per_s)
      rates.push_back({.scale = p.scale, .rate = {*m, *m, *m}, .what = "", .measured = true});
    for (std::size_t i = 0; i < p.readings.size(); ++i) {
      Rates one{.scale = p.scale, .rate = p.readings[i].samples_per_s, .what = p.readings[i].what};
      if (i >= t.equal_readings) one.rate.low = one.rate.high = one.rate.value;  // alternatives have no band
      rates.push_back(std::move(one));
    }
  }
  std::map<std::string, std::size_t> lines;
  Plot rate, share;
  for (const Rates& r : rates) {
    const auto [at, is_new] = lines.try_emplace(r.what, lines.size());
    if (is_new) add_line(figure, r.measured ? t.name : r.what, lines.size() - 1, r.measured ? full : dashed);
    rate.marks.push_back(mark_of(t, r, at->second, false));
    share.marks.push_back(mark_of(t, r, at->second, true));
  }
  const Range rates_seen = extent(rate), shares_seen = extent(share);
  rate.x = share.x = count_axis("ranks", rate);
  rate.y = log_axis(t.unit, rates_seen, report::value_ticks(rates_seen, Quantity::algbw), 1.25);
  share.guides = {{.label = "ideal", .points = {{share.x.domain.low, 100}, {share.x.domain.high, 100}}}};
  share.y = report::linear_axis("efficiency (%)", {std::min(80.0, 10 * std::floor((shares_seen.low - 2) / 10)),
                                                   std::max(104.0, shares_seen.high + 2)});
  figure.plots = {std::move(rate), std::move(share)};
  return figure;
}

}  // namespace busbar::predict
