// SPDX-License-Identifier: Apache-2.0
#include "reports/explain/places.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {
namespace {

constexpr std::size_t place_text = 3;  ///< places described individually; the rest are counted

/// Without intervals, an anomaly must also exceed the scatter of its own curve by this many standard deviations.
constexpr double scatters_both = 3, scatters_alone = 5;

using Measure = std::optional<Excess> (*)(const Curve&, std::size_t);

/// Certainty of an anomaly; empty if it is below the thresholds. `noise`: scatter() of its curve.
std::optional<Certainty> certainty_of(const Excess& here, const std::optional<Excess>& in_twin, const Bars& bars,
                                      double noise) {
  if (here.at_least) {
    const bool plain = here.ratio >= bars.ratio && *here.at_least >= bars.at_least;
    return plain ? std::optional(Certainty::known) : std::nullopt;
  }
  const double both = std::max(bars.both, std::pow(noise, scatters_both));
  const double alone = std::max(bars.alone, std::pow(noise, scatters_alone));
  if (here.ratio >= both && in_twin && in_twin->ratio >= both) return Certainty::likely;
  if (here.ratio >= alone) return Certainty::possible;
  return std::nullopt;
}

/// Curves by series name.
using Index = std::map<std::string, const Curve*>;

/// The in-place series of an out-of-place one, and vice versa; null if not measured.
const Curve* twin(const Index& all, const Curve& curve) {
  CaseKey key = curve.key();
  if (!key.in_place) return nullptr;
  key.in_place = !*key.in_place;
  const auto it = all.find(series_name(key));
  return it == all.end() ? nullptr : it->second;
}

/// `measure` of the twin at the same size; empty without a twin or such a point.
std::optional<Excess> of_twin(const Curve* twin, const Curve& curve, std::size_t i, Measure measure, bool between) {
  if (twin == nullptr) return std::nullopt;
  const auto& points = twin->points;
  const auto it = std::ranges::lower_bound(points, curve.points[i].bytes, {}, &CurvePoint::bytes);
  if (it == points.end() || it->bytes != curve.points[i].bytes) return std::nullopt;
  if (between && (it + 1 == points.end() || (it + 1)->bytes != curve.points[i + 1].bytes)) return std::nullopt;
  return measure(*twin, static_cast<std::size_t>(it - points.begin()));
}

/// All anomalies that `measure` finds. `between`: a place spans a point and the next.
std::vector<Place> find(const std::vector<Curve>& all, Measure measure, const Bars& bars, bool between) {
  Index by_series;
  for (const Curve& curve : all) by_series.emplace(series_name(curve.key()), &curve);
  std::vector<Place> found;
  for (const Curve& curve : all) {
    const Curve* other = twin(by_series, curve);
    const double noise = scatter(curve);
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
      const auto excess = measure(curve, i);
      if (!excess) continue;
      const auto certainty = certainty_of(*excess, of_twin(other, curve, i, measure, between), bars, noise);
      if (!certainty) continue;
      found.push_back({.curve = &curve,
                       .index = i,
                       .from = curve.points[i].bytes,
                       .to = curve.points[between ? i + 1 : i].bytes,
                       .ratio = excess->ratio,
                       .certainty = *certainty});
    }
  }
  return found;
}

/// Removes dips from curves. A dip has neighbours, so no curve becomes empty.
std::vector<Curve> without(const std::vector<Place>& dips, std::vector<Curve> all) {
  std::set<const CaseRecord*> out;
  for (const Place& dip : dips) out.insert(dip.point().record);
  for (Curve& curve : all) std::erase_if(curve.points, [&out](const CurvePoint& p) { return out.contains(p.record); });
  return all;
}

/// The first case of the run that moves data.
const CaseRecord* first_case(const Run& run) {
  const CaseRecord* first = nullptr;
  for (const CaseRecord& c : run.cases)
    if (c.key.bytes > 0 && (first == nullptr || c.index < first->index)) first = &c;
  return first;
}

/// Places at the same sizes, largest ratio first.
using Group = std::vector<const Place*>;

std::vector<Group> groups(const std::vector<Place>& all, Certainty certainty) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, Group> by_size;
  for (const Place& place : all)
    if (place.certainty == certainty) by_size[{place.from, place.to}].push_back(&place);
  const auto more = [](const Place* a, const Place* b) {
    return std::tuple(-a->ratio, a->from, a->curve) < std::tuple(-b->ratio, b->from, b->curve);
  };
  std::vector<Group> sorted;
  for (auto& [sizes, group] : by_size) {
    std::ranges::sort(group, more);
    sorted.push_back(std::move(group));
  }
  std::ranges::sort(sorted, [more](const Group& a, const Group& b) { return more(a.front(), b.front()); });
  return sorted;
}

/// "Also affected: allgather (2.1x), broadcast (1.9x) and 3 more."; empty for one place.
std::string others(const Group& group) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i < group.size(); ++i)
    names.push_back(fmt::format("{} ({:.1f}x)", group[i]->curve->label, group[i]->ratio));
  return names.empty() ? "" : "Also affected: " + report::list(names) + ".";
}

/// `slow`: see PlaceWords.
Where where_of_groups(const std::vector<Group>& all, std::size_t slow) {
  std::set<std::string> series;
  std::set<std::uint64_t> sizes;
  std::vector<const CaseRecord*> cases;
  for (const Group& group : all)
    for (const Place* place : group) {
      series.insert(series_name(place->curve->key()));
      sizes.insert({place->from, place->to});
      cases.push_back(place->point(slow).record);
    }
  return {.series = {series.begin(), series.end()}, .sizes = {sizes.begin(), sizes.end()}, .cases = std::move(cases)};
}

/// Evidence sentence that explains the certainty.
std::string basis(Certainty certainty) {
  switch (certainty) {
    case Certainty::known:
      return "The confidence intervals rule out chance within this launch.";
    case Certainty::likely:
      return "These times have no intervals, but in place and out of place agree: chance is unlikely.";
    case Certainty::possible:
      break;
  }
  return "These times have no intervals, and no second series (in place or out of place) confirms it: one disturbed "
         "measurement can be the cause.";
}

}  // namespace

bool has_curves(const Run& run) {
  return std::ranges::any_of(unlabelled_curves(run), [](const Curve& curve) { return curve.points.size() >= 3; });
}

Places places(const Run& run) {
  Places p;
  p.curves = unlabelled_curves(run);
  p.dips = find(p.curves, dip_at, dip_bars, false);
  p.without_dips = without(p.dips, p.curves);
  p.steps = find(p.without_dips, step_at, step_bars, true);
  p.falls = find(p.without_dips, fall_at, fall_bars, true);
  const CaseRecord* first = run.head.origin == Origin::imported ? first_case(run) : nullptr;
  const auto starts = [first](const Place& place) { return place.point().record == first; };
  std::ranges::copy_if(p.falls, std::back_inserter(p.slow_starts), starts);
  std::erase_if(p.falls, starts);
  if (!p.dips.empty()) label_curves(p.curves);  // most runs have none, and labels take long
  if (!p.steps.empty() || !p.falls.empty() || !p.slow_starts.empty()) label_curves(p.without_dips);
  return p;
}

std::vector<Finding> gather(const std::vector<Place>& all, const PlaceWords& words) {
  std::vector<Finding> findings;
  for (const Certainty certainty : {Certainty::known, Certainty::likely, Certainty::possible}) {
    const auto grouped = groups(all, certainty);
    if (grouped.empty()) continue;
    const Place& worst = *grouped.front().front();
    Finding finding{.certainty = certainty, .title = words.title(worst)};
    if (grouped.size() > 1) finding.title += ", and " + plural(grouped.size() - 1, "more place");
    for (std::size_t i = 0; i < std::min(place_text, grouped.size()); ++i) {
      finding.evidence.push_back(words.sentence(*grouped[i].front()));
      if (auto more = others(grouped[i]); !more.empty()) finding.evidence.push_back(std::move(more));
    }
    if (grouped.size() > place_text)
      finding.evidence.push_back(
          fmt::format("The effect is smaller at {}.", plural(grouped.size() - place_text, "more place")));
    finding.evidence.push_back(basis(certainty));
    finding.tries = words.tries(worst);
    finding.where = where_of_groups(grouped, words.slow);
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::string choices(const Place& place, std::size_t first, std::size_t count) {
  std::string text;
  std::set<std::string> different;
  for (std::size_t i = first; i < first + count; ++i) {
    const CurvePoint& point = place.curve->points[i];
    if (!point.record->choice) return {};
    different.insert(text_of(*point.record->choice));
    text += fmt::format("{}{} at {}", i == first ? "" : ", ", text_of(*point.record->choice), format_size(point.bytes));
  }
  if (different.size() > 1) return fmt::format(" The library chose (algorithm/protocol/channels) {}.", text);
  return fmt::format(" The library chose {} at all these sizes: the algorithm did not change.", *different.begin());
}

}  // namespace busbar::explain
