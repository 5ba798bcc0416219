// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/next_runs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/statistics/log_ratio.hpp"
#include "core/statistics/summary.hpp"
#include "reports/predict/candidates.hpp"
#include "reports/predict/extrapolation.hpp"
#include "reports/predict/readings.hpp"
#include "reports/runs/in_parallel.hpp"

namespace busbar::predict {
namespace {

using fit::Observation, fit::Scale, fit::Sweep, fit::SweepFit;

using Sizes = std::map<std::uint64_t, Predicted>;

/// What is predicted at one scale, by size.
Sizes predicted_sizes(const SweepFit& f, const Scale& scale, const std::vector<std::uint64_t>& sizes,
                      FromFitOptions asked) {
  asked.nodes = {scale.nodes};
  asked.sizes = sizes;
  const Prediction p = predict_from({.sweeps = {f}}, asked);
  Sizes all;
  if (p.series.empty()) return all;
  for (const Predicted& one : p.series.front().predicted) all.emplace(one.bytes, one);
  return all;
}

double log_width(const Predicted& p) { return std::log(p.time_s.high / p.time_s.low); }

double weight_of(const Predicted& p, const std::string& reading) {
  double sum = 0;
  for (const Reading& r : p.readings)
    if (r.what == reading) sum += r.weight;
  return sum;
}

double surest(const Predicted& p) { return std::ranges::max_element(p.readings, {}, &Reading::weight)->weight; }

/// Readings by their weight over all sizes, greatest first.
std::vector<std::string> readings_of(const Sizes& sizes) {
  std::map<std::string, double> weights;
  for (const auto& [bytes, p] : sizes)
    for (const Reading& r : p.readings) weights[r.what] += r.weight;
  std::vector<std::string> names;
  for (const auto& [name, weight] : weights) names.push_back(name);
  std::ranges::stable_sort(names, std::ranges::greater{}, [&](const std::string& name) { return weights.at(name); });
  return names;
}

/// A sweep, what is predicted from it now, and the fits beside it.
struct Trial {
  const SweepFit* fitted = nullptr;
  const std::vector<SweepFit>* others = nullptr;
  double assumed_spread = 0.1;
  FromFitOptions asked;
  Scale target;
  std::vector<std::uint64_t> sizes;  ///< predicted ones
  Sizes now;                         ///< at the target, fitted as candidates are
};

/// The time if a measurement comes out by one reading, its `outcome`; where a size has it not, or by an empty outcome,
/// the prediction's figure.
double time_of(const Predicted& p, const std::string& outcome) {
  for (const Reading& r : p.readings)
    if (r.what == outcome) return std::clamp(r.time_s.value, p.time_s.low, p.time_s.high);
  return p.time_s.value;
}

/// By how much a measured size is off its fitted time at the largest measured scale, as a factor, so that new times
/// scatter over sizes as measured ones do. On a measured scale half of it (of the logarithm) counts as the size's own
/// and comes again. Sizes that were not measured are off by their region's mean residual, up and down in turn.
class Scatter {
 public:
  explicit Scatter(const Trial& s) : trial_(&s) {
    const SweepFit& f = *s.fitted;
    std::map<std::uint64_t, std::vector<double>> times;
    for (const Observation& o : f.sweep.points)
      if (o.scale == f.sweep.scales().back()) times[o.bytes].push_back(o.time_s);
    const Sizes fitted = predicted_sizes(f, f.sweep.scales().back(), {}, s.asked);
    for (const auto& [bytes, launches] : times)
      if (const auto at = fitted.find(bytes); at != fitted.end())
        factors_[bytes] = geometric_mean(launches) / at->second.time_s.value;
  }

  [[nodiscard]] double factor(const Scale& scale, std::uint64_t bytes, std::size_t position) const {
    const auto scales = trial_->fitted->sweep.scales();
    const bool is_new = std::ranges::find(scales, scale) == scales.end();
    if (const auto at = factors_.find(bytes); at != factors_.end()) return is_new ? at->second : std::sqrt(at->second);
    const double rms = region_of(trial_->fitted->regions, bytes).rms;
    return std::exp(position % 2 == 0 ? rms : -rms);
  }

 private:
  const Trial* trial_;
  std::map<std::uint64_t, double> factors_;
};

/// What the library would report: as at this size on the largest measured scale, or the reading's algorithm.
const Observation& like(const Sweep& sweep, std::uint64_t bytes) {
  const auto distance = [&](const Observation& o) {
    return std::pair(std::abs(std::log(o.bytes) - std::log(bytes)), -o.scale.nodes);
  };
  return *std::ranges::min_element(sweep.points, {}, distance);
}

/// The sweep with the candidate's times in it.
Sweep with_times(const Trial& s, const Candidate& c, const std::string& outcome, const std::vector<Sizes>& predicted,
                 const Scatter& scatter) {
  Sweep sweep = s.fitted->sweep;
  for (std::size_t i = 0; i < c.launches.size(); ++i) {
    sweep.launches.push_back(fmt::format("to come {}", i + 1));
    std::size_t position = 0;
    for (const auto& [bytes, p] : predicted[i]) {
      const Observation& same = like(s.fitted->sweep, bytes);
      const std::string algorithm = outcome.substr(0, outcome.find(','));
      const fit::Algorithm* told = fit::algorithm_named(sweep.collective, algorithm);
      sweep.points.push_back({.launch = sweep.launches.size() - 1,
                              .scale = c.launches[i].scale,
                              .bytes = bytes,
                              .time_s = time_of(p, outcome) * scatter.factor(c.launches[i].scale, bytes, position++),
                              .told = same.told != nullptr && told != nullptr ? told : same.told,
                              .choice = same.choice});
    }
  }
  std::ranges::stable_sort(sweep.points, {}, [](const Observation& o) { return std::pair(o.bytes, o.scale); });
  return sweep;
}

/// An allgather of the same launches as a ring would have it: a step and a byte as this outcome's curve has them, since
/// each step of any algorithm is one message. Times are off by their region's mean residual, up and down in turn.
Sweep as_allgather(const Sweep& of, const std::vector<fit::Region>& regions, const std::string& outcome) {
  Sweep sweep = of;
  sweep.collective = "allgather";
  bool up = false;
  for (Observation& o : sweep.points) {
    const fit::Region& region = region_of(regions, o.bytes);
    const auto by = std::ranges::find(region.curves, outcome, &fit::Curve::algorithm);
    const fit::Curve& curve = by == region.curves.end() ? region.best() : *by;
    const auto x = fit::terms_of(sweep.collective, "ring", o.scale, static_cast<double>(o.bytes));
    up = !up;
    o.time_s = std::max(fit::dot(*x, curve.coefficients), 1e-9) * std::exp(up ? region.rms : -region.rms);
    o.told = nullptr;
    o.choice.clear();
  }
  return sweep;
}

/// The fit after a candidate came out like this.
SweepFit fitted_again(const Trial& s, const Candidate& c, const std::string& outcome,
                      const std::vector<Sizes>& predicted, const Scatter& scatter) {
  if (!c.allgather) return fit_beside(with_times(s, c, outcome, predicted, scatter), *s.others, s.assumed_spread);
  std::vector<SweepFit> others = *s.others;
  others.push_back(fit_beside(as_allgather(s.fitted->sweep, s.fitted->regions, outcome), {}, s.assumed_spread));
  return fit_beside(s.fitted->sweep, others, s.assumed_spread);
}

/// Mean over outcomes of a figure of one size, by the weights that its readings have where the candidate measures.
class Expected {
 public:
  void add(double weight, double value) { sum_ += weight * value, weights_ += weight; }
  [[nodiscard]] double mean() const { return sum_ / weights_; }

 private:
  double sum_ = 0, weights_ = 0;
};

struct Figures {
  Expected log_width, surest;
};

/// Outcomes worth a fit each: readings that differ where the candidate measures.
std::vector<std::string> outcomes_of(const Candidate& c, const Sizes& there) {
  constexpr std::size_t most = 3;
  if (!c.separates || there.empty()) return {""};
  std::vector<std::string> all = readings_of(there);
  if (all.size() > most) all.resize(most);
  return all;
}

/// Names the two readings of most weight, if the candidate makes one of them surer.
std::string tells(const Trial& s, const std::map<std::uint64_t, Figures>& then) {
  constexpr double unsure = 0.9, noticeable = 0.1;
  Sizes open;
  double before = 0, after = 0;
  for (const auto& [bytes, p] : s.now) {
    const auto at = then.find(bytes);
    if (surest(p) >= unsure || at == then.end()) continue;
    open.emplace(bytes, p);
    before += surest(p);
    after += at->second.surest.mean();
  }
  const auto names = readings_of(open);
  if (names.size() < 2 || after - before < noticeable * static_cast<double>(open.size())) return "";
  const auto percent = [&](double sum) { return 100 * sum / static_cast<double>(open.size()); };
  return fmt::format("{} or {}: {:.0f} % to {:.0f} % sure", short_name(names[0]), short_name(names[1]), percent(before),
                     percent(after));
}

double median_width(const std::vector<double>& log_widths) { return std::exp(median(log_widths)); }

/// Upper over lower limit, median over sizes.
double width_of(const Sizes& sizes) {
  std::vector<double> all;
  for (const auto& [bytes, p] : sizes) all.push_back(log_width(p));
  return median_width(all);
}

/// Tries one candidate. Empty if no prediction follows from it.
std::optional<NextRun> tried(const Trial& s, const Candidate& c, double factor) {
  std::vector<Sizes> predicted;
  for (const NewLaunch& launch : c.launches)
    predicted.push_back(predicted_sizes(*s.fitted, launch.scale, launch.sizes, s.asked));
  const Sizes& there = c.allgather ? s.now : predicted.back();
  const Scatter scatter(s);
  std::map<std::uint64_t, Figures> then;
  for (const std::string& outcome : outcomes_of(c, there)) {
    const SweepFit again = fitted_again(s, c, outcome, predicted, scatter);
    for (const auto& [bytes, p] : predicted_sizes(again, s.target, s.sizes, s.asked)) {
      const auto at = there.find(bytes);
      const double weight = at == there.end() || outcome.empty() ? 1 : weight_of(at->second, outcome);
      if (!(weight > 0)) continue;
      then[bytes].log_width.add(weight, log_width(p));
      then[bytes].surest.add(weight, surest(p));
    }
  }
  if (then.empty()) return std::nullopt;
  std::vector<double> widths;
  for (const auto& [bytes, figures] : then) widths.push_back(figures.log_width.mean());
  return NextRun{.what = c.what,
                 .node_launches = c.node_launches(),
                 .width = std::max(1.0, std::pow(median_width(widths), factor)),
                 .tells = tells(s, then)};
}

/// True if sweeps differ in nothing but in or out of place.
bool same_but_place(const Sweep& a, const Sweep& b) {
  return a.collective == b.collective && a.backend == b.backend && a.kind == b.kind && a.label == b.label &&
         a.level == b.level && a.scales() == b.scales();
}

std::vector<SweepFit> all_but(const std::vector<SweepFit>& all, const SweepFit& one) {
  std::vector<SweepFit> others;
  for (const SweepFit& f : all)
    if (&f != &one) others.push_back(f);
  return others;
}

/// At most this many sizes are fitted again, spread over those measured: the time of a fit grows with their cube.
constexpr std::size_t most_sizes = 32;

/// The candidates of this many sweeps are tried; each takes a fraction of a second.
constexpr std::size_t most_sweeps = 8;

SweepFit thinned(SweepFit f, const std::vector<SweepFit>& others, double assumed_spread) {
  const auto kept = some_of(f.sweep.sizes(), most_sizes);
  std::erase_if(f.sweep.points, [&](const Observation& o) { return !std::ranges::binary_search(kept, o.bytes); });
  return fit_beside(std::move(f.sweep), others, assumed_spread);
}

/// What is shown of a scale.
Sizes shown_at(const Series& series, const Scale& scale) {
  Sizes all;
  for (const Predicted& p : series.predicted)
    if (p.scale == scale) all.emplace(p.bytes, p);
  return all;
}

NextRuns next_of(const fit::Fit& whole, const SweepFit& fitted, const Series& series, const FromFitOptions& o) {
  const Scale target = series.predicted.back().scale;
  const Sizes shown = shown_at(series, target);
  NextRuns next{.series = series.name, .at = target, .width = width_of(shown)};
  const auto others = all_but(whole.sweeps, fitted);
  SweepFit base = thinned(fitted, others, whole.assumed_spread);
  if (!why_not(base, std::nullopt).empty()) base = fitted;
  Trial s{.fitted = &base, .others = &others, .assumed_spread = whole.assumed_spread, .asked = o, .target = target};
  for (const auto& [bytes, p] : shown) s.sizes.push_back(bytes);
  s.now = predicted_sizes(base, target, s.sizes, o);
  if (s.now.empty()) return next;
  // what is shown is of all sizes, and of the evidence of collectives that a fit file may lack
  const double now = width_of(s.now), factor = now > 1 ? std::log(next.width) / std::log(now) : 1;
  const std::vector<Candidate> all = candidates_of(base, others, target.nodes, o.nodes);
  std::vector<std::optional<NextRun>> found(all.size());
  report::in_parallel(all.size(), [&](std::size_t i) { found[i] = tried(s, all[i], factor); });
  for (auto& run : found)
    if (run) next.runs.push_back(*std::move(run));
  std::ranges::stable_sort(next.runs, {}, [](const NextRun& run) { return std::pair(run.width, run.node_launches); });
  return next;
}

}  // namespace

std::vector<NextRuns> next_runs(const fit::Fit& whole, const Prediction& prediction, const FromFitOptions& o) {
  std::vector<NextRuns> all;
  std::vector<const Sweep*> tried_sweeps;
  for (const Series& series : prediction.series) {
    const auto f = std::ranges::find_if(whole.sweeps, [&](const SweepFit& one) {
      return one.sweep.level == fit::between_nodes && one.sweep.name() == series.name;
    });
    if (f == whole.sweeps.end() || series.predicted.empty()) continue;
    if (std::ranges::any_of(tried_sweeps, [&](const Sweep* s) { return same_but_place(*s, f->sweep); })) continue;
    if (tried_sweeps.size() == most_sweeps) break;
    tried_sweeps.push_back(&f->sweep);
    if (NextRuns next = next_of(whole, *f, series, o); !next.runs.empty()) all.push_back(std::move(next));
  }
  return all;
}

}  // namespace busbar::predict
