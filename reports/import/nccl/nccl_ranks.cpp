// SPDX-License-Identifier: Apache-2.0
#include "reports/import/nccl/nccl_ranks.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "reports/import/case_lists.hpp"
#include "reports/import/nccl/nccl_places.hpp"
#include "reports/import/told_places.hpp"

namespace busbar {
namespace {

/// Ranks of a process: its threads times the GPUs of each, by its opening line or by its command line.
std::optional<int> ranks_of_process(const NcclJob& job, const std::vector<std::string>& argv) {
  const auto number = [&argv](std::string_view brief, std::string_view full, std::optional<int> printed) {
    if (printed || argv.empty()) return printed;
    const auto value = nccl_option(argv, brief, full);
    return value ? small_integer(*value) : std::optional(1);
  };
  const auto threads = number("-t", "--nthreads", job.settings.threads);
  const auto gpus = number("-g", "--ngpus", job.settings.gpus);
  if (!threads || !gpus || *threads < 1 || *gpus < 1 || *gpus > most_factor_ranks / *threads) return std::nullopt;
  return *threads * *gpus;
}

std::optional<int> ranks_of_processes(std::optional<int> processes, std::optional<int> each) {
  return processes && each && *processes <= most_factor_ranks / *each ? std::optional(*processes * *each)
                                                                      : std::nullopt;
}

/// Processes that a command line starts. It may stand on several lines, of which the last names the program.
std::optional<int> processes_of_command(const NcclLog& log, const NcclProgram& program) {
  const auto on_its_line = [&program](const LaunchCommand& c) { return c.last_line == program.line; };
  const auto command = std::ranges::find_if(log.launch.commands, on_its_line);
  if (command != log.launch.commands.end()) return command->size.ranks;
  const auto named = [](const std::string& word) { return word.ends_with("_perf"); };
  const auto at = std::ranges::find_if(program.command, named);
  return at == program.command.end() ? std::nullopt : size_of_launcher({program.command.begin(), at}).ranks;
}

/// Without a list of ranks.
RankCount count_without_list(const RankEvidence& e) {
  const std::optional<int> ranks = e.by_launcher ? e.by_launcher : e.by_batch;
  if (!ranks || (e.by_factor && !e.by_factor->holds(*ranks))) return {};
  const std::string said = e.by_launcher ? "the command line" : e.batch_line;
  RankCount count{
      .ranks = *ranks,
      .doubts = {fmt::format("{} taken from {}: the log does not list them", plural(*ranks, "rank"), said)}};
  if (e.by_batch.value_or(*ranks) != *ranks)
    add_note(count.doubts, "{} would be {}", e.batch_line, plural(*e.by_batch, "rank"));
  return count;
}

bool lists(const RankEvidence& e, int ranks) { return ranks == e.highest || ranks == e.listed; }

/// How many of the sources tell this number.
int votes(const RankEvidence& e, int ranks) {
  return static_cast<int>(lists(e, ranks)) + static_cast<int>(e.by_launcher == ranks) +
         static_cast<int>(e.by_batch == ranks) + static_cast<int>(e.by_factor && e.by_factor->holds(ranks));
}

/// The number that busbw/algbw tells. One far from the list's is that of another collective.
std::optional<int> told_by_factor(const RankEvidence& e) {
  if (!e.by_factor || e.by_factor->low != e.by_factor->high) return std::nullopt;
  const int ranks = e.by_factor->low;
  return 4 * std::abs(ranks - e.highest) <= e.highest ? std::optional(ranks) : std::nullopt;
}

/// Each number that a source tells, those of the list first. An allocation may be larger than the job, so its number
/// only confirms others.
std::vector<int> candidates(const RankEvidence& e) {
  std::vector<int> all;
  for (const std::optional<int> ranks :
       {std::optional(e.highest), std::optional(e.listed), e.by_launcher, told_by_factor(e)})
    if (ranks) add_new(all, *ranks);
  return all;
}

/// "the list has 7 of 8 ranks, the command line starts 8 ranks, busbw/algbw is that of 8 ranks".
std::string text_of(const RankEvidence& e) {
  std::vector<std::string> parts;
  if (e.highest > 0) parts.push_back(fmt::format("the list has {} of {}", e.listed, plural(e.highest, "rank")));
  if (e.by_launcher) parts.push_back(fmt::format("the command line starts {}", plural(*e.by_launcher, "rank")));
  if (e.by_batch) parts.push_back(fmt::format("{} is for {}", e.batch_line, plural(*e.by_batch, "rank")));
  if (e.by_factor) parts.push_back("busbw/algbw is that of " + text_of(*e.by_factor));
  return fmt::format("{}", fmt::join(parts, ", "));
}

bool all_agree(const RankEvidence& e) {
  return e.listed == e.highest && e.by_launcher.value_or(e.highest) == e.highest &&
         e.by_batch.value_or(e.highest) == e.highest &&
         (!e.by_factor || e.by_factor->holds(e.highest) || !told_by_factor(e));
}

RankCount as_stated(int ranks, const RankEvidence& e) {
  const auto differs = [ranks](std::optional<int> number) { return number.value_or(ranks) != ranks; };
  const bool doubted = (e.highest > 0 && !lists(e, ranks)) || differs(e.by_launcher) || differs(e.by_batch) ||
                       (e.by_factor && !e.by_factor->holds(ranks));
  if (!doubted) return {.ranks = ranks, .doubts = {}};
  return {.ranks = ranks, .doubts = {fmt::format("--ranks {} was taken, though {}", ranks, text_of(e))}};
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
    add_note(doubts, "{} on {}, up to {} on one: unless they were started so, the list has lost a line",
             plural(l.ranks, "rank"), plural(*l.nodes, "host"), most);
    return;
  }
  add_note(doubts, "the log names {}, but {} at up to {} on a host need {}; add --nodes N", plural(*l.nodes, "host"),
           plural(l.ranks, "rank"), most, needed);
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
      add_note(doubts, "the list has {} of process {} on {}, which has {}: lines of it are lost or garbled",
               plural(number, "rank"), process.second, process.first, each);
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
    add_note(doubts,
             "ranks {} and {} are listed on the same device of {}: hosts have the same name, or one is garbled, and "
             "the number of nodes is wrong",
             first->second, r.rank, r.host);
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
  add_note(doubts,
           "on {} the first device is {}, and 0 on other hosts: its name may be garbled, and the number of nodes wrong",
           odd->first, *odd->second.begin());
}

}  // namespace

RankEvidence rank_evidence(const NcclLog& log, const NcclJob& job, const NcclProgram& program) {
  RankEvidence e;
  const std::vector<NcclRank> ranks = ranks_of(job);
  e.listed = static_cast<int>(ranks.size());
  if (!ranks.empty()) e.highest = ranks.back().rank + 1;
  const auto is_beside = [&job](const NcclJob& other) { return other.stream != job.stream; };
  const bool separate = copies_of(job) > 1 || std::ranges::any_of(log.jobs, is_beside);
  if (job.rows.empty() || separate) return e;  // it may list only some; separate jobs have their own ranks
  const std::optional<int> each = ranks_of_process(job, program.argv);
  e.by_launcher = ranks_of_processes(processes_of_command(log, program), each);
  if (const auto& batch = log.launch.ranks; batch.size() == 1)  // all lines about the allocation agree
    e.by_batch = ranks_of_processes(batch.front().number, each);
  if (e.by_batch) e.batch_line = log.launch.ranks.front().source;
  const bool in_groups = std::ranges::any_of(ranks, [](const NcclRank& r) { return r.group > 0; });
  if (!in_groups) e.by_factor = ranks_by_factor(program.collective, bandwidth_pairs(job));
  return e;
}

RankCount count_ranks(const ImportRequest& request, const RankEvidence& e) {
  if (request.ranks) return as_stated(*request.ranks, e);
  if (e.highest == 0) return count_without_list(e);
  const std::vector<int> all = candidates(e);
  const int best =
      *std::ranges::max_element(all, {}, [&e](int ranks) { return votes(e, ranks); });  // the first of equals
  for (const int other : all)
    if (votes(e, other) == votes(e, best) && lists(e, other) != lists(e, best))
      refuse(request, "how many ranks took part is not clear: {}; add --ranks N", text_of(e));
  if (all_agree(e)) return {.ranks = best, .doubts = {}};
  return {.ranks = best, .doubts = {fmt::format("{} taken: {}", plural(best, "rank"), text_of(e))}};
}

NcclLayout job_layout(const ImportRequest& request, const NcclJob& job, const RankCount& count,
                      std::vector<std::string>& doubts) {
  const std::vector<NcclRank> listed = ranks_of(job);
  NcclLayout l = job.layout.value_or(layout_of(listed));
  if (job.layout && request.ranks.value_or(l.ranks) != l.ranks) {
    add_note(doubts, "--ranks {} was taken, though the file says {}", *request.ranks, plural(l.ranks, "rank"));
    l = {.ranks = 0, .nodes = l.nodes, .ranks_per_node = {}};
  }
  if (request.ranks || !job.layout) l.ranks = count.ranks;
  if (l.ranks == 0) refuse(request, "the log does not say how many ranks took part; add --ranks N");
  check_nodes(request, l.ranks);
  if (l.nodes && *l.nodes > l.ranks) l.nodes.reset();
  if (request.nodes) {
    if (l.nodes && *l.nodes != *request.nodes) {
      add_note(doubts, "--nodes {} was taken, though the log lists {}", *request.nodes, plural(*l.nodes, "node"));
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
