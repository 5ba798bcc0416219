// SPDX-License-Identifier: Apache-2.0
#include "reports/fleet/fleet.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/base/words.hpp"
#include "core/record/run.hpp"
#include "reports/runs/in_parallel.hpp"

namespace busbar::fleet {
namespace {

constexpr double slow_by_chance = 0.015, failing_by_chance = 0.005;

using explain::Certainty;
using Indices = std::vector<std::size_t>;

/// The first message of a launch that speaks of trouble with hosts or network; empty if there is none.
std::string trouble_of(const Launch& launch) {
  static constexpr std::array<std::string_view, 12> words{
      "timeout",       "timed out", "retry",      "retries",         "unreachable", "connection refused",
      "reset by peer", "link down", "port error", "ncclremoteerror", "xid",         "uncorrectable"};
  const auto speaks = [](const std::string& text) {
    const std::string lower = lower_case(text);
    return std::ranges::any_of(words, [&](std::string_view w) { return lower.find(w) != std::string::npos; });
  };
  for (const Run* run : launch.runs) {
    for (const std::string& note : run->head.notes)
      if (speaks(note)) return note;
    if (run->end && run->end->reason && speaks(*run->end->reason)) return *run->end->reason;
  }
  return "";
}

/// What identifies the same slow thing in several views.
using Identity = std::tuple<Level, Indices, std::optional<std::size_t>, Indices>;

Identity identity_of(const Effect& e, const View& view) {
  Indices launches;
  if (e.level == Level::launch || e.level == Level::period)
    for (const std::size_t i : e.seen) launches.push_back(view.seen[i].launch);
  std::ranges::sort(launches);
  return {e.level, e.hosts, e.rail, launches};
}

bool takes_part(const Slow& s, const Observation& o) {
  const bool on_rail = !s.rail || o.rail == s.rail;
  return on_rail && std::ranges::includes(o.hosts, s.hosts) &&
         ((s.level != Level::link && s.level != Level::launch) || o.hosts.size() == s.hosts.size());
}

bool has_many_places(const View& view) {
  constexpr std::size_t fewest = 3;
  std::set<Indices> places;
  for (const Observation& o : view.seen) places.insert(o.hosts);
  return places.size() >= fewest;
}

/// Likely, and either much slower or in most of what it runs.
bool worth_draining(const Slow& s) {
  constexpr double much = 1.25;
  return s.certainty == Certainty::likely && (s.ratio >= much || 2 * s.views.size() >= s.measured_in);
}

class Combiner {
 public:
  explicit Combiner(Fleet& fleet) : fleet_(fleet) {
    for (const Launch& launch : fleet.data.launches) trouble_.push_back(trouble_of(launch));
  }

  void combine() {
    std::map<Identity, Slow> all;
    for (std::size_t v = 0; v < fleet_.fits.size(); ++v)
      for (const Effect& e : fleet_.fits[v].effects) add(all[identity_of(e, fleet_.data.views[v])], e, v);
    for (auto& [identity, slow] : all) {
      count(slow);
      fleet_.slow.push_back(std::move(slow));
    }
    std::ranges::sort(fleet_.slow, {}, [](const Slow& s) { return std::tuple(s.level, s.certainty, -s.ratio); });
    judge_hosts();
  }

 private:
  void add(Slow& slow, const Effect& e, std::size_t view) {
    const bool is_new = slow.views.empty();
    slow.level = e.level;
    slow.hosts = e.hosts;
    slow.rail = e.rail;
    slow.one_stretch = e.one_stretch && (is_new || slow.one_stretch);
    if (is_new || e.ratio > slow.ratio) {
      slow.views.insert(slow.views.begin(), view);
      slow.ratio = e.ratio;
    } else {
      slow.views.push_back(view);
    }
    for (const std::size_t i : e.seen) slow.launches.push_back(fleet_.data.views[view].seen[i].launch);
  }

  void count(Slow& slow) const {
    std::ranges::sort(slow.launches);
    const auto same = std::ranges::unique(slow.launches);
    slow.launches.erase(same.begin(), same.end());
    std::set<std::size_t> launches;
    for (const View& view : fleet_.data.views) {
      bool measured = false;
      for (const Observation& o : view.seen)
        if (takes_part(slow, o)) measured = true, launches.insert(o.launch);
      slow.measured_in += measured;
    }
    slow.all_launches = launches.size();
    const bool sure = slow.launches.size() > 1 && !slow.one_stretch;
    slow.certainty = sure && slow.level != Level::launch ? Certainty::likely : Certainty::possible;
    for (std::size_t i = 0; i < trouble_.size(); ++i) {
      const bool is_slow = std::ranges::binary_search(slow.launches, i), troubled = !trouble_[i].empty();
      if (is_slow && troubled && slow.trouble.empty()) slow.trouble = trouble_[i];
      (is_slow ? slow.troubled : slow.others_troubled) += troubled;
    }
    slow.others = trouble_.size() - slow.launches.size();
  }

  void judge_hosts() {
    std::map<std::size_t, HostVerdict> verdicts;
    for (const View& view : fleet_.data.views) {
      std::set<std::size_t> hosts;
      for (const Observation& o : view.seen) hosts.insert(o.hosts.begin(), o.hosts.end());
      for (const std::size_t host : hosts) verdicts[host].host = host;
    }
    for (std::size_t i = 0; i < fleet_.slow.size(); ++i) {
      const Slow& s = fleet_.slow[i];
      if (s.level == Level::launch) continue;
      const bool own = s.level == Level::host || s.level == Level::port;
      for (const std::size_t host : s.hosts) {
        HostVerdict& v = verdicts[host];
        v.advice = std::max(v.advice, own && worth_draining(s) ? Advice::drain : Advice::check);
        v.ratio = std::max(v.ratio, s.ratio);
        v.because.push_back(i);
      }
    }
    for (const Failing& f : fleet_.failing) verdicts[f.host].host = f.host, verdicts[f.host].advice = Advice::drain;
    for (auto& [host, verdict] : verdicts) fleet_.verdicts.push_back(std::move(verdict));
    std::ranges::stable_sort(fleet_.verdicts, [](const HostVerdict& a, const HostVerdict& b) {
      return std::tuple(a.advice, a.because.size(), a.ratio) > std::tuple(b.advice, b.because.size(), b.ratio);
    });
  }

  Fleet& fleet_;
  std::vector<std::string> trouble_;
};

}  // namespace

std::optional<Fleet> examine_fleet(const std::vector<Run>& runs) {
  Fleet fleet{.data = observe(runs)};
  if (fleet.data.views.empty()) return std::nullopt;
  for (const Launch& launch : fleet.data.launches) fleet.runs += launch.runs.size();
  const auto views = fleet.data.views.size();
  fleet.fits.resize(views);
  report::in_parallel(views, [&](std::size_t v) {
    fleet.fits[v] = fit_view(fleet.data.views[v], fleet.data, slow_by_chance / static_cast<double>(views));
  });
  fleet.failed = static_cast<std::size_t>(std::ranges::count_if(fleet.data.launches, failed));
  fleet.failing = find_failing(fleet.data, failing_by_chance);
  Combiner(fleet).combine();
  const bool compares_hosts = std::ranges::any_of(fleet.data.views, has_many_places);
  if (!compares_hosts && fleet.slow.empty()) return std::nullopt;
  return fleet;
}

}  // namespace busbar::fleet
