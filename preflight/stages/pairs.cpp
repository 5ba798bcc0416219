// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "preflight/contact/limited_group.hpp"
#include "preflight/stages/parts.hpp"
#include "preflight/stages/sums.hpp"

namespace busbar::preflight {
namespace {

/// Message sizes in bytes: one eager, one for rendezvous and other protocols.
constexpr std::size_t sizes[] = {8, 1 << 20};

std::vector<std::byte> pattern(int rank, std::size_t bytes) {
  std::vector<std::byte> all(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    all[i] = static_cast<std::byte>(i * 31 + static_cast<std::size_t>(rank) * 17 + 1);
  return all;
}

std::optional<std::string> exchange(Roll& roll, int other, double limit_s) {
  for (const std::size_t bytes : sizes) {
    std::optional<std::vector<std::byte>> got;
    try {
      got = roll.swap(other, pattern(roll.rank(), bytes), limit_s);
    } catch (const Error& e) {
      return fmt::format("{} each way: {}", format_size(bytes), e.what());
    }
    if (!got) return fmt::format("{} each way took longer than {:.1f} s", format_size(bytes), limit_s);
    const auto expected = pattern(other, bytes);
    const auto [wrong, right] = std::ranges::mismatch(*got, expected);
    if (wrong != got->end())
      return fmt::format("{} each way: byte {} arrived as {}, sent as {}", format_size(bytes), wrong - got->begin(),
                         static_cast<int>(*wrong), static_cast<int>(*right));
  }
  return std::nullopt;
}

using Try = std::function<std::optional<std::string>(int other)>;

/// Tries neighbours in a row: 0 and 1, 2 and 3, ..., then 1 and 2, 3 and 4, ... Returns results of this rank's pairs.
std::vector<PairResult> try_row(Run& run, const std::vector<int>& row, const char* what, const Try& attempt) {
  std::vector<PairResult> results;
  const auto me = std::ranges::find(row, run.roll.rank());
  if (me == row.end()) return results;
  const auto at = static_cast<std::size_t>(me - row.begin());
  for (const std::size_t parity : {0U, 1U}) {
    const std::size_t other = at % 2 == parity ? at + 1 : at - 1;  // wraps for the first rank: no neighbour
    if (other >= row.size()) continue;
    run.alarm.at(fmt::format("{} with {}", what, name_ranks(run.facts, {row[other]})));
    results.push_back(
        {.a = std::min(row[at], row[other]), .b = std::max(row[at], row[other]), .problem = attempt(row[other])});
  }
  return results;
}

/// Tries neighbours on each host, then the first ranks of the hosts.
std::vector<PairResult> try_neighbours(Run& run, const char* what, const Try& attempt) {
  std::vector<PairResult> mine = try_row(run, ranks_of(run.facts, run.host()), what, attempt);
  for (const PairResult& p : try_row(run, first_ranks(run.facts), what, attempt)) mine.push_back(p);
  return mine;
}

/// Why this rank does not try NCCL; empty: it does.
std::optional<std::string> missing_here(const Run& run) {
  if (run.own_gpu.problem) return run.own_gpu.problem;
  if (!run.own_gpu.uuid) return "no GPU";
  return nccl_missing();
}

}  // namespace

bool everyone_has_nccl(Run& run) {
  const std::string mine = missing_here(run) ? "no" : "yes";
  const auto all = run.roll.gather(mine);
  return run.roll.tell(std::ranges::find(all, "no") == all.end() ? "yes" : "no") == "yes";
}

LocalPlace own_place(const Run& run) {
  const auto here = ranks_of(run.facts, run.host());
  return {.place = static_cast<int>(std::ranges::find(here, run.roll.rank()) - here.begin()),
          .ranks = static_cast<int>(here.size())};
}

void gather_pairs(Run& run) {
  const double limit_s = run.alarm.limit_s() / 6;
  const auto messages =
      try_neighbours(run, "exchanging messages", [&](int other) { return exchange(run.roll, other, limit_s); });
  run.alarm.at("sending the message results to rank 0");
  gather(run, &RankFacts::pairs, messages);
  gather(run, &RankFacts::nccl_missing, missing_here(run));
  if (!everyone_has_nccl(run)) return;
  const double nccl_limit_s = run.alarm.limit_s() / 3;  // the first call also creates the GPU context
  const auto sums = try_neighbours(run, "in an NCCL allreduce", [&](int other) {
    LimitedGroup two(run.roll, other, nccl_limit_s);
    return sum_by_nccl(two, own_place(run), nccl_limit_s);
  });
  run.alarm.at("sending the NCCL result to rank 0");
  gather(run, &RankFacts::nccl_pairs, sums);
}

}  // namespace busbar::preflight
