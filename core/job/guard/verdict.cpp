// SPDX-License-Identifier: Apache-2.0
#include "core/job/guard/verdict.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace busbar::guarding {
namespace {

constexpr std::size_t most_named = 8;  ///< maximum ranks named in a headline

std::string who(const Status& s) { return fmt::format("rank {} on {}", s.rank, s.host); }

std::string_view remark(Process process) {
  switch (process) {
    case Process::alive:
      return "";
    case Process::stopped:
      return "stopped by a signal";
    case Process::in_kernel:
      return "waits in the kernel: a file system or a driver does not answer";
    case Process::gone:
      return "its process is gone";
  }
  return "";
}

std::string ranks_word(std::span<const int> ranks) {
  return fmt::format("rank{} {}", ranks.size() == 1 ? "" : "s", rank_list(ranks));
}

/// Ranks that others may wait for, with the reason.
std::vector<std::string> suspects(const Evidence& e) {
  std::vector<std::string> named;
  for (const auto& [rank, host] : e.hosts)
    if (!e.statuses.contains(rank)) named.push_back(fmt::format("rank {} on {} (does not answer)", rank, host));
  for (const auto& [rank, s] : e.statuses)
    if (s.process != Process::alive) named.push_back(fmt::format("{} ({})", who(s), remark(s.process)));
  if (!named.empty()) return named;
  const auto at = [](const Status& s) { return std::tuple(s.turn, s.position); };
  const Status *first = nullptr, *last = nullptr;
  for (const auto& [rank, s] : e.statuses) {
    if (s.resting) continue;
    if (first == nullptr || at(*first) < at(s)) first = &s;
    if (last == nullptr || at(s) < at(*last)) last = &s;
  }
  if (first == nullptr || at(*first) == at(*last)) return named;
  for (const auto& [rank, s] : e.statuses)
    if (!s.resting && at(s) == at(*last)) named.push_back(fmt::format("{} (behind the others)", who(s)));
  return named;
}

std::string stuck(const Evidence& e) {
  std::vector<std::string> named = suspects(e);
  if (named.empty())
    return e.statuses.size() > 1 ? fmt::format("all {} ranks that answer are at the same place", e.statuses.size())
                                 : "others could not be asked";
  const std::size_t all = named.size();
  if (all > most_named) {
    named.resize(most_named);
    named.push_back(fmt::format("and {} more", all - most_named));
  }
  return fmt::format("stuck: {}", fmt::join(named, ", "));
}

/// "; so is rank 1": other ranks that are gone too. A rank may crash while it waits for another, and be reported first.
std::string also_gone(const Evidence& e, int rank) {
  std::vector<int> ranks;
  for (const auto& [other, s] : e.statuses)
    if (other != rank && s.process == Process::gone) ranks.push_back(other);
  return ranks.empty() ? "" : fmt::format("; so {} {}", ranks.size() == 1 ? "is" : "are", ranks_word(ranks));
}

std::string headline(const Evidence& e, const Diagnosis& f) {
  const std::string at = place(f.status);
  switch (f.trouble) {
    case Trouble::gone:
      return fmt::format("{} is gone, killed or crashed: {}{}", who(f.status), at, also_gone(e, f.status.rank));
    case Trouble::aborted:
      return fmt::format("{}: {}: {}", who(f.status), at, f.words);
    case Trouble::expired: {
      const std::string where = f.status.where.empty() ? "" : ", " + f.status.where;
      return fmt::format("{}{} took longer than {}; {}", f.status.what, where, f.words, stuck(e));
    }
    case Trouble::signalled:
      return fmt::format("{} was ended by {} before it was done: {}", who(f.status), f.words, at);
  }
  return "";
}

/// More about a rank: its own reason to abort, if the headline has another, or its process state.
std::string remark(const Evidence& e, const Diagnosis& told, const Status& s) {
  const auto is_own = [&](const Diagnosis& f) { return f.trouble == Trouble::aborted && f.status.rank == s.rank; };
  if (const auto own = std::ranges::find_if(e.findings, is_own); own != e.findings.end() && &*own != &told)
    return own->words;
  return std::string(remark(s.process));
}

/// Ranks in the same place and state, one line each. `told`: the finding in the headline.
std::vector<std::string> lines(const Evidence& e, const Diagnosis& told) {
  std::map<std::string, std::vector<int>> places;
  for (const auto& [rank, s] : e.statuses) {
    const auto odd = remark(e, told, s);
    places[fmt::format("{}{}{}", place(s), odd.empty() ? "" : "; ", odd)].push_back(rank);
  }
  for (const auto& [rank, host] : e.hosts)
    if (!e.statuses.contains(rank)) places["no answer"].push_back(rank);
  std::vector<std::pair<std::vector<int>, std::string>> by_rank;
  for (auto& [text, ranks] : places) by_rank.emplace_back(ranks, text);
  std::ranges::sort(by_rank);
  std::vector<std::string> all;
  for (const auto& [ranks, text] : by_rank) all.push_back(fmt::format("{}: {}", ranks_word(ranks), text));
  return all;
}

}  // namespace

std::string rank_list(std::span<const int> ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", ranks[i]);
    if (last > i) text += fmt::format("{}{}", last == i + 1 ? ", " : "-", ranks[last]);
    i = last + 1;
  }
  return text;
}

Verdict find_verdict(const Evidence& e) {
  const Diagnosis& first = *std::ranges::min_element(e.findings, {}, &Diagnosis::trouble);
  return {.trouble = first.trouble, .headline = headline(e, first), .lines = lines(e, first)};
}

}  // namespace busbar::guarding
