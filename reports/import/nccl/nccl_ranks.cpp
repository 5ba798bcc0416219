// SPDX-License-Identifier: Apache-2.0
#include "reports/import/nccl/nccl_ranks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "reports/import/nccl/nccl_places.hpp"
#include "reports/import/nccl/nccl_program.hpp"
#include "reports/runs/collective_facts.hpp"

namespace busbar {
namespace {

constexpr int most_ranks = 1 << 17;

/// Fewest ranks with at least this bus factor, which grows with the ranks; most_ranks + 1 if none has.
int fewest_with(std::string_view collective, double factor) {
  int low = 2, high = most_ranks + 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    (bus_factor_of(collective, middle) < factor ? low = middle + 1 : high = middle);
  }
  return low;
}

/// Numbers of ranks for which the two bandwidths, as rounded, have the collective's bus factor.
RankRange range_of(std::string_view collective, const NcclHalf& half) {
  const double low = half.busbw_GBps->low() / half.algbw_GBps->high();
  const double high = half.busbw_GBps->high() / half.algbw_GBps->low();
  const int above = fewest_with(collective, std::nextafter(high, 1e9));
  return {.low = fewest_with(collective, low), .high = above - 1};
}

std::optional<RankRange> range_of_rows(const NcclJob& job, std::string_view collective) {
  if (bus_factor_of(collective, 2) == bus_factor_of(collective, 3)) return std::nullopt;
  std::vector<const NcclHalf*> halves;
  for (const NcclRow& row : job.rows)
    for (const NcclHalf& half : row.halves)
      if (half.algbw_GBps && half.busbw_GBps && half.algbw_GBps->low() > 0) halves.push_back(&half);
  std::ranges::sort(halves, std::ranges::greater{}, [](const NcclHalf* half) { return half->algbw_GBps->value; });
  RankRange all{.low = 2, .high = most_ranks};
  std::size_t disagree = 0;
  for (const NcclHalf* half : halves) {
    const RankRange one = range_of(collective, *half);
    const RankRange both{.low = std::max(all.low, one.low), .high = std::min(all.high, one.high)};
    if (both.low > both.high)
      ++disagree;
    else
      all = both;
  }
  return halves.empty() || 4 * disagree > halves.size() ? std::nullopt : std::optional(all);
}

/// The number behind one of the flags, or joined to it by "=".
std::optional<int> number_behind(const std::vector<std::string>& words, std::span<const std::string_view> flags) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const std::string_view flag : flags) {
      if (words[i] == flag && i + 1 < words.size()) return small_integer(words[i + 1]);
      if (words[i].starts_with(flag) && words[i].substr(flag.size()).starts_with('='))
        return small_integer(std::string_view(words[i]).substr(flag.size() + 1));
    }
  }
  return std::nullopt;
}

/// Ranks that a command line starts: processes, times threads, times GPUs of a thread.
std::optional<int> ranks_of_command(const std::vector<std::string>& command) {
  static constexpr std::array<std::string_view, 5> processes{"-np", "--np", "-n", "--n", "--ntasks"};
  const auto program = std::ranges::find_if(command, [](const std::string& word) { return word.ends_with("_perf"); });
  const std::vector<std::string> launcher(command.begin(), program), own(program, command.end());
  const auto count = number_behind(launcher, processes);
  if (!count || own.empty()) return std::nullopt;
  int each = 1;
  for (const auto& [brief, full] : {std::pair{"-t", "--nthreads"}, std::pair{"-g", "--ngpus"}}) {
    const auto value = nccl_option(own, brief, full);
    const auto number = value ? small_integer(*value) : std::optional(1);
    if (!number || *number < 1) return std::nullopt;
    each *= *number;
  }
  return *count > 0 && *count <= most_ranks / each ? std::optional(*count * each) : std::nullopt;
}

std::string text_of(const RankRange& range) {
  return range.low == range.high ? plural(range.low, "rank") : fmt::format("{} to {} ranks", range.low, range.high);
}

RankCount as_stated(int ranks, const RankEvidence& e) {
  RankCount count{.ranks = ranks, .doubts = {}};
  if (e.highest > 0 && e.highest != ranks)
    count.doubts.push_back(
        fmt::format("--ranks {} was taken, though the log lists {}", ranks, plural(e.highest, "rank")));
  return count;
}

/// Without a list of ranks.
RankCount by_launcher(const RankEvidence& e) {
  if (!e.by_launcher || (e.by_factor && !e.by_factor->holds(*e.by_launcher))) return {};
  return {.ranks = *e.by_launcher,
          .doubts = {fmt::format("{} taken from the command line: the log does not list them",
                                 plural(*e.by_launcher, "rank"))}};
}

bool lists(const RankEvidence& e, int ranks) { return ranks == e.highest || ranks == e.listed; }

/// How many of the three sources tell this number.
int votes(const RankEvidence& e, int ranks) {
  return static_cast<int>(lists(e, ranks)) + static_cast<int>(e.by_launcher == ranks) +
         static_cast<int>(e.by_factor && e.by_factor->holds(ranks));
}

/// The number that busbw/algbw tells. One far from the list's is that of another collective.
std::optional<int> told_by_factor(const RankEvidence& e) {
  if (!e.by_factor || e.by_factor->low != e.by_factor->high) return std::nullopt;
  const int ranks = e.by_factor->low;
  return 4 * std::abs(ranks - e.highest) <= e.highest ? std::optional(ranks) : std::nullopt;
}

/// Each number that a source tells, those of the list first.
std::vector<int> candidates(const RankEvidence& e) {
  std::vector<int> all;
  for (const std::optional<int> ranks :
       {std::optional(e.highest), std::optional(e.listed), e.by_launcher, told_by_factor(e)})
    if (ranks && std::ranges::find(all, *ranks) == all.end()) all.push_back(*ranks);
  return all;
}

/// "the list has 7 of 8 ranks, the command line starts 8 ranks, busbw/algbw is that of 8 ranks".
std::string text_of(const RankEvidence& e) {
  std::string text = fmt::format("the list has {} of {}", e.listed, plural(e.highest, "rank"));
  if (e.by_launcher) text += fmt::format(", the command line starts {}", plural(*e.by_launcher, "rank"));
  if (e.by_factor) text += ", busbw/algbw is that of " + text_of(*e.by_factor);
  return text;
}

bool all_agree(const RankEvidence& e) {
  return e.listed == e.highest && e.by_launcher.value_or(e.highest) == e.highest &&
         (!e.by_factor || e.by_factor->holds(e.highest) || !told_by_factor(e));
}

/// Most ranks on a host.
int most_on_a_host(const std::vector<NcclRank>& ranks) {
  int most = 0;
  for (const auto& [host, number] : ranks_by_host(ranks)) most = std::max(most, number);
  return most;
}

/// Hosts of a job of `ranks`, of which not all may be listed, or not by the whole name of their host.
void check_hosts(NcclLayout& l, const std::vector<NcclRank>& listed, std::vector<std::string>& doubts) {
  const int most = most_on_a_host(listed);
  if (most == 0) return;
  const int needed = (l.ranks + most - 1) / most;
  if (static_cast<int>(listed.size()) < l.ranks) l.ranks_per_node.reset();
  if (l.nodes == needed && l.ranks == needed * most) {
    l.ranks_per_node = most;
    return;
  }
  if (l.nodes == needed) {
    doubts.push_back(fmt::format("{} on {}, up to {} on one: unless they were started so, the list has lost a line",
                                 plural(l.ranks, "rank"), plural(*l.nodes, "host"), most));
    return;
  }
  doubts.push_back(fmt::format("the log names {}, but {} at up to {} on a host need {}; add --nodes N",
                               plural(*l.nodes, "host"), plural(l.ranks, "rank"), most, needed));
  l.nodes.reset();
  l.ranks_per_node.reset();
}

/// Ranks of each process: as many as it has threads and GPUs, if its lines are whole.
void check_processes(const NcclJob& job, std::vector<std::string>& doubts) {
  const int each = job.settings.threads.value_or(1) * job.settings.gpus.value_or(1);
  std::map<std::pair<std::string, std::string>, int> of_process;
  for (const NcclRank& r : ranks_of(job)) ++of_process[{r.host, r.process}];
  for (const auto& [process, number] : of_process)
    if (each > 1 && number % each != 0 && copies_of(job) == 1) {
      doubts.push_back(fmt::format("the list has {} of process {} on {}, which has {}: lines of it are lost or garbled",
                                   plural(number, "rank"), process.second, process.first, each));
      return;
    }
}

/// Ranks with the same device: the name of a host is garbled, or hosts have the same name.
void check_same_device(const NcclJob& job, std::vector<std::string>& doubts) {
  std::map<std::string, int> rank_of;
  for (const NcclRank& r : ranks_of(job)) {
    if (!r.index || copies_of(job) > 1) return;
    const auto [first, is_new] = rank_of.emplace(fmt::format("{} {} {}", r.host, *r.index, r.bus), r.rank);
    if (is_new) continue;
    doubts.push_back(
        fmt::format("ranks {} and {} are listed on the same device of {}: hosts have the same name, or one is "
                    "garbled, and the number of nodes is wrong",
                    first->second, r.rank, r.host));
    return;
  }
}

/// Devices of each host, by number of ranks: hosts with as many ranks use the same devices, or a name is garbled.
void check_devices(const NcclJob& job, std::vector<std::string>& doubts) {
  std::map<std::string, std::set<int>> of_host;
  for (const NcclRank& r : ranks_of(job))
    if (r.index) of_host[r.host].insert(*r.index);
  const auto starts_late = [](const auto& host) { return *host.second.begin() > 0; };
  const auto odd = std::ranges::find_if(of_host, starts_late);
  if (odd == of_host.end() || std::ranges::all_of(of_host, starts_late) || copies_of(job) > 1) return;
  doubts.push_back(
      fmt::format("on {} the first device is {}, and 0 on other hosts: its name may be garbled, and the "
                  "number of nodes wrong",
                  odd->first, *odd->second.begin()));
}

}  // namespace

RankEvidence rank_evidence(const NcclLog& log, const NcclJob& job, const std::vector<std::string>& command,
                           std::string_view collective) {
  RankEvidence e;
  const std::vector<NcclRank> ranks = ranks_of(job);
  e.listed = static_cast<int>(ranks.size());
  if (!ranks.empty()) e.highest = ranks.back().rank + 1;
  const auto is_beside = [&job](const NcclJob& other) { return other.stream != job.stream; };
  const bool separate = copies_of(job) > 1 || std::ranges::any_of(log.jobs, is_beside);
  if (job.rows.empty() || separate) return e;  // it may list only some; separate jobs have their own ranks
  e.by_launcher = ranks_of_command(command);
  const bool in_groups = std::ranges::any_of(ranks, [](const NcclRank& r) { return r.group > 0; });
  if (!in_groups) e.by_factor = range_of_rows(job, collective);
  return e;
}

RankCount count_ranks(const ImportRequest& request, const RankEvidence& e) {
  if (request.ranks) return as_stated(*request.ranks, e);
  if (e.highest == 0) return by_launcher(e);
  const std::vector<int> all = candidates(e);
  const int best =
      *std::ranges::max_element(all, {}, [&e](int ranks) { return votes(e, ranks); });  // the first of equals
  for (const int other : all)
    if (votes(e, other) == votes(e, best) && lists(e, other) != lists(e, best))
      throw UsageError(
          fmt::format("{}: how many ranks took part is not clear: {}; add --ranks N", request.source, text_of(e)));
  if (all_agree(e)) return {.ranks = best, .doubts = {}};
  return {.ranks = best, .doubts = {fmt::format("{} taken: {}", plural(best, "rank"), text_of(e))}};
}

NcclLayout job_layout(const ImportRequest& request, const NcclJob& job, const RankCount& count,
                      std::vector<std::string>& doubts) {
  const std::vector<NcclRank> listed = ranks_of(job);
  NcclLayout l = job.layout.value_or(layout_of(listed));
  if (request.ranks || !job.layout) l.ranks = count.ranks;
  if (l.ranks == 0)
    throw UsageError(fmt::format("{}: the log does not say how many ranks took part; add --ranks N", request.source));
  if (request.nodes) {
    if (l.nodes && *l.nodes != *request.nodes) {
      doubts.push_back(
          fmt::format("--nodes {} was taken, though the log lists {}", *request.nodes, plural(*l.nodes, "node")));
      l.ranks_per_node.reset();
    }
    l.nodes = request.nodes;
  } else if (!job.layout) {
    check_hosts(l, listed, doubts);
    check_processes(job, doubts);
    check_devices(job, doubts);
    check_same_device(job, doubts);
  }
  if (l.nodes == 1) l.ranks_per_node = l.ranks;
  return l;
}

}  // namespace busbar
