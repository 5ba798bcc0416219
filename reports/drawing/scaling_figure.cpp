// SPDX-License-Identifier: Apache-2.0
#include "reports/drawing/scaling_figure.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::report {
namespace {

Range scaled(const Range& range, double factor) { return {factor * range.low, factor * range.high}; }

std::optional<Range> range_of(const std::optional<Interval>& i) {
  return i ? std::optional(Range{i->low, i->high}) : std::nullopt;
}

/// `with_series`: at least one experiment of the figure has a series.
std::vector<Fact> facts(const Experiment& e, bool with_series, const CaseRecord& c, const std::optional<Scaling>& s) {
  const Training& t = *c.training;
  const auto nodes = c.key.nodes ? " on " + plural(*c.key.nodes, "node") : "";
  std::vector<Fact> all{{"run", e.run_label},
                        {"computing", computed_by(*c.key.training)},
                        {"group", plural(c.key.ranks, "rank") + nodes},
                        {"rate", rate(t.samples_per_s) + " " + rate_unit(t)},
                        {"+-%", half_width(t.samples_per_s_interval)},
                        {"speedup", s ? fmt::format("{:.2f}", s->speed_up) : "-"},
                        {"efficiency", s ? percent(std::optional(s->efficiency)) : "-"},
                        {"its interval", percent(s ? s->efficiency_interval : std::nullopt)},
                        {"step", duration(c.time_s)}};
  if (with_series) all.insert(all.begin() + 1, {"series", e.series});
  return all;
}

enum class Drawn { rate, speed_up, efficiency };

/// The point of a case; empty where the case lacks the quantity.
std::optional<Mark> mark(const CaseRecord& c, const std::optional<Scaling>& s, Drawn what) {
  if (c.key.ranks < 1) return std::nullopt;  // cannot be placed on a logarithmic axis
  Mark m{.x = static_cast<double>(c.key.ranks)};
  if (what == Drawn::rate) {
    m.value = c.training->samples_per_s;
    m.interval = range_of(c.training->samples_per_s_interval);
    return m.value > 0 ? std::optional(m) : std::nullopt;
  }
  if (!s || s->baseline_ranks < 1) return std::nullopt;
  const double ideal = static_cast<double>(c.key.ranks) / s->baseline_ranks;
  const bool speed_up = what == Drawn::speed_up;
  m.value = speed_up ? s->speed_up : 100 * s->efficiency;
  if (const auto interval = range_of(s->efficiency_interval)) m.interval = scaled(*interval, speed_up ? ideal : 100);
  return m.value > 0 ? std::optional(m) : std::nullopt;
}

Plot plot_of(const std::vector<Experiment>& experiments, Drawn what) {
  Plot plot;
  const bool with_series = std::ranges::any_of(experiments, [](const Experiment& e) { return !e.series.empty(); });
  for (std::size_t line = 0; line < experiments.size(); ++line) {
    const Experiment& e = experiments[line];
    for (const CaseRecord* c : e.cases) {
      const auto s = scaling_of(e, *c);
      auto m = mark(*c, s, what);
      if (!m) continue;
      m->line = line;
      m->facts = facts(e, with_series, *c, s);
      plot.marks.push_back(std::move(*m));
    }
  }
  return plot;
}

PlotAxis over_ranks(const Plot& plot) {
  std::set<double> ranks;
  for (const Mark& m : plot.marks) ranks.insert(m.x);
  PlotAxis axis = log_axis("ranks", {*ranks.begin(), *ranks.rbegin()}, {}, 1.12);
  if (ranks.size() > 8)
    axis.ticks = doubling_ticks(axis.domain);
  else
    for (const double n : ranks) axis.ticks.add(n, plain_number(n));
  return axis;
}

Plot rate_plot(const std::vector<Experiment>& experiments) {
  Plot plot = plot_of(experiments, Drawn::rate);
  if (plot.marks.empty()) return plot;
  plot.value_fact = "rate";
  const Range range = extent(plot);
  plot.x = over_ranks(plot);
  plot.y = log_axis(rate_unit(*experiments.front().cases.front()->training), range, value_ticks(range, Quantity::algbw),
                    1.25);
  if (range.high < 4 * range.low) plot.y.ticks = linear_ticks(plot.y.domain);
  return plot;
}

/// One ideal line for each number of ranks used as a baseline.
Plot speed_up_plot(const std::vector<Experiment>& experiments) {
  Plot plot = plot_of(experiments, Drawn::speed_up);
  if (plot.marks.empty()) return plot;
  plot.value_fact = "speedup";
  std::set<int> baselines;
  for (const Experiment& e : experiments) {
    for (const CaseRecord* c : e.cases) {
      if (c->training->scaling && c->training->scaling->baseline_ranks > 0)
        baselines.insert(c->training->scaling->baseline_ranks);
    }
  }
  plot.x = over_ranks(plot);
  Range range = extent(plot);
  const double least = std::ranges::min_element(plot.marks, {}, &Mark::x)->x;
  const double most = std::ranges::max_element(plot.marks, {}, &Mark::x)->x;
  for (const int b : baselines) {
    plot.guides.push_back({.label = "ideal", .points = {{least, least / b}, {most, most / b}}});
    range.low = std::min(range.low, least / b);
    range.high = std::max(range.high, most / b);
  }
  plot.y = {.title = "speedup", .domain = {range.low / 1.12, range.high * 1.25}, .logarithmic = true};
  plot.y.ticks = doubling_ticks(plot.y.domain);
  return plot;
}

/// The axis starts at 80 % or below the lowest value: small differences stay visible, and low efficiency looks low.
Plot efficiency_plot(const std::vector<Experiment>& experiments) {
  Plot plot = plot_of(experiments, Drawn::efficiency);
  if (plot.marks.empty()) return plot;
  plot.value_fact = "efficiency";
  const Range range = extent(plot);
  plot.x = over_ranks(plot);
  plot.guides = {{.label = "ideal", .points = {{plot.x.domain.low, 100}, {plot.x.domain.high, 100}}}};
  plot.y = linear_axis("efficiency (%)",
                       {std::clamp(10 * std::floor((range.low - 2) / 10), 0.0, 80.0), std::max(108.0, range.high + 4)});
  return plot;
}

Table behind(const std::vector<Experiment>& experiments) {
  const std::string unit = rate_unit(*experiments.front().cases.front()->training);
  Table t{.title = fmt::format("{}, speedup and efficiency over ranks", unit),
          .columns = make_columns({{ColumnKind::name, {"run", "series"}},
                                   {number, {"ranks", unit, "speedup", "efficiency", "its interval"}}})};
  for (const Experiment& e : experiments) {
    for (const CaseRecord* c : e.cases) {
      const auto s = scaling_of(e, *c);
      t.rows.push_back({e.run_label, e.series, std::to_string(c->key.ranks), rate(c->training->samples_per_s),
                        s ? fmt::format("{:.2f}", s->speed_up) : "-", s ? percent(std::optional(s->efficiency)) : "-",
                        percent(s ? s->efficiency_interval : std::nullopt)});
    }
  }
  return t;
}

/// The model's experiments that cover more than one number of ranks; runs with neighbours are left out.
std::vector<Experiment> over_several(const Model& model) {
  std::vector<Experiment> some;
  for (const Experiment& e : model.experiments) {
    if (without_neighbours(e) && e.cases.front()->key.ranks != e.cases.back()->key.ranks) some.push_back(e);
  }
  return some;
}

}  // namespace

std::optional<Figure> scaling_figure(const Model& model) {
  const std::vector<Experiment> experiments = over_several(model);
  if (experiments.empty()) return std::nullopt;
  Lines lines = lines_of(experiments);
  Figure figure{.title = model.name + " over ranks",
                .caption =
                    "Dashed: ideal, as many times the baseline's rate as it has ranks. Bands and strokes: "
                    "intervals. Ranks, rates and speedups are on logarithmic axes.",
                .lines = std::move(lines.lines),
                .legend = std::move(lines.legend),
                .tables = {behind(experiments)}};
  for (Plot plot : {rate_plot(experiments), speed_up_plot(experiments), efficiency_plot(experiments)}) {
    if (!plot.marks.empty()) figure.plots.push_back(std::move(plot));
  }
  if (figure.plots.empty()) return figure;
  const auto text = [](double ranks) { return plural(static_cast<std::size_t>(ranks), "rank"); };
  show_few(figure, text);
  return figure;
}

}  // namespace busbar::report
