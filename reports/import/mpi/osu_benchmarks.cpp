// SPDX-License-Identifier: Apache-2.0
#include "reports/import/mpi/osu_benchmarks.hpp"

#include <algorithm>
#include <array>

#include "core/base/words.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

struct Pair {
  std::string_view title, program, name;
  RankRule rank_rule;
  std::optional<int> ranks;  ///< empty: any
};

// Source: release 7.4, c/mpi/pt2pt. mbw_mr prints rank 0's time before 7.4 and the mean over senders since.
constexpr std::array pairs{
    Pair{"latency", "latency", "pingpong", RankRule::rank_0, 2},
    Pair{"multi-threaded latency", "latency_mt", "pingpong_threads", RankRule::rank_0, 2},
    Pair{"multi-process latency", "latency_mp", "pingpong_processes", RankRule::rank_0, 2},
    Pair{"bandwidth", "bw", "unidirectional", RankRule::rank_0, 2},
    Pair{"bi-directional bandwidth", "bibw", "bidirectional", RankRule::rank_0, 2},
    Pair{"multi latency", "multi_lat", "multi_pingpong", RankRule::mean, {}},
    Pair{"multiple bandwidth / message rate", "mbw_mr", "multi_pair", RankRule::unknown, {}},
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
  return OsuBenchmark{.kind = CaseKind::pair,
                      .operation = {.name = std::string(row->name)},
                      .rank_rule = row->rank_rule,
                      .cadence = "streaming",
                      .ranks = row->ranks};
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

/// The part of a program's name that says what it measures: "allreduce" of "./osu_xccl_allreduce".
std::string_view stem_of_program(std::string_view word) {
  word = base_name(word);
  if (!word.starts_with("osu_")) return {};
  word.remove_prefix(4);
  if (word.starts_with("xccl_") || word.starts_with("nccl_")) word.remove_prefix(5);
  return word;
}

/// What a program measures; empty if unknown.
std::optional<MpiOperation> operation_of_stem(std::string_view stem) {
  if (stem.empty()) return std::nullopt;
  constexpr std::string_view again = "_persistent";
  if (stem.ends_with(again)) {
    auto operation = operation_of_stem(stem.substr(0, stem.size() - again.size()));
    if (operation) operation->form = "persistent";
    return operation;
  }
  const auto row = std::ranges::find(pairs, stem, &Pair::program);
  if (row != pairs.end()) return MpiOperation{.name = std::string(row->name)};
  if (auto operation = mpi_collective(stem)) return operation;
  auto operation = stem.starts_with('i') ? mpi_collective(stem.substr(1)) : std::nullopt;
  if (operation) operation->form = "nonblocking";
  return operation;
}

}  // namespace

bool is_osu_program(std::string_view word) { return operation_of_stem(stem_of_program(word)).has_value(); }

bool is_program_of(std::string_view word, const OsuBenchmark& b) {
  const auto operation = operation_of_stem(stem_of_program(word));
  return operation && operation->name == b.operation.name && operation->form == b.operation.form;
}

std::optional<OsuBenchmark> osu_benchmark(std::string_view title) {
  std::string text = lower_case(title);
  const bool again = remove_osu_words(text, " persistent");
  const bool without_waiting = remove_osu_words(text, "non-blocking ");
  auto b = pair_named(text);
  if (!b) b = collective_titled(text, without_waiting);
  if (b && again) b->operation.form = "persistent";
  if (b && without_waiting) b->operation.form = "nonblocking";
  return b;
}

}  // namespace busbar
