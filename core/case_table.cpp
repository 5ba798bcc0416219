// SPDX-License-Identifier: Apache-2.0
#include "core/case_table.hpp"

#include <algorithm>

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
  constexpr std::size_t shown = 4;
  if (r.hosts.empty()) return "hosts unknown";
  std::string all;
  for (std::size_t i = 0; i < std::min(shown, r.hosts.size()); ++i) all += (i == 0 ? "" : ", ") + r.hosts[i].name;
  return r.hosts.size() > shown ? fmt::format("{} and {} more", all, r.hosts.size() - shown) : all;
}

std::string plural(int n, std::string_view word) { return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s"); }

std::string sampling(const Method& m) {
  const std::string rank_rule = m.rank_rule == "slowest" ? "the slowest rank of each" : m.rank_rule + " over ranks";
  return fmt::format("# time: {} over iterations, {}\n# cadence: {}; data check: {}\n", m.statistic, rank_rule,
                     m.cadence, m.check);
}

}  // namespace

std::string table_head(const RunRecord& r) {
  std::string s =
      fmt::format("# {} {}{}, {}\n", r.tool.name, r.tool.version.value_or("(version unknown)"),
                  r.tool.revision ? " (" + *r.tool.revision + ")" : "", r.start_utc.value_or("start unknown"));
  s += fmt::format("# {} on {}: {}{}\n", plural(r.ranks, "rank"), r.nodes ? plural(*r.nodes, "node") : "unknown nodes",
                   host_list(r), r.mpi ? "; " + r.mpi->library : "");
  s += sampling(r.method);
  s += "# size: the larger of a rank's send and receive buffer (binary: 1 KiB = 1024 B)\n"
       "# algbw: size / time; busbw: algbw x factor, as nccl-tests (decimal: 1 GB/s = 1e9 B/s)\n";
  for (const auto& [key, value] : r.labels) s += fmt::format("# label {}={}\n", key, value);
  for (const auto& note : r.notes) s += fmt::format("# note: {}\n", note);
  return s;
}

std::string table_series(const CaseRecord& c) { return series_name(c.key); }

std::string table_columns(const CaseRecord& c) {
  std::string s = fmt::format("#\n# {}\n", table_series(c));
  if (c.reduction && c.reduction->find("busbar") != std::string::npos)
    s += fmt::format("# reduction: {}\n", *c.reduction);
  s += fmt::format("# {:>8} {:>11} {:>11} {:>11} {:>8} {:>8} {:>8}  {}\n", "size", "count", "time", "p99", "algbw",
                   "busbw", "samples", "check");
  return s + fmt::format("# {:>8} {:>11} {:>11} {:>11} {:>8} {:>8}\n", "", "(elements)", "(us)", "(us)", "(GB/s)",
                         "(GB/s)");
}

std::string table_row(const CaseRecord& c) {
  const std::string size = format_size(c.key.bytes);
  if (c.status != Status::ok && !c.time_s)
    return fmt::format("{:>10} {}: {}\n", size, name(c.status), c.reason.value_or("no reason given"));
  std::string row = fmt::format("{:>10} {:>11} {:>11} {:>11} {:>8} {:>8} {:>8}  {}\n", size,
                                c.count ? std::to_string(*c.count) : "-", fixed_us(c.time_s), fixed_us(p99(c)),
                                bandwidth(c.algbw_GBps), bandwidth(c.busbw_GBps), samples(c), c.check.state);
  if (c.status == Status::failed) row += fmt::format("{:>10} failed: {}\n", size, c.reason.value_or("no reason given"));
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
