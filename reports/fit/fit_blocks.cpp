// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/fit_blocks.hpp"

#include <algorithm>
#include <optional>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "reports/fit/loggp.hpp"
#include "reports/text/text.hpp"

namespace busbar::fit {
namespace {

using report::Block, report::ColumnKind, report::number, report::Paragraph, report::Table;

std::string percent(double share) { return fmt::format("{:.{}f} %", 100 * share, share < 0.0995 ? 1 : 0); }

/// "10.8 (8.1 - 13.5)".
std::string with_interval(double value, double low, double high) {
  return fmt::format("{:.3g} ({:.3g} - {:.3g})", value, low, high);
}

std::string microseconds(const Estimate& e) { return with_interval(1e6 * e.value, 1e6 * e.low, 1e6 * e.high); }

/// GB/s from a time per byte; an interval that includes 0 gives only a lower bound.
std::string bandwidth(const Estimate& e) {
  if (!(e.value > 0)) return "not seen";
  const double value = 1e-9 / e.value, low = 1e-9 / e.high;
  if (!(e.low > 0)) return fmt::format("{:.3g} (above {:.3g})", value, low);
  return with_interval(value, low, 1e-9 / e.low);
}

std::string fit_blocks_launches(const Region& r) {
  if (r.launches.degrees > 0) return percent(r.launches.value);
  return percent(r.launches.value) + " assumed";
}

/// The curves of a region by weight: "ring", "ring (reported)", "tree 80 %, ring 20 %".
std::string algorithms_text(const Region& r) {
  std::vector<std::string> names;
  for (const Curve& c : r.curves)
    names.push_back(c.told                ? c.algorithm + " (reported)"
                    : r.curves.size() > 1 ? fmt::format("{} {:.0f} %", c.algorithm, 100 * c.weight)
                                          : c.algorithm);
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (!r.choices.empty()) text += ": " + report::list(r.choices, 3);
  return text;
}

std::vector<std::string> row(const Region& r) {
  const Curve& c = r.best();
  return {format_size(r.first) + " to " + format_size(r.last),
          algorithms_text(r),
          microseconds(estimate(c, r.launches, call_term)),
          c.step_known ? microseconds(estimate(c, r.launches, step_term)) : "in the call",
          bandwidth(estimate(c, r.launches, byte_term)),
          fmt::format("{}, {:+.0f} % at {}", percent(r.rms), 100 * r.worst, format_size(r.worst_bytes)),
          fmt::format("{}, {}", r.points, fit_blocks_launches(r))};
}

std::string scales_text(const Sweep& s) {
  std::string text;
  const auto all = s.scales();
  for (const Scale& scale : all)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", s.level == in_node ? scale.ranks : scale.nodes);
  return fmt::format(
      "{} {}{}", text, s.level == in_node ? "ranks" : "nodes",
      s.level == in_node ? "" : fmt::format(" of {}", plural(static_cast<int>(all.front().per_node()), "rank")));
}

std::string changes(const std::vector<Region>& regions) {
  std::string text;
  for (std::size_t i = 1; i < regions.size(); ++i)
    text += fmt::format("{}between {} and {}", text.empty() ? "" : "; ", format_size(regions[i - 1].last),
                        format_size(regions[i].first));
  return text.empty() ? "One curve fits all sizes." : "The curve changes " + text + ".";
}

Table table(const SweepFit& fit, const std::vector<Region>& regions, std::string title, std::string_view lengths) {
  const bool node = fit.sweep.level == in_node;
  Table t{.title = std::move(title),
          .columns = {{std::string(lengths), ColumnKind::name},
                      {"algorithm"},
                      {"call us", number},
                      {"step us", number},
                      {node ? "GB/s per rank" : "GB/s per node", number},
                      {"residual: rms, worst"},
                      {"points, launches"}}};
  for (const Region& r : regions) t.rows.push_back(row(r));
  return t;
}

std::string text_of(const std::optional<Estimate>& e, double unit) {
  return e ? with_interval(e->value / unit, e->low / unit, e->high / unit) : std::string(report::unknown);
}

/// LogGP of pairs. Shows G as the equivalent bandwidth, which is easier to read than ns/KiB.
Table loggp_table(const std::vector<LogGp>& all) {
  Table t{.title = "LogGP of messages between two ranks",
          .columns = {{"of"},
                      {"level", ColumnKind::name},
                      {"L + 2o us", number},
                      {"g us", number},
                      {"1/G GB/s", number},
                      {"from"}}};
  for (const LogGp& l : all)
    t.rows.push_back({l.name, l.level, text_of(l.latency_and_overhead, 1e-6), text_of(l.gap, 1e-6),
                      l.gap_per_byte ? bandwidth(*l.gap_per_byte) : std::string(report::unknown),
                      fmt::format("{}", fmt::join(l.from, "; "))});
  return t;
}

void add_loggp(std::vector<Block>& all, const Fit& fit) {
  const std::vector<LogGp> found = loggp_of(fit);
  if (found.empty()) return;
  all.emplace_back(loggp_table(found));
  std::vector<std::string> said;
  for (const LogGp& l : found)
    for (const std::string& text : l.unknown)
      if (std::ranges::find(said, text) == said.end()) said.push_back(text);
  all.emplace_back(Paragraph{.text = fmt::format("Unknown: {}.", fmt::join(said, "; "))});
}

/// Empty unless the call is known beside the times.
std::string source_of_call(const Sweep& s) {
  const auto call = prior_of_call(s);
  if (s.scales().size() > 1 || !call) return {};
  return fmt::format(" One scale does not show what a call takes: about {} of {} is known (docs/predicting.md).",
                     format_duration(call->value), s.backend);
}

std::string meaning(const Fit& fit) {
  return fmt::format(
      "time = call + step x steps + volume x size / GB/s, with the steps and volumes of each algorithm: Hockney's "
      "latency and bandwidth, per level. In parentheses: 95 % intervals by Student's t. Residuals: ln(measured / "
      "fitted). Launches: variation between launches of one scale; {} is assumed below three degrees of freedom. "
      "\"(reported)\": the library named this algorithm. Otherwise the best-fitting algorithm comes first, with all "
      "others that the times do not rule out.",
      percent(fit.assumed_spread));
}

}  // namespace

std::vector<Block> blocks_of(const Fit& fit) {
  std::vector<Block> all{Paragraph{.text = meaning(fit)}};
  for (const SweepFit& one : fit.sweeps) {
    if (one.regions.empty()) {
      all.emplace_back(Paragraph{.text = fmt::format("{}: {}, {}: no fit: {}.", one.sweep.name(), one.sweep.level,
                                                     scales_text(one.sweep), one.problem)});
      continue;
    }
    all.emplace_back(table(one, one.regions,
                           fmt::format("{}: {}, {}", one.sweep.name(), one.sweep.level, scales_text(one.sweep)),
                           "sizes"));
    all.emplace_back(Paragraph{.text = changes(one.regions) + source_of_call(one.sweep)});
    for (const ByMessage& b : one.by_message)
      all.emplace_back(table(one, b.regions, fmt::format("By message length, algorithm {}", b.algorithm), "messages"));
  }
  add_loggp(all, fit);
  for (const std::string& text : fit.remarks)
    all.emplace_back(Paragraph{.text = text + ".", .tone = report::Tone::warning});
  for (const std::string& text : fit.left_out)
    all.emplace_back(Paragraph{.text = text + ".", .tone = report::Tone::warning});
  return all;
}

}  // namespace busbar::fit
