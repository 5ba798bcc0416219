// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/engine/cadence.hpp"
#include "bench/engine/team.hpp"
#include "core/backend/collective.hpp"
#include "core/record/case_key.hpp"

namespace busbar {

/// Which kind of teams makes the call of a case (team.hpp). Alternating: the first kind, then the second.
enum class Caller { first, second, alternating };

/// One thing to measure.
struct Case {
  const Collective* collective = nullptr;
  DType type = DType::f32;
  std::optional<Op> op;  ///< set if and only if the collective reduces
  int root = 0;
  bool in_place = false;
  Cadence cadence = Cadence::barrier;
  std::string algorithm;            ///< requested algorithm; empty: the library chooses
  std::size_t count = 0;            ///< elements, as in Call
  std::uint64_t bytes = 0;          ///< size of the larger buffer; count is rounded down to whole elements
  std::optional<std::string> skip;  ///< reason if it cannot be measured
  Caller caller = Caller::first;
  std::size_t second_count = 0;  ///< alternating: elements of the second kind's call; `count` is the first's
};

/// Axes of a sweep; every valid combination becomes a case.
struct Sweep {
  std::vector<const Collective*> collectives;
  std::vector<DType> types;
  std::vector<Op> ops;
  std::vector<std::uint64_t> sizes;  ///< bytes, as requested
  std::vector<bool> places;          ///< in place: false, true or both
  std::vector<Cadence> cadences{Cadence::barrier};
  std::vector<std::string> algorithms{""};
  int root = 0;
};

/// Cases in run order: collective, type, operation, place, cadence, algorithm, size. Sizes round down to whole elements
/// (and blocks). Duplicates after rounding become one case; sizes that round to zero are cases with a reason to skip.
[[nodiscard]] std::vector<Case> make_plan(const Sweep& sweep, int ranks);

/// Cases of two kinds of teams, with `first` and `second` ranks per team: all cases of the first kind, the same of the
/// second, and of both in alternation. Sizes round down to whole blocks of both kinds, so they are the same for all.
[[nodiscard]] std::vector<Case> make_plan_of_two_kinds(const Sweep& sweep, int first, int second);

/// The canonical key of a case measured on `backend` in `memory`.
[[nodiscard]] CaseKey key_of(const Case&, const Team&, std::string_view backend, std::string_view memory);

}  // namespace busbar
