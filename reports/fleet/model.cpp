// SPDX-License-Identifier: Apache-2.0
#include "reports/fleet/model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/statistics/change_points.hpp"
#include "core/statistics/outliers.hpp"
#include "core/statistics/summary.hpp"

namespace busbar::fleet {
namespace {

using Key = std::vector<std::size_t>;  ///< identifies a member of a level
using Members = std::map<Key, std::vector<std::size_t>>;

constexpr std::size_t fewest_partners = 3;  ///< of a host or port, where several hosts take part
constexpr double most_slow = 0.4;           ///< share of the members of a level
constexpr double bar_of_few = 1.25;         ///< ratio, where there are too few members for a test
constexpr std::size_t levels_tested = words_of(Level{}).size();

/// ln of the least ratio that matters.
double least_effect(Level level) { return std::log(level == Level::link || level == Level::launch ? 1.1 : 1.05); }

/// By host the number of its group, from 1.
std::map<std::size_t, std::size_t> groups_by_host(const Groups& groups) {
  std::map<std::size_t, std::size_t> all;
  for (std::size_t g = 0; g < groups.hosts.size(); ++g)
    for (const std::size_t host : groups.hosts[g]) all[host] = g + 1;
  return all;
}

/// The pair of groups that an observation connects; 0 for hosts without one. Empty without groups.
Key block_of(const Observation& o, const std::map<std::size_t, std::size_t>& group_of) {
  if (group_of.empty()) return {};
  std::set<std::size_t> touched;
  for (const std::size_t host : o.hosts) {
    const auto at = group_of.find(host);
    touched.insert(at == group_of.end() ? 0 : at->second);
  }
  return {touched.begin(), touched.end()};
}

double usual_of(const View& view, const std::vector<std::size_t>& seen, const std::vector<double>& excess) {
  std::map<std::size_t, std::vector<double>> of_host;
  for (const std::size_t i : seen)
    for (const std::size_t host : view.seen[i].hosts) of_host[host].push_back(excess[i]);
  return usual_over_members(of_host);
}

class Fitter {
 public:
  Fitter(const View& view, const DataSet& data, double by_chance)
      : view_(view), data_(data), alpha_(by_chance / levels_tested), explained_(view.seen.size()) {
    for (const Observation& o : view.seen) fit_.excess.push_back(o.excess);
    fit_.groups = find_groups(view.seen, fit_.excess);
    const auto group_of = groups_by_host(fit_.groups);
    for (std::size_t i = 0; i < view.seen.size(); ++i) blocks_[block_of(view.seen[i], group_of)].push_back(i);
    for (const auto& [block, seen] : blocks_) shift(seen, usual_of(view_, seen, fit_.excess));
    find_order();
  }

  Fit result() {
    for (const Level level : {Level::host, Level::rail, Level::port}) search(members_of(level, all()), level, alpha_);
    search_periods();
    for (const Level level : {Level::link, Level::launch})
      for (const auto& [block, seen] : blocks_)
        search(members_of(level, seen), level, alpha_ / static_cast<double>(blocks_.size()));
    finish();
    return std::move(fit_);
  }

 private:
  [[nodiscard]] std::vector<std::size_t> all() const {
    std::vector<std::size_t> seen(view_.seen.size());
    std::iota(seen.begin(), seen.end(), std::size_t{0});
    return seen;
  }
  void shift(const std::vector<std::size_t>& seen, double by) {
    for (const std::size_t i : seen) fit_.excess[i] -= by;
  }
  [[nodiscard]] std::vector<double> excess_of(const std::vector<std::size_t>& seen) const {
    std::vector<double> values;
    for (const std::size_t i : seen) values.push_back(fit_.excess[i]);
    return values;
  }

  void find_order();
  [[nodiscard]] Members members_of(Level, const std::vector<std::size_t>& seen) const;
  [[nodiscard]] bool enough(Level, const std::vector<std::size_t>& seen) const;
  void search(const Members&, Level, double alpha);
  void search_periods();
  void add(Level, const Key&, const std::vector<std::size_t>& seen);
  void finish();
  [[nodiscard]] Spreads spreads() const;
  [[nodiscard]] bool in_one_stretch(const std::vector<std::size_t>& seen) const;

  const View& view_;
  const DataSet& data_;
  double alpha_;
  std::vector<bool> explained_;
  std::map<Key, std::vector<std::size_t>> blocks_;
  std::vector<std::size_t> order_;  ///< observations by start; empty if unknown
  Fit fit_;
};

void Fitter::find_order() {
  const auto start = [this](std::size_t i) { return data_.launches[view_.seen[i].launch].started; };
  std::vector<std::size_t> order = all();
  if (!std::ranges::all_of(order, [&](std::size_t i) { return start(i).has_value(); })) return;
  std::ranges::stable_sort(order, {}, start);
  if (start(order.front()) != start(order.back())) order_ = std::move(order);
}

/// The members of a level and what of their observations is not explained yet.
Members Fitter::members_of(Level level, const std::vector<std::size_t>& seen) const {
  Members members;
  const auto on_rails = std::ranges::count_if(view_.seen, [](const Observation& o) { return o.rail.has_value(); });
  if ((level == Level::rail || level == Level::port) && 10 * static_cast<std::size_t>(on_rails) < 9 * view_.seen.size())
    return members;
  std::map<Key, std::size_t> times;  // how often the same hosts ran
  for (const std::size_t i : seen) times[view_.seen[i].hosts] += !explained_[i];
  for (const std::size_t i : seen) {
    if (explained_[i]) continue;
    const Observation& o = view_.seen[i];
    switch (level) {
      case Level::host:
        for (const std::size_t host : o.hosts) members[{host}].push_back(i);
        break;
      case Level::rail:
        if (o.rail) members[{*o.rail}].push_back(i);
        break;
      case Level::port:
        if (o.rail)
          for (const std::size_t host : o.hosts) members[{host, *o.rail}].push_back(i);
        break;
      case Level::link:
        if (o.hosts.size() > 1) members[o.hosts].push_back(i);
        break;
      case Level::launch:
        if (times[o.hosts] > 1) members[{i}].push_back(i);
        break;
      case Level::period:
        break;
    }
  }
  std::erase_if(members, [&](const auto& m) { return !enough(level, m.second); });
  if (level == Level::rail || level == Level::port) {
    std::set<std::size_t> rails;
    for (const auto& [key, of_key] : members) rails.insert(key.back());
    if (rails.size() < 2) return {};
  }
  return members;
}

/// Whether observations tell a host, rail or port from its partners.
bool Fitter::enough(Level level, const std::vector<std::size_t>& seen) const {
  if (level == Level::link || level == Level::launch) return true;
  std::set<Key> places;
  for (const std::size_t i : seen) places.insert(view_.seen[i].hosts);
  return view_.seen[seen.front()].hosts.size() == 1 ? level != Level::rail || places.size() >= fewest_partners
                                                    : places.size() >= fewest_partners;
}

void Fitter::search(const Members& members, Level level, double alpha) {
  const std::size_t fewest = level == Level::rail || level == Level::port ? 2 : 3;  // of two hosts neither is usual
  if (members.size() < fewest) return;
  std::vector<double> values;
  std::vector<const Members::value_type*> who;
  for (const auto& member : members) {
    values.push_back(lower_quartile(excess_of(member.second)));
    who.push_back(&member);
  }
  const bool few = values.size() < least_for_outliers;
  if (few && level == Level::launch) return;
  const double usual = [&] {
    std::vector<double> fast = values;
    std::ranges::sort(fast);
    fast.resize((fast.size() + 1) / 2 + (few ? 0 : fast.size() / 4));
    return median(fast);
  }();
  std::vector<std::size_t> found;
  if (few) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] - usual >= std::log(bar_of_few)) found.push_back(i);
  } else {
    found = outliers(values, alpha, most_slow);
  }
  std::ranges::sort(found, std::ranges::greater{}, [&](std::size_t i) { return values[i]; });
  for (const std::size_t i : found)
    if (values[i] - usual >= least_effect(level)) add(level, who[i]->first, who[i]->second);
}

/// A stretch of time in which whatever ran was slow.
void Fitter::search_periods() {
  std::vector<std::size_t> order;
  for (const std::size_t i : order_)
    if (!explained_[i]) order.push_back(i);
  constexpr std::size_t fewest = 12;
  if (order.size() < fewest) return;
  std::vector<double> times;
  for (const std::size_t i : order) times.push_back(std::exp(fit_.excess[i]));
  std::vector<std::vector<double>> series{times};
  const auto changes = change_points(series, alpha_);
  std::vector<std::vector<std::size_t>> spans(1);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (std::ranges::any_of(changes, [i](const ChangePoint& c) { return c.at == i; })) spans.emplace_back();
    spans.back().push_back(order[i]);
  }
  const double usual = lower_quartile([&] {
    std::vector<double> medians;
    for (const auto& span : spans) medians.push_back(median(excess_of(span)));
    return medians;
  }());
  for (const auto& span : spans)
    if (median(excess_of(span)) - usual >= least_effect(Level::period)) add(Level::period, {}, span);
}

void Fitter::add(Level level, const Key& key, const std::vector<std::size_t>& seen) {
  Effect e{.level = level};
  for (const std::size_t i : seen)
    if (!explained_[i]) e.seen.push_back(i);
  if (e.seen.empty()) return;
  if (level == Level::host || level == Level::port) e.hosts = {key.front()};
  if (level == Level::rail || level == Level::port) e.rail = key.back();
  if (level == Level::link || level == Level::launch) e.hosts = view_.seen[e.seen.front()].hosts;
  std::set<std::size_t> launches;
  for (const std::size_t i : e.seen) launches.insert(view_.seen[i].launch), explained_[i] = true;
  e.one_stretch = level != Level::period && launches.size() > 1 && in_one_stretch(e.seen);
  fit_.effects.push_back(std::move(e));
}

/// Others ran before or after, hardly any in between.
bool Fitter::in_one_stretch(const std::vector<std::size_t>& seen) const {
  constexpr double hardly = 1.25;
  if (order_.empty()) return false;
  std::size_t first = order_.size(), last = 0;
  for (std::size_t at = 0; at < order_.size(); ++at)
    if (std::ranges::binary_search(seen, order_[at])) first = std::min(first, at), last = at;
  return static_cast<double>(last - first + 1) <= hardly * static_cast<double>(seen.size()) &&
         seen.size() < order_.size();
}

/// Measures all effects against the median of what none explains, block by block.
void Fitter::finish() {
  for (const auto& [block, seen] : blocks_) {
    std::vector<double> values;
    for (const std::size_t i : seen)
      if (!explained_[i]) values.push_back(fit_.excess[i]);
    if (!values.empty()) shift(seen, median(values));
  }
  for (Effect& e : fit_.effects) e.ratio = std::exp(median(excess_of(e.seen)));
  std::erase_if(fit_.effects, [](const Effect& e) { return std::log(e.ratio) < least_effect(e.level); });
  fit_.spreads = spreads();
}

/// 1.4826 times the median absolute deviation; empty for fewer than 3 values.
std::optional<double> robust_deviation(const std::vector<double>& values) {
  if (values.size() < 3) return std::nullopt;
  const double middle = median(values);
  std::vector<double> distances;
  for (const double v : values) distances.push_back(std::abs(v - middle));
  return 1.4826 * median(distances);
}

/// Variance beyond that of what is averaged, as a standard deviation.
std::optional<double> beyond(const std::optional<double>& all, const std::optional<double>& inner, double averaged) {
  if (!all) return std::nullopt;
  const double rest = *all * *all - (inner ? *inner * *inner / averaged : 0);
  return std::sqrt(std::max(0.0, rest));
}

/// Components of variance, by the medians of what is nested: hosts, their links, the launches of a link.
Spreads Fitter::spreads() const {
  std::map<Key, std::vector<double>> links;
  for (std::size_t i = 0; i < view_.seen.size(); ++i)
    if (!explained_[i]) links[view_.seen[i].hosts].push_back(fit_.excess[i]);
  std::vector<double> within, of_links;
  std::map<std::size_t, std::vector<double>> by_host;
  double launches_per_link = 0;
  for (const auto& [hosts, values] : links) {
    const double middle = median(values);
    of_links.push_back(middle);
    for (const std::size_t host : hosts) by_host[host].push_back(middle);
    launches_per_link += static_cast<double>(values.size()) / static_cast<double>(links.size());
    const auto n = static_cast<double>(values.size());
    if (values.size() > 1)
      for (const double v : values) within.push_back((v - middle) * std::sqrt(n / (n - 1)));
  }
  std::vector<double> of_hosts;
  double links_per_host = 0;
  for (const auto& [host, values] : by_host) {
    of_hosts.push_back(median(values));
    links_per_host += static_cast<double>(values.size()) / static_cast<double>(by_host.size());
  }
  Spreads s{.launches = robust_deviation(within)};
  const bool pairs = !view_.seen.empty() && view_.seen.front().hosts.size() > 1;
  const auto all_links = robust_deviation(of_links);
  if (pairs) s.links = beyond(all_links, s.launches, launches_per_link);
  s.hosts = pairs ? beyond(robust_deviation(of_hosts), all_links, links_per_host)
                  : beyond(robust_deviation(of_hosts), s.launches, launches_per_link);
  return s;
}

}  // namespace

Fit fit_view(const View& view, const DataSet& data, double by_chance) { return Fitter(view, data, by_chance).result(); }

}  // namespace busbar::fleet
