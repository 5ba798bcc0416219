// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/prediction_figures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/statistics/log_ratio.hpp"
#include "reports/predict/prediction_blocks.hpp"
#include "reports/predict/readings.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::predict {
namespace {

using report::Figure, report::Mark, report::Plot, report::Quantity, report::Range;

constexpr std::size_t most_lines = 4;
constexpr std::size_t full = 0, dashed = 1, dotted = 2;  ///< indices of dash patterns

/// Adds a line with a name that says whether it is predicted. `given`: as in At.
std::size_t add_line(Figure& figure, const std::string& label, std::size_t colour, std::string_view given) {
  return add_line(figure, fmt::format("{}, {}", label, given.empty() ? "predicted" : given),
                  {.colour = colour, .shape = given.empty() ? 1U : 0U, .dash = given.empty() ? dashed : full});
}

/// A predicted or measured point of a line.
struct At {
  fit::Scale scale;
  std::uint64_t bytes = 0;
  Span time_s, busbw;
  std::string_view given;  ///< "measured", "simulated"; empty: predicted
};

void add_points(std::vector<At>& all, const Series& s, const std::vector<Predicted>& some) {
  for (const Predicted& p : some)
    all.push_back({.scale = p.scale, .bytes = p.bytes, .time_s = p.time_s, .busbw = busbw_GBps(s, p)});
}

/// Measured or simulated points; several launches become their geometric mean.
std::vector<At> given_points(const Series& s) {
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
                   .given = origin_of(s)});
  }
  return all;
}

Mark mark_of(const At& p, std::size_t line, double x, const Span& value) {
  Mark m{.line = line, .x = x, .value = value.value};
  if (p.given.empty()) m.interval = Range{value.low, value.high};
  m.facts = {
      {"what", std::string(p.given.empty() ? "predicted" : p.given)},
      {"scale", fmt::format("{} on {}", plural(p.scale.ranks, "rank"), plural(p.scale.nodes, "node"))},
      {"size", format_size(p.bytes)},
      {"time", format_duration(p.time_s.value)},
      {"interval",
       p.given.empty() ? fmt::format("{} to {}", format_duration(p.time_s.low), format_duration(p.time_s.high)) : "-"},
      {"busbw", report::bandwidth(p.busbw.value) + " GB/s"}};
  return m;
}

/// Range of the marks along x.
Range x_extent(const Plot& plot) {
  const auto [low, high] = std::ranges::minmax(plot.marks, {}, &Mark::x);
  return {low.x, high.x};
}

/// Draws time and busbw over size; each number of nodes has a colour.
void draw_over_sizes(Figure& figure, const std::vector<At>& points, const std::vector<int>& nodes) {
  std::map<std::pair<std::size_t, std::string_view>, std::size_t> lines;
  Plot time, busbw;
  for (const At& p : points) {
    const auto colour = static_cast<std::size_t>(std::ranges::find(nodes, p.scale.nodes) - nodes.begin());
    if (colour == nodes.size()) continue;
    const auto [at, is_new] = lines.try_emplace({colour, p.given}, 0);
    if (is_new) at->second = add_line(figure, plural(p.scale.nodes, "node"), colour, p.given);
    const auto bytes = static_cast<double>(p.bytes);
    time.marks.push_back(mark_of(p, at->second, bytes, p.time_s));
    if (p.busbw.low > 0) busbw.marks.push_back(mark_of(p, at->second, bytes, p.busbw));
  }
  for (auto& [plot, quantity] : {std::pair(&busbw, Quantity::busbw), std::pair(&time, Quantity::time)}) {
    if (plot->marks.empty()) continue;
    plot->x = size_axis(x_extent(*plot));
    plot->y = value_axis(extent(*plot), quantity);
    plot->value_fact = report::name(quantity);
    figure.plots.push_back(std::move(*plot));
  }
}

std::set<std::uint64_t> sizes_of(const Series& s) {
  std::set<std::uint64_t> all;
  for (const Predicted& p : s.predicted) all.insert(p.bytes);
  return all;
}

std::string meaning(std::string_view given) {
  return fmt::format(
      "Dashed: predicted; the band is the interval on the most nodes, others are in the tooltips. Solid: {}, geometric "
      "mean of launches. Both axes are logarithmic.",
      given);
}

/// Leaves one band: several would cover each other.
void only_largest_band(Figure& figure, std::size_t largest) {
  for (Plot& plot : figure.plots) {
    for (Mark& m : plot.marks)
      if (figure.lines[m.line].style.colour != largest) m.interval.reset();
  }
}

// Over nodes, one plot for each size and quantity

/// The size whose call takes twice as long as that of the smallest: there bandwidth begins to count.
std::uint64_t turn_of(const std::map<std::uint64_t, double>& time_by_size) {
  constexpr double twice = 2;
  for (const auto& [bytes, time_s] : time_by_size)
    if (time_s >= twice * time_by_size.begin()->second) return bytes;
  return time_by_size.rbegin()->first;
}

/// Which sizes a figure offers, and which it shows at first.
struct SizeChoice {
  std::set<std::uint64_t> offered, shown;
};

/// Shown: the smallest, where bandwidth begins to count at the smallest scale of the prediction, and the largest.
SizeChoice size_choice(const Series& s) {
  constexpr std::size_t others = 7;
  std::map<std::uint64_t, double> times;
  for (const Predicted& p : s.predicted)
    if (p.scale == s.predicted.front().scale) times[p.bytes] = p.time_s.value;
  const std::set<std::uint64_t> all = sizes_of(s);
  SizeChoice choice{.shown = {*all.begin(), turn_of(times), *all.rbegin()}};
  for (const std::uint64_t bytes : some_of(all, others)) choice.offered.insert(bytes);
  choice.offered.insert(choice.shown.begin(), choice.shown.end());
  return choice;
}

/// Readings of a series by their weight over all its sizes, greatest first.
std::vector<std::string> readings_by_weight(const Series& s) {
  std::map<std::string, double> weights;
  for (const Predicted& p : s.predicted)
    for (const Reading& r : p.readings) weights[short_name(r.what)] += r.weight;
  std::vector<std::string> names;
  for (const auto& [name, weight] : weights) names.push_back(name);
  std::ranges::stable_sort(names, std::ranges::greater{}, [&](const std::string& name) { return weights.at(name); });
  return names;
}

/// Draws measured points, the prediction with its band, and each reading where there are several.
class NodesFigure {
 public:
  NodesFigure(const Series& s, double confidence)
      : series_(s), names_(readings_by_weight(s)), confidence_(confidence) {}

  [[nodiscard]] Figure drawn() {
    figure_ = {.title = series_.name + " over nodes", .caption = caption()};
    if (series_.predicted.empty()) return std::move(figure_);
    given_ = add_line(figure_, std::string(origin_of(series_)), {.colour = 1, .shape = 0, .dash = full});
    predicted_ = add_line(figure_, "predicted", {.colour = 0, .shape = 0, .dash = dashed});
    const SizeChoice sizes = size_choice(series_);
    for (const Quantity q : {Quantity::time, Quantity::busbw})
      for (const std::uint64_t bytes : sizes.offered)
        add_plot(bytes, q, q == Quantity::busbw || !sizes.shown.contains(bytes));
    return std::move(figure_);
  }

 private:
  [[nodiscard]] std::string caption() const {
    return fmt::format(
        "Solid: {}, geometric mean of launches. Dashed with a band: fitted and predicted, {:g} % interval for a "
        "new launch. Dotted: each scenario of a prediction that has several. Both axes are logarithmic.",
        origin_of(series_), 100 * confidence_);
  }

  [[nodiscard]] Span of(const At& p, Quantity q) const { return q == Quantity::time ? p.time_s : p.busbw; }

  /// "540 nodes: 102 ms (52.1 to 313 ms); ring 34 %, a switch to tree 66 %".
  [[nodiscard]] std::string text_of(const Predicted& p, Quantity q) const {
    const Span bus = busbw_GBps(series_, p);
    std::string text = plural(p.scale.nodes, "node") + ": ";
    if (q == Quantity::time)
      text += fmt::format("{} ({})", format_duration(p.time_s.value), between(p.time_s.low, p.time_s.high));
    else
      text += fmt::format("{} GB/s ({} to {})", report::bandwidth(bus.value), report::bandwidth(bus.low),
                          report::bandwidth(bus.high));
    std::string parts;
    for (const Reading& r : p.readings)
      parts += fmt::format("{}{} {:.0f} %", parts.empty() ? "; " : ", ", short_name(r.what), 100 * r.weight);
    return text + parts;
  }

  /// Line of a reading; added when it is drawn first, so that the legend has no other.
  std::size_t line_of(const std::string& reading) {
    const auto [at, is_new] = lines_.try_emplace(reading, 0);
    if (is_new) {
      const auto position = static_cast<std::size_t>(std::ranges::find(names_, reading) - names_.begin());
      at->second = add_line(figure_, reading, {.colour = 2 + position, .shape = 0, .dash = dotted, .thin = true});
    }
    return at->second;
  }

  void add_readings(Plot& plot, const Predicted& p, Quantity q) {
    if (p.readings.size() < 2) return;
    for (const Reading& r : p.readings) {
      Predicted alone = p;
      alone.time_s = r.time_s;
      const At at{.scale = p.scale, .bytes = p.bytes, .time_s = r.time_s, .busbw = busbw_GBps(series_, alone)};
      Mark m = mark_of(at, line_of(short_name(r.what)), p.scale.nodes, of(at, q));
      m.interval.reset();
      m.facts.front().text = fmt::format("{}, {:.0f} %", short_name(r.what), 100 * r.weight);
      plot.marks.push_back(std::move(m));
    }
  }

  void add_plot(std::uint64_t bytes, Quantity q, bool hidden) {
    Plot plot{
        .title = format_size(bytes), .words = {std::string(report::name(q)), format_size(bytes)}, .hidden = hidden};
    const auto add = [&](const At& p, std::size_t line) {
      if (p.bytes == bytes && of(p, q).low > 0) plot.marks.push_back(mark_of(p, line, p.scale.nodes, of(p, q)));
    };
    for (const auto* some : {&series_.fitted, &series_.predicted})
      for (const Predicted& p : *some)
        if (p.bytes == bytes) add_readings(plot, p, q);
    std::vector<At> curve;
    add_points(curve, series_, series_.fitted);
    add_points(curve, series_, series_.predicted);
    for (const At& p : curve) add(p, predicted_);
    for (const At& p : given_points(series_)) add(p, given_);
    for (const Predicted& p : series_.predicted)
      if (p.bytes == bytes) plot.caption = text_of(p, q);
    if (plot.marks.empty()) return;
    plot.x = count_axis("nodes", plot);
    plot.y = value_axis(extent(plot), q);
    plot.value_fact = report::name(q);
    figure_.plots.push_back(std::move(plot));
  }

  const Series& series_;
  std::vector<std::string> names_;
  double confidence_;
  Figure figure_;
  std::size_t given_ = 0, predicted_ = 0;
  std::map<std::string, std::size_t> lines_;  ///< of readings
};

// Trainings

struct Rates {
  fit::Scale scale;
  Span rate;
  std::string what;
  bool predicted = true;  ///< else measured or simulated
};

Mark mark_of(const TrainingSeries& t, const Rates& r, std::size_t line, bool as_efficiency) {
  const auto value = [&](double rate) { return as_efficiency ? 100 * efficiency(t, r.scale, rate) : rate; };
  Mark m{.line = line, .x = static_cast<double>(r.scale.nodes), .value = value(r.rate.value)};
  if (r.rate.low < r.rate.high) m.interval = Range{value(r.rate.low), value(r.rate.high)};
  m.facts = {{"what", std::string(r.predicted ? "predicted" : origin_of(t))},
             {"assumed", r.predicted ? r.what : "-"},
             {"scale", fmt::format("{} on {}", plural(r.scale.ranks, "rank"), plural(r.scale.nodes, "node"))},
             {"rate", fmt::format("{:.2f} {}", r.rate.value, t.unit)},
             {"efficiency", report::percent(std::optional(efficiency(t, r.scale, r.rate.value)))}};
  return m;
}

}  // namespace

report::PlotAxis count_axis(const std::string& title, const Plot& plot) {
  constexpr std::size_t few = 7;
  constexpr double apart = 1.6;
  const Range range = x_extent(plot);
  std::set<double> counts;
  for (const Mark& m : plot.marks) counts.insert(m.x);
  const bool close =
      std::ranges::adjacent_find(counts, [](double a, double b) { return b < apart * a; }) != counts.end();
  report::Ticks ticks;
  for (const double count : counts) ticks.add(count, fmt::format("{:.0f}", count));
  if (close || counts.size() > few) ticks = report::doubling_ticks({range.low / 1.12, range.high * 1.12});
  return report::log_axis(title, range, ticks, 1.12);
}

Figure over_nodes(const Series& s, double confidence) { return NodesFigure(s, confidence).drawn(); }

std::optional<Figure> over_sizes(const Series& s) {
  if (sizes_of(s).size() < 3) return std::nullopt;
  std::set<int> all;
  for (const Measured& m : s.measured) all.insert(m.scale.nodes);
  for (const Predicted& p : s.predicted) all.insert(p.scale.nodes);
  const auto nodes = some_of(all, 2 * most_lines);
  Figure figure{.title = fmt::format("{} over size: {} and predicted", s.name, origin_of(s)),
                .caption = meaning(origin_of(s))};
  std::vector<At> points = given_points(s);
  add_points(points, s, s.predicted);
  draw_over_sizes(figure, points, nodes);
  only_largest_band(figure, nodes.size() - 1);
  return figure;
}

Figure over_nodes(const TrainingSeries& t) {
  Figure figure{.title = t.name + " over nodes",
                .caption = fmt::format(
                    "Dashed: predicted, with a band if other groups give one; alternatives have none. Solid: {}. "
                    "The axis of nodes is logarithmic.",
                    origin_of(t))};
  std::vector<Rates> rates{{.scale = t.baseline,
                            .rate = {t.baseline_samples_per_s, t.baseline_samples_per_s, t.baseline_samples_per_s},
                            .predicted = false}};
  for (const PredictedTraining& p : t.predicted) {
    if (const auto m = p.measured_samples_per_s)
      rates.push_back({.scale = p.scale, .rate = {*m, *m, *m}, .predicted = false});
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
    if (is_new)
      add_line(figure, r.predicted ? r.what : std::string(origin_of(t)),
               {.colour = lines.size() - 1, .shape = r.predicted ? 1U : 0U, .dash = r.predicted ? dashed : full});
    rate.marks.push_back(mark_of(t, r, at->second, false));
    share.marks.push_back(mark_of(t, r, at->second, true));
  }
  const Range rates_seen = extent(rate), shares_seen = extent(share);
  rate.x = share.x = count_axis("nodes", rate);
  rate.y = log_axis(t.unit, rates_seen, report::value_ticks(rates_seen, Quantity::algbw), 1.25);
  share.guides = {{.label = "ideal", .points = {{share.x.domain.low, 100}, {share.x.domain.high, 100}}}};
  share.y = report::linear_axis("efficiency (%)",
                                {std::min(80.0, 10 * std::floor((shares_seen.low - 2) / 10)),
                                 std::clamp(shares_seen.high + 2, 104.0, 112.0)});  // wide bands go on above
  figure.plots = {std::move(rate), std::move(share)};
  return figure;
}

}  // namespace busbar::predict
