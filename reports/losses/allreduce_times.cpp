// SPDX-License-Identifier: Apache-2.0
#include "reports/losses/allreduce_times.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "core/statistics/summary.hpp"
#include "reports/predict/extrapolation.hpp"
#include "reports/predict/from_fit.hpp"
#include "reports/text/text.hpp"

namespace busbar::losses {
namespace {

using predict::Span;

constexpr double farthest = 4;         ///< times the largest measured size
constexpr double far_neighbours = 16;  ///< ratio of neighbouring sizes
constexpr double launch_spread = 0.1;  ///< assumed; no figure here depends on it

std::set<std::string> hosts_of(const Run& run) {
  std::set<std::string> all;
  for (const RankPlace& place : run.head.placement) all.insert(place.host);
  if (all.empty())
    for (const Host& host : run.head.hosts) all.insert(host.name);
  return all;
}

std::string differs(std::string_view what, const std::string& here, const std::string& there) {
  const auto word = [](const std::string& text) {
    return text.empty() ? std::string(report::unknown) : report::shortened(text, 40);
  };
  return fmt::format("{} {} instead of {}", what, word(here), word(there));
}

/// How two runs differ in what they ran on; empty if they do not.
std::string other_machine(const Run& run, const Run& training) {
  if (is_simulated(run.head) != is_simulated(training.head)) return "simulated and measured differ";
  if (run.head.simulation && training.head.simulation) {
    if (run.head.simulation->platform_sha256 != training.head.simulation->platform_sha256)
      return "simulated on another platform";
    if (run.head.simulation->settings != training.head.simulation->settings) return "simulated with other settings";
  }
  const auto here = hosts_of(run), there = hosts_of(training);
  if (here.empty() || there.empty() || std::ranges::includes(here, there) || std::ranges::includes(there, here))
    return {};
  return fmt::format("on other hosts ({})", report::list(std::vector(here.begin(), here.end())));
}

/// Why an allreduce does not do what the exchange does; empty if it does.
std::string other_call(const CaseKey& key, const CaseKey& training) {
  if (key.backend != training.backend) return differs("library", key.backend, training.backend);
  if (key.memory && training.memory && key.memory != training.memory)
    return differs("memory", *key.memory, *training.memory);
  if (key.type != training.type) return differs("type", key.type.value_or(""), training.type.value_or(""));
  if (key.op && key.op != "sum" && key.op != "avg") return differs("operation", *key.op, "sum");
  if (key.form || key.progress || key.work) return "not the plain call";
  if (key.algorithm) return fmt::format("algorithm {} requested", report::shortened(*key.algorithm, 40));
  if (key.group && key.group != "world") return "several groups at the same time";
  return {};
}

/// A case that does what the exchange does, at any scale.
struct Match {
  const Run* run = nullptr;
  const CaseRecord* at = nullptr;
};

using Matches = std::map<CaseKey, std::vector<Match>>;  ///< by what they have in common over sizes and scales

Matches matches(const std::vector<Run>& runs, const Run& training, const CaseKey& key,
                std::vector<std::string>& left_out) {
  Matches all;
  std::map<std::string, std::size_t> reasons;
  for (const Run& run : runs) {
    const std::string machine = other_machine(run, training);
    for (const CaseRecord& c : run.cases) {
      if (c.key.kind != CaseKind::collective || c.key.collective != "allreduce" || !is_measured(c.status)) continue;
      if (!(c.time_s.value_or(0) > 0) || c.key.bytes == 0 || c.key.ranks < 2 || !c.calls.empty()) continue;
      const std::string reason = machine.empty() ? other_call(c.key, key) : machine;
      if (!reason.empty())
        ++reasons[reason];
      else
        all[without_scale(c.key)].push_back({.run = &run, .at = &c});
    }
  }
  for (const auto& [reason, n] : reasons)
    left_out.push_back(fmt::format("{} of allreduce left out: {}.", plural(n, "case"), reason));
  return all;
}

std::vector<Match> at_scale(const std::vector<Match>& some, const fit::Scale& scale) {
  std::vector<Match> all;
  std::ranges::copy_if(some, std::back_inserter(all), [&](const Match& m) {
    return m.at->key.ranks == scale.ranks && m.at->key.nodes.value_or(0) == scale.nodes;
  });
  return all;
}

std::set<std::uint64_t> sizes_of(const std::vector<Match>& some) {
  std::set<std::uint64_t> all;
  for (const Match& m : some) all.insert(m.at->key.bytes);
  return all;
}

/// The sweep with most sizes at the scale, else with most sizes; of equal ones that in place, as gradients are.
const std::vector<Match>& best_of(const Matches& all, const fit::Scale& scale) {
  const auto rank = [&](const auto& one) {
    return std::tuple(sizes_of(at_scale(one.second, scale)).size(), sizes_of(one.second).size(),
                      one.first.in_place.value_or(false));
  };
  return std::ranges::max_element(all, {}, rank)->second;
}

const std::optional<Interval>& interval_of(const CaseRecord& c) {
  return c.interval_of_launches_s ? c.interval_of_launches_s : c.interval_s;
}

MeasuredCall call_of(std::uint64_t bytes, const std::vector<const CaseRecord*>& launches) {
  MeasuredCall call{.bytes = static_cast<double>(bytes)};
  std::vector<double> times, low, high;
  for (const CaseRecord* c : launches) {
    const auto& interval = interval_of(*c);
    times.push_back(*c->time_s);
    low.push_back(interval ? interval->low : *c->time_s);
    high.push_back(interval ? interval->high : *c->time_s);
  }
  call.time_s = {.value = median(times), .low = std::ranges::min(low), .high = std::ranges::max(high)};
  return call;
}

std::vector<MeasuredCall> calls_of(const std::vector<Match>& some) {
  std::map<std::uint64_t, std::vector<const CaseRecord*>> by_size;
  for (const Match& m : some) by_size[m.at->key.bytes].push_back(m.at);
  std::vector<MeasuredCall> all;
  for (const auto& [bytes, launches] : by_size) all.push_back(call_of(bytes, launches));
  return all;
}

/// The curve of these cases alone; empty if there are too few sizes.
std::optional<fit::SweepFit> fit_of(const std::vector<Match>& some) {
  std::map<const Run*, Run> runs;
  for (const Match& m : some) {
    Run& run = runs[m.run];
    if (run.cases.empty()) run.head = m.run->head, run.path = m.run->path;
    run.head.labels.clear();  // launches of one exchange, whatever they are called
    run.cases.push_back(*m.at);
  }
  std::vector<Run> all;
  for (auto& [of, run] : runs) all.push_back(std::move(run));
  for (fit::SweepFit& sweep : fit::fit_runs(all, {}, launch_spread).sweeps)
    if (!sweep.regions.empty()) return std::move(sweep);
  return std::nullopt;
}

std::string source_of(const std::vector<Match>& some) {
  const auto sizes = sizes_of(some);
  std::set<std::string> launches, scales;
  for (const Match& m : some) launches.insert(m.run->path), scales.insert(report::scale_text(m.at->key));
  const CaseKey& key = some.front().at->key;
  return fmt::format("allreduce, {}{}{}: {} from {} to {}, {}, {}", key.backend, key.type ? ", " + *key.type : "",
                     key.in_place ? (*key.in_place ? ", in place" : ", out of place") : "",
                     plural(sizes.size(), "size"), format_size(*sizes.begin()), format_size(*sizes.rbegin()),
                     fmt::join(scales, "; "), plural(launches.size(), "record"));
}

/// A straight line through two neighbours, for each limit.
Span between(const MeasuredCall& a, const MeasuredCall& b, double bytes) {
  const double part = (bytes - a.bytes) / (b.bytes - a.bytes);
  const auto line = [&](double Span::* limit) {
    return std::max(a.time_s.*limit + part * (b.time_s.*limit - a.time_s.*limit), 0.0);
  };
  return {.value = line(&Span::value), .low = line(&Span::low), .high = line(&Span::high)};
}

/// The share of a call's time that does not grow with its size, by the fitted curve.
std::optional<double> latency_share(const fit::SweepFit& f, const fit::Scale& scale, double bytes) {
  const fit::Curve& curve = predict::region_of(f.regions, static_cast<std::uint64_t>(bytes)).best();
  const auto x = fit::terms_of(f.sweep.collective, curve.algorithm, scale, bytes);
  if (!x) return std::nullopt;
  const double volume_s = (*x)[2] * curve.coefficients[2], all_s = fit::dot(*x, curve.coefficients);
  return all_s > 0 ? std::optional(1 - volume_s / all_s) : std::nullopt;
}

}  // namespace

std::optional<CallTime> AllreduceTimes::of(double bytes) const {
  constexpr double most_bytes = 0x1p60;  // more is no size
  CallTime call;
  if (bytes > most_bytes) return std::nullopt;
  if (calls.empty()) {
    const auto predicted =
        fit ? predict::predict_one(*fit, scale, static_cast<std::uint64_t>(bytes), {}) : std::nullopt;
    if (!predicted) return std::nullopt;
    call.time_s = predicted->time_s;
    call.between = false;
  } else if (bytes <= calls.front().bytes) {
    call.time_s = calls.front().time_s;
  } else if (bytes > farthest * calls.back().bytes || calls.size() < 2) {
    return std::nullopt;
  } else {
    const auto above = std::ranges::lower_bound(calls, bytes, {}, &MeasuredCall::bytes);
    const auto& b = above == calls.end() ? calls.back() : *above;
    const auto& a = *(&b - 1);
    call.time_s = between(a, b, bytes);
    call.between = above != calls.end() && b.bytes <= far_neighbours * a.bytes;
  }
  const double least = calls.empty() ? call.time_s.value : calls.front().time_s.value;
  const auto share = fit ? latency_share(*fit, scale, bytes) : std::nullopt;
  call.latency_s = share ? *share * call.time_s.value : std::min(least, call.time_s.value);
  return call;
}

AllreduceTimes allreduce_times(const std::vector<Run>& runs, const Run& training, const CaseRecord& at) {
  AllreduceTimes times{.scale = {.ranks = at.key.ranks, .nodes = at.key.nodes.value_or(1)}};
  const Matches all = matches(runs, training, at.key, times.others);
  if (all.empty()) {
    times.problem = "no allreduce of the same hosts, library and type is among the records";
    return times;
  }
  const auto& best = best_of(all, times.scale);
  const auto same = at_scale(best, times.scale);
  times.hosts_known = !hosts_of(training).empty() && !hosts_of(*best.front().run).empty();
  if (sizes_of(same).size() >= 2) {
    times.calls = calls_of(same);
    if (const auto& interval = interval_of(*same.front().at)) times.confidence = interval->confidence;
  }
  times.fit = fit_of(times.calls.empty() ? best : same);
  times.source = source_of(times.calls.empty() ? best : same);
  if (!times.calls.empty()) return times;
  const std::string why = times.fit ? predict::why_not(*times.fit, std::nullopt) : "too few sizes for a curve";
  if (!why.empty())
    times.problem = fmt::format("allreduce was not measured on {}, and other scales do not predict it: {}",
                                report::scale_text(at.key), why);
  return times;
}

}  // namespace busbar::losses
