// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/loggp.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include <fmt/core.h>

#include "core/base/units.hpp"

namespace busbar::fit {
namespace {

constexpr std::array<std::string_view, 5> single{"pingpong", "pingpong_specific_source", "pingpong_any_source",
                                                 "pingping", "sendrecv"};

/// Time of a message at the smallest size: the first region's call time plus its bytes.
Estimate of_smallest(const SweepFit& f) {
  const Region& r = f.regions.front();
  Estimate e = estimate(r.best(), r.launches, call_term);
  const double smallest = static_cast<double>(r.first) * r.best().coefficients[byte_term];
  e.value += smallest, e.low += smallest, e.high += smallest;
  return e;
}

Estimate of_largest(const SweepFit& f) {
  return estimate(f.regions.back().best(), f.regions.back().launches, byte_term);
}

void add(LogGp& all, const SweepFit& f) {
  const bool stream = is_stream(f.sweep);
  auto& first = stream ? all.gap : all.latency_and_overhead;
  if (!first) {
    first = of_smallest(f);
    all.from.push_back(
        fmt::format("{}: {}, {}", stream ? "g" : "L + 2o", f.sweep.collective, format_size(f.regions.front().first)));
  }
  if (all.gap_per_byte && !stream) return;  // a stream saturates the link; a single message may not
  all.gap_per_byte = of_largest(f);
  std::erase_if(all.from, [](const std::string& text) { return text.starts_with("G:"); });
  all.from.push_back(fmt::format("G: {}, {} to {}", f.sweep.collective, format_size(f.regions.back().first),
                                 format_size(f.regions.back().last)));
}

void say_what_is_unknown(LogGp& all) {
  if (!all.latency_and_overhead)
    all.unknown.emplace_back("L + 2o: no times of single messages (sendrecv, OSU latency, IMB PingPong)");
  else
    all.unknown.emplace_back("o and L cannot be separated: no record says how long a rank is busy with a message");
  if (!all.gap) all.unknown.emplace_back("g: no stream of small messages (OSU bandwidth, IMB Uniband)");
}

}  // namespace

bool is_one_message(const Sweep& s) { return std::ranges::find(single, s.collective) != single.end(); }
bool is_stream(const Sweep& s) { return s.collective == "unidirectional"; }

std::vector<LogGp> loggp_of(const Fit& fit) {
  std::vector<LogGp> all;
  std::map<std::string, std::size_t> index;
  for (const SweepFit& f : fit.sweeps) {
    if (f.regions.empty() || (!is_one_message(f.sweep) && !is_stream(f.sweep))) continue;
    const std::string name = f.sweep.label.empty() ? f.sweep.backend : f.sweep.label + ", " + f.sweep.backend;
    const auto [at, is_new] = index.try_emplace(name + '\n' + f.sweep.level, all.size());
    if (is_new) all.push_back({.name = name, .level = f.sweep.level});
    add(all[at->second], f);
  }
  for (LogGp& one : all) say_what_is_unknown(one);
  return all;
}

}  // namespace busbar::fit
