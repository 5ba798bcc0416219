// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/method.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "core/tables/named_table.hpp"
#include "reports/sections/overview.hpp"
#include "reports/text/text.hpp"

/// Bus bandwidth of large messages against its ceiling, and the time of small ones. Nothing is averaged over sizes.
namespace busbar::report {
namespace {

constexpr std::uint64_t least_large = 64 * 1024, most_small = 1024;  ///< bytes
constexpr std::size_t most_collectives = 3;
constexpr double much_higher = 1.1;  ///< a peak at another size that is named beside the largest size

struct Measured {
  const CaseRecord* record = nullptr;
  std::size_t run = 0;
  explicit operator bool() const { return record != nullptr; }
};

/// What the cases of a collective say, over all runs.
struct Sweep {
  std::string subject;  ///< "allreduce", "allreduce (simulated)"
  Measured largest;     ///< the largest size; of several such cases that with the highest bandwidth
  Measured peak;        ///< the highest bandwidth of all sizes
  Measured smallest;    ///< the smallest size; of several such cases the fastest
  std::set<std::size_t> runs;
};

bool is_wider(const CaseRecord& a, const CaseRecord& b) { return a.busbw_GBps.value_or(0) > b.busbw_GBps.value_or(0); }

void add_case(Sweep& sweep, Measured m) {
  const CaseRecord& c = *m.record;
  sweep.runs.insert(m.run);
  const auto replaces = [&](const Measured& old, auto is_better) { return !old || is_better(c, *old.record); };
  if (replaces(sweep.largest, [](const CaseRecord& a, const CaseRecord& b) {
        return a.key.bytes != b.key.bytes ? a.key.bytes > b.key.bytes : is_wider(a, b);
      }))
    sweep.largest = m;
  if (replaces(sweep.peak, is_wider)) sweep.peak = m;
  if (replaces(sweep.smallest, [](const CaseRecord& a, const CaseRecord& b) {
        return a.key.bytes != b.key.bytes ? a.key.bytes < b.key.bytes : *a.time_s < *b.time_s;
      }))
    sweep.smallest = m;
}

bool counts(const CaseRecord& c) {
  return is_measured(c.status) && !c.key.training && !is_named(c.key) && c.key.bytes > 0 && c.time_s &&
         c.key.cadence != cold_cadence && !c.overlap;
}

/// In order of appearance, allreduce first: the collective that most readers look for.
std::vector<Sweep> sweeps_of(const std::vector<Run>& runs) {
  std::vector<Sweep> all;
  std::map<std::string, std::size_t> places;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const std::string origin = is_simulated(runs[run].head) ? " (simulated)" : "";
    for (const CaseRecord& c : runs[run].cases) {
      if (!counts(c)) continue;
      const auto [at, is_new] = places.try_emplace(subject(c.key) + origin, all.size());
      if (is_new) all.push_back({.subject = at->first});
      add_case(all[at->second], {.record = &c, .run = run});
    }
  }
  std::ranges::stable_partition(all, [](const Sweep& s) { return s.subject.starts_with("allreduce"); });
  return all;
}

std::string plus_minus(const CaseRecord& c) {
  const auto& interval = c.interval_of_launches_s ? c.interval_of_launches_s : c.interval_s;
  if (!interval || !(interval->low > 0)) return "";
  return fmt::format("±{:.2g} %", 100 * relative_half_width(*interval));
}

const expected::ExpectedPoint* find_expected(const Material& material, const CaseRecord& c) {
  for (const expected::ExpectedSeries& series : material.expected())
    for (const expected::ExpectedPoint& p : series.points)
      if (p.record == &c) return &p;
  return nullptr;
}

const expected::Placement* find_placement(const Material& material, const CaseRecord& c) {
  for (const expected::RunPlacement& run : material.places())
    for (const expected::Placement& p : run.placed)
      if (p.record == &c && !p.usual.empty()) return &p;
  return nullptr;
}

/// "others: 20.1 to 24.9 us on A100, 2 nodes".
std::string others_text(const expected::Placement& p) {
  const auto [least, most] = std::ranges::minmax(p.usual, {}, &expected::LikeResult::value);
  const std::string range = p.usual.size() == 1 ? fmt::format("{:.3g}", least.value)
                                                : fmt::format("{:.3g} to {:.3g}", least.value, most.value);
  return fmt::format("others: {} {} on {}", range, p.is_time ? "us" : "GB/s", p.likeness);
}

/// What the name of a run says of its origin: " (imported)"; may be empty.
std::string origin_mark(const std::string& name) {
  const std::size_t mark = name.ends_with(')') ? name.find(" (") : std::string::npos;
  return mark == std::string::npos ? "" : name.substr(mark);
}

/// A name of many labels cut, but never its origin: "setting=1 system=... (imported)".
std::string short_name_of(const std::string& name) {
  constexpr std::size_t most = 32;  // bytes
  const std::string mark = origin_mark(name);
  return shortened(name.substr(0, name.size() - mark.size()), most) + mark;
}

/// Name of a run among those with the collective.
std::string name_in(const Material& material, const Sweep& sweep, std::size_t of) {
  std::vector<const Run*> runs;
  for (const std::size_t run : sweep.runs) runs.push_back(&material.runs()[run]);
  const auto place = std::distance(sweep.runs.begin(), sweep.runs.find(of));
  return short_name_of(run_names(runs)[static_cast<std::size_t>(place)]);
}

/// Run and scale of a figure: "vm, 2 ranks on 1 node". The name only tells the runs with this collective apart.
std::string scope_of(const Material& material, const Sweep& sweep, const Measured& m) {
  const std::string scale = scale_text(m.record->key);
  if (sweep.runs.size() == 1) return scale + (material.runs().size() > 1 ? origin_mark(material.names()[m.run]) : "");
  return fmt::format("{}, {}", name_in(material, sweep, m.run), scale);
}

Judgement judge_share(double achieved) {
  return achieved >= expected::enough  ? Judgement::good
         : achieved < expected::little ? Judgement::doubtful
                                       : Judgement::open;
}

KeyFigure bandwidth_figure(const Material& material, const Sweep& sweep) {
  const CaseRecord& c = *sweep.largest.record;
  KeyFigure figure{.title = fmt::format("{}, {}", sweep.subject, format_size(c.key.bytes)),
                   .value = bandwidth(c.busbw_GBps),
                   .unit = "GB/s busbw",
                   .interval = plus_minus(c),
                   .scope = scope_of(material, sweep, sweep.largest),
                   .link = anchor_of_case(sweep.subject, c.key.bytes)};
  const expected::ExpectedPoint* point = find_expected(material, c);
  if (point != nullptr && point->achieved()) {
    figure.judgement = judge_share(*point->achieved());
    figure.expected = fmt::format("{:.0f} % of {} GB/s, {}", 100 * *point->achieved(),
                                  bandwidth(point->ceiling()->busbw_GBps), point->ceiling()->what);
  } else if (const expected::Placement* p = find_placement(material, c)) {
    figure.expected = others_text(*p);
  }
  mark_disturbance(figure, disturbance_of(material, c));
  if (*sweep.peak.record->busbw_GBps > much_higher * *c.busbw_GBps)
    figure.scope += fmt::format("; peak {} at {}", bandwidth(sweep.peak.record->busbw_GBps),
                                format_size(sweep.peak.record->key.bytes));
  return figure;
}

KeyFigure latency_figure(const Material& material, const Sweep& sweep) {
  const CaseRecord& c = *sweep.smallest.record;
  KeyFigure figure{.title = fmt::format("{}, {}", sweep.subject, format_size(c.key.bytes)),
                   .interval = plus_minus(c),
                   .scope = scope_of(material, sweep, sweep.smallest),
                   .link = anchor_of_case(sweep.subject, c.key.bytes)};
  set_time(figure, c.time_s);
  if (const expected::Placement* p = find_placement(material, c)) figure.expected = others_text(*p);
  mark_disturbance(figure, disturbance_of(material, c));
  return figure;
}

/// "allreduce reaches 8.46 GB/s busbw at 64 MiB (62 % of what the host memory allows) and takes 0.25 us at 8 B".
std::string verdict_on(const Material& material, const Sweep& sweep) {
  const CaseRecord& large = *sweep.largest.record;
  const CaseRecord& small = *sweep.smallest.record;
  std::string text = sweep.subject;
  if (large.key.bytes >= least_large && large.busbw_GBps) {
    text += fmt::format(" reaches {} GB/s busbw at {}", bandwidth(large.busbw_GBps), format_size(large.key.bytes));
    const expected::ExpectedPoint* point = find_expected(material, large);
    if (point != nullptr && point->achieved())
      text += fmt::format(" ({}{:.0f} % of what the {} allows)", *point->achieved() < expected::little ? "only " : "",
                          100 * *point->achieved(), point->ceiling()->what);
    const std::string by = disturbance_of(material, large);
    if (!by.empty()) text += ", disturbed by " + by;
    if (small.key.bytes > most_small) return text;
    text += by.empty() ? " and" : ", and";
  }
  return text + fmt::format(" takes {} at {}", duration(small.time_s), format_size(small.key.bytes));
}

/// "setting1 (imported): allreduce reaches only 17 % of 50.00 GB/s, network between nodes, at 1 GiB": the run that
/// reaches least, where the figure of the sweep shows one that reaches more. Empty unless that is little.
std::optional<Remark> low_run(const Material& material, const Sweep& sweep) {
  const expected::ExpectedPoint* best = find_expected(material, *sweep.largest.record);
  if (best == nullptr || best->achieved().value_or(0) < expected::little) return std::nullopt;
  const expected::ExpectedPoint* lowest = best;
  std::size_t of = sweep.largest.run;
  for (const expected::ExpectedSeries& series : material.expected()) {
    const auto run =
        static_cast<std::size_t>(std::ranges::find(material.names(), series.run) - material.names().begin());
    if (!sweep.runs.contains(run)) continue;
    for (const expected::ExpectedPoint& p : series.points) {
      const CaseRecord& c = *p.record;
      if (!counts(c) || c.key.bytes != best->record->key.bytes || subject(c.key) != subject(best->record->key))
        continue;
      if (!p.achieved() || *p.achieved() >= *lowest->achieved()) continue;
      lowest = &p;
      of = run;
    }
  }
  if (*lowest->achieved() >= expected::little) return std::nullopt;
  return Remark{.text = fmt::format("{}: {} reaches only {:.0f} % of {} GB/s, {}, at {}", name_in(material, sweep, of),
                                    sweep.subject, 100 * *lowest->achieved(), bandwidth(lowest->ceiling()->busbw_GBps),
                                    lowest->ceiling()->what, format_size(lowest->record->key.bytes)),
                .link = anchor_of_case(sweep.subject, lowest->record->key.bytes)};
}

Highlight find_messages(const Material& material) {
  const std::vector<Sweep> sweeps = sweeps_of(material.runs());
  if (sweeps.empty()) return {};
  Highlight found{.weight = Weight::result,
                  .verdict = verdict_on(material, sweeps.front()),
                  .chart = {"collectives", sweeps.front().subject}};
  const auto small =
      std::ranges::find_if(sweeps, [](const Sweep& s) { return s.smallest.record->key.bytes <= most_small; });
  for (const Sweep& sweep : sweeps) {
    if (found.figures.size() == most_collectives) break;
    const CaseRecord& c = *sweep.largest.record;
    if (c.key.bytes < least_large || !c.busbw_GBps) continue;
    found.figures.push_back(bandwidth_figure(material, sweep));
    if (auto low = low_run(material, sweep); low && found.remarks.empty()) found.remarks.push_back(*std::move(low));
  }
  if (!found.figures.empty()) found.judgement = found.figures.front().judgement;
  if (small != sweeps.end())
    found.figures.insert(found.figures.begin() + std::min<std::ptrdiff_t>(1, std::ssize(found.figures)),
                         latency_figure(material, *small));
  return found;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::HighlightSource messages{.name = "messages", .find = report::find_messages};

}  // namespace busbar
