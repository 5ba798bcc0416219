// SPDX-License-Identifier: Apache-2.0
#include "core/case_table.hpp"

#include <fmt/core.h>

#include "core/units.hpp"

namespace busbar {
namespace {

std::string fixed_us(std::optional<double> seconds) { return seconds ? fmt::format("{:.2f}", *seconds * 1e6) : "-"; }

std::string bandwidth(std::optional<double> gbps) {
  if (!gbps) return "-";
  return fmt::format("{:.{}f}", *gbps, *gbps < 1 ? 4 : 2);
}

std::optional<double> p99(const CaseRecord& c) {
  return c.statistics ? std::optional(c.statistics->p99_s) : std::nullopt;
}

std::string samples(const CaseRecord& c) { return c.samples_taken ? std::to_string(*c.samples_taken) : "-"; }

std::string host_list(const RunRecord& r) {
  std::string all;
  for (const Host& h : r.hosts) all += (all.empty() ? "" : ", ") + h.name;
  return all.empty() ? "hosts unknown" : all;
}

std::string plural(int n, std::string_view word) { return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s"); }

std::string sampling(const Method& m) {
  const std::string rank_rule = m.rank_rule == "slowest" ? "the slowest rank of each" : m.rank_rule + " over ranks";
  return fmt::format("{} over iterations, {}; cadence: {}; data check: {}", m.statistic, rank_rule, m.cadence, m.check);
}

}  // namespace

std::string table_head(const RunRecord& r) {
  std::string s =
      fmt::format("# {} {}{}, {}\n", r.tool.name, r.tool.version.value_or("(version unknown)"),
                  r.tool.revision ? " (" + *r.tool.revision + ")" : "", r.start_utc.value_or("start unknown"));
  s += fmt::format("# {} on {}: {}{}\n", plural(r.ranks, "rank"), r.nodes ? plural(*r.nodes, "node") : "unknown nodes",
                   host_list(r), r.mpi ? "; " + r.mpi->library : "");
  s += fmt::format("# time: {}\n", sampling(r.method));
  s +=
      "# size: the larger of a rank's send and receive buffer, binary (1 KiB = 1024 B); algbw = size/time and busbw =\n"
      "# algbw x factor (as nccl-tests), decimal (1 GB/s = 1e9 B/s)\n";
  for (const auto& [key, value] : r.labels) s += fmt::format("# label {}={}\n", key, value);
  for (const auto& note : r.notes) s += fmt::format("# note: {}\n", note);
  return s;
}

std::string table_series(const CaseRecord& c) { return series_name(c.key); }

std::string table_columns(const CaseRecord& c) {
  return fmt::format("#\n# {}\n# {:>10} {:>12} {:>12} {:>12} {:>11} {:>11} {:>8}  {}\n", table_series(c), "size",
                     "count", "time(us)", "p99(us)", "algbw(GB/s)", "busbw(GB/s)", "samples", "check");
}

std::string table_row(const CaseRecord& c) {
  const std::string size = format_size(c.key.bytes);
  if (c.status != Status::ok && !c.time_s)
    return fmt::format("  {:>10} {}: {}\n", size, name(c.status), c.reason.value_or("no reason given"));
  std::string row = fmt::format("  {:>10} {:>12} {:>12} {:>12} {:>11} {:>11} {:>8}  {}\n", size,
                                c.count ? std::to_string(*c.count) : "-", fixed_us(c.time_s), fixed_us(p99(c)),
                                bandwidth(c.algbw_GBps), bandwidth(c.busbw_GBps), samples(c), c.check.state);
  if (c.status == Status::failed)
    row += fmt::format("  {:>10} failed: {}\n", size, c.reason.value_or("no reason given"));
  return row;
}

std::string table_foot(const EndRecord& e) {
  std::string s = fmt::format("#\n# {} ok, {} skipped, {} failed; run ended: {}", e.ok, e.skipped, e.failed, e.status);
  if (e.wall_s) s += fmt::format(", {:.1f} s", *e.wall_s);
  return s + (e.reason ? fmt::format(": {}\n", *e.reason) : "\n");
}

std::string table(const Run& run) {
  std::string s = table_head(run.head);
  std::string series;
  for (const CaseRecord& c : run.cases) {
    if (table_series(c) != series) s += table_columns(c);
    series = table_series(c);
    s += table_row(c);
  }
  if (run.end) s += table_foot(*run.end);
  for (const auto& note : run.notes) s += fmt::format("# note: {}\n", note);
  return s;
}

}  // namespace busbar
