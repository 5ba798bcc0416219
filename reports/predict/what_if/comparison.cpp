// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/what_if/comparison.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/core.h>

#include "reports/predict/what_if/moved_terms.hpp"

namespace busbar::predict {
namespace {

constexpr double hour_s = 3600;

Span times(const Span& s, double factor) {
  return {.value = s.value * factor, .low = s.low * factor, .high = s.high * factor};
}

/// A figure at one place, of each machine that has it.
class SamePlace {
 public:
  SamePlace(fit::Scale scale, std::uint64_t bytes, bool is_rate) : scale_(scale), bytes_(bytes), is_rate_(is_rate) {}

  void add(std::size_t machine, const fit::Scale& scale, const Span& figure, const std::optional<double>& price) {
    if (scale.nodes != scale_.nodes) return;
    Compared c{.machine = machine, .scale = scale, .bytes = bytes_, .figure = figure};
    const Span one_s = is_rate_ ? Span{1 / figure.value, 1 / figure.high, 1 / figure.low} : figure;
    c.node_hours = times(one_s, million * scale.nodes / hour_s);
    if (price) c.cost = times(c.node_hours, *price);
    if (machine > 0) c.ratio = ratio_to(all_.front().figure, figure);
    all_.push_back(c);
  }
  [[nodiscard]] const std::vector<Compared>& all() const { return all_; }

 private:
  fit::Scale scale_;
  std::uint64_t bytes_;
  bool is_rate_;
  std::vector<Compared> all_;
};

template <class Named>
const Named* named(const std::vector<Named>& all, const std::string& name) {
  const auto at = std::ranges::find(all, name, &Named::name);
  return at == all.end() ? nullptr : &*at;
}

bool nothing_to_compare(const Prediction& p) { return p.variants.empty() && !p.price; }

}  // namespace

std::vector<std::string> machine_names(const Prediction& p) {
  std::vector<std::string> all{"as it is"};
  for (const Variant& v : p.variants) all.push_back(v.name);
  return all;
}

std::string three_digits(double x) {
  if (x >= 999.5 && x < 1e15) return fmt::format("{:.0f}", x);
  return x >= 0.9995 && x < 9.9995 ? fmt::format("{:.3f}", x) : fmt::format("{:.3g}", x);
}

std::string three_digits(const Span& ends) {
  return fmt::format("{} to {}", three_digits(ends.low), three_digits(ends.high));
}

std::vector<Compared> compare_machines(const Prediction& p, const Series& s) {
  std::vector<Compared> all;
  if (nothing_to_compare(p)) return all;
  for (const Predicted& base : s.predicted) {
    SamePlace place(base.scale, base.bytes, false);
    place.add(0, base.scale, base.time_s, p.price);
    for (std::size_t i = 0; i < p.variants.size(); ++i)
      if (const Series* other = named(p.variants[i].series, s.name))
        for (const Predicted& one : other->predicted)
          if (one.bytes == base.bytes) place.add(i + 1, one.scale, one.time_s, p.variants[i].price);
    all.insert(all.end(), place.all().begin(), place.all().end());
  }
  std::ranges::stable_sort(all, {}, [](const Compared& c) { return std::tuple(c.bytes, c.scale.nodes); });
  return all;
}

std::vector<Compared> compare_machines(const Prediction& p, const TrainingSeries& t, const std::string& reading) {
  std::vector<Compared> all;
  if (nothing_to_compare(p)) return all;
  const auto add = [&reading](SamePlace& place, std::size_t machine, const PredictedTraining& at,
                              const std::optional<double>& price) {
    for (const TrainingReading& r : at.readings)
      if (r.what == reading) place.add(machine, at.scale, r.samples_per_s, price);
  };
  for (const PredictedTraining& base : t.predicted) {
    SamePlace place(base.scale, 0, true);
    add(place, 0, base, p.price);
    for (std::size_t i = 0; i < p.variants.size() && !place.all().empty(); ++i)
      if (const TrainingSeries* other = named(p.variants[i].trainings, t.name))
        for (const PredictedTraining& one : other->predicted) add(place, i + 1, one, p.variants[i].price);
    all.insert(all.end(), place.all().begin(), place.all().end());
  }
  return all;
}

}  // namespace busbar::predict
