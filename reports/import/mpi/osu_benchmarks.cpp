// SPDX-License-Identifier: Apache-2.0
#include "reports/import/mpi/osu_benchmarks.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/words.hpp"

namespace busbar {
namespace {

struct Pair {
  std::string_view title, name;
  RankRule rank_rule;
  int ranks;  ///< 0: any
};

// Source: release 7.4, c/mpi/pt2pt. mbw_mr prints rank 0's time before 7.4 and the mean over senders since.
constexpr std::array pairs{
    Pair{"latency", "pingpong", RankRule::rank_0, 2},
    Pair{"multi-threaded latency", "pingpong_threads", RankRule::rank_0, 2},
    Pair{"multi-process latency", "pingpong_processes", RankRule::rank_0, 2},
    Pair{"bandwidth", "unidirectional", RankRule::rank_0, 2},
    Pair{"bi-directional bandwidth", "bidirectional", RankRule::rank_0, 2},
    Pair{"multi latency", "multi_pingpong", RankRule::mean, 0},
    Pair{"multiple bandwidth / message rate", "multi_pair", RankRule::unknown, 0},
};

/// Removes `part` from the text. False if it is absent.
bool remove_osu_words(std::string& text, std::string_view part) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos) return false;
  text.erase(at, part.size());
  return true;
}

std::optional<OsuBenchmark> pair_named(const std::string& title) {
  const auto row = std::ranges::find(pairs, title, &Pair::title);
  if (row == pairs.end()) return std::nullopt;
  OsuBenchmark b;
  b.kind = CaseKind::pair;
  b.rank_rule = row->rank_rule;
  b.cadence = "streaming";
  b.operation.name = row->name;
  if (row->ranks > 0) b.ranks = row->ranks;
  return b;
}

std::optional<OsuBenchmark> collective_titled(std::string title, bool without_waiting) {
  remove_osu_words(title, " personalized exchange");
  if (!remove_osu_words(title, " latency")) return std::nullopt;
  const auto operation = mpi_collective(title);
  if (!operation) return std::nullopt;
  OsuBenchmark b{.operation = *operation};
  if (operation->size == MpiSize::none && !without_waiting) b.cadence = "streaming";  // barriers back to back
  return b;
}

OsuBenchmark in_its_way(OsuBenchmark b, bool again, bool without_waiting) {
  if (again) b.operation = persistent(std::move(b.operation));
  if (without_waiting) b.operation = non_blocking(std::move(b.operation));
  return b;
}

}  // namespace

std::optional<OsuBenchmark> osu_benchmark(std::string_view title) {
  std::string text = lower_case(title);
  const bool again = remove_osu_words(text, " persistent");
  const bool without_waiting = remove_osu_words(text, "non-blocking ");
  if (auto b = pair_named(text)) return in_its_way(*std::move(b), again, without_waiting);
  if (auto b = collective_titled(text, without_waiting)) return in_its_way(*std::move(b), again, without_waiting);
  return std::nullopt;
}

}  // namespace busbar
