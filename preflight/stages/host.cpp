// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstring>

#include "preflight/read/read.hpp"
#include "preflight/stages/parts.hpp"

namespace busbar::preflight {
namespace {

double now_s() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

struct Offset {
  double seconds = 0, error_s = 0;
};

/// Offset of another rank's time-of-day clock from this one's. The other rank reads its clock between this rank's send
/// and receive, so the fastest exchange bounds the offset best (Cristian, "Probabilistic clock synchronization", 1989).
/// Both ranks call it; rank 0 uses the result.
Offset compare_clocks(Roll& roll, int other, double limit_s) {
  constexpr int exchanges = 8;
  Offset best{.seconds = 0, .error_s = 1e9};
  for (int i = 0; i < exchanges; ++i) {
    const double before = now_s();
    const auto theirs = roll.swap(other, std::as_bytes(std::span(&before, 1)), limit_s);
    const double after = now_s();
    if (!theirs) throw Silence({other});
    double their_clock = 0;
    std::memcpy(&their_clock, theirs->data(), sizeof their_clock);
    // The other rank reads its clock after the previous exchange: between these two readings, except in the first one.
    if (i > 0 && (after - before) / 2 < best.error_s)
      best = {.seconds = their_clock - (before + after) / 2, .error_s = (after - before) / 2};
  }
  return best;
}

/// Clock offsets of all hosts from rank 0's, measured one host at a time.
std::vector<Offset> compare_clocks(Run& run) {
  std::vector<Offset> all(1);
  if (run.roll.rank() != 0) {
    if (run.speaks_for_host()) (void)compare_clocks(run.roll, 0, 2 * run.alarm.limit_s());
    return all;
  }
  const auto others = first_ranks(run.facts);
  for (std::size_t host = 1; host < others.size(); ++host) {
    run.alarm.at("comparing clocks with " + name_ranks(run.facts, {others[host]}));
    all.push_back(compare_clocks(run.roll, others[host], run.alarm.limit_s()));
  }
  return all;
}

}  // namespace

void gather_host(Run& run) {
  run.alarm.at("reading host facts from the kernel and NVML");
  std::optional<std::string> nvml_problem;
  auto hosts = gather_of_hosts<HostFacts>(run, [&] { return read_host_facts(nvml_problem); });
  run.alarm.at("reading its resource limits");
  gather(run, &RankFacts::limits, read_limits());
  const auto problems = run.roll.gather(nvml_problem.value_or(""));
  for (const std::string& problem : problems)
    if (!problem.empty()) run.facts.nvml_problem = problem;
  const auto clocks = compare_clocks(run);
  if (run.roll.rank() != 0) return;
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    hosts[h].clock_offset_s = clocks[h].seconds;
    hosts[h].clock_error_s = clocks[h].error_s;
  }
  run.facts.hosts = std::move(hosts);
}

}  // namespace busbar::preflight
