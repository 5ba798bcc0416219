// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/engine/cadence.hpp"
#include "bench/engine/team.hpp"
#include "bench/engine/uneven.hpp"
#include "core/backend/collective.hpp"
#include "core/record/case_key.hpp"

namespace busbar {

/// Which kind of teams makes the call of a case (team.hpp). Alternating: the first kind, then the second.
enum class Caller { first, second, alternating };

/// One thing to measure.
struct Case {
  int number = 0;  ///< in the job, from 0: CaseRecord::index
  const Collective* collective = nullptr;
  DType type = DType::f32;
  std::optional<Op> op;  ///< set if and only if the collective reduces
  int root = 0;
  bool in_place = false;
  Cadence cadence = Cadence::barrier;
  CallForm form = CallForm::plain;
  std::optional<Advance> advance;             ///< set if this rank works between start and wait
  int work = 0;                               ///< that work, in per cent of the call's own time
  std::string algorithm;                      ///< requested algorithm; empty: the library chooses
  std::shared_ptr<const BlockShares> shares;  ///< set if and only if the collective is uneven
  int window = 0;                             ///< messages or accesses per call; 0: the collective has no window
  std::size_t count = 0;                      ///< elements, as in Call
  std::uint64_t bytes = 0;  ///< size of the larger buffer, or of a message; count is rounded down to whole elements
  std::optional<std::string> skip;  ///< reason if it cannot be measured
  Caller caller = Caller::first;
  std::size_t second_count = 0;  ///< alternating: elements of the second kind's call; `count` is the first's

  [[nodiscard]] int messages() const { return std::max(window, 1); }
  /// Bytes of all messages of a call.
  [[nodiscard]] std::uint64_t all_bytes() const { return bytes * static_cast<std::uint64_t>(messages()); }
  /// What determines the buffers of `rank` of `ranks`. `at_own_block`: Backend::reduces_to_own_block().
  [[nodiscard]] Geometry geometry(int rank, int ranks, bool at_own_block = false) const {
    return {.count = count,
            .rank = rank,
            .ranks = ranks,
            .root = root,
            .window = messages(),
            .at_own_block = at_own_block,
            .shares = shares.get()};
  }
  /// The time of a call divided by this is the time of the case.
  [[nodiscard]] int parts() const { return collective->parts_of(messages()); }
};

/// Axes of a sweep; every valid combination becomes a case.
struct Sweep {
  std::vector<const Collective*> collectives;
  std::vector<DType> types;
  std::vector<Op> ops;
  std::vector<std::uint64_t> sizes;  ///< bytes, as requested
  std::vector<bool> places;          ///< in place: false, true or both
  std::vector<Cadence> cadences{Cadence::barrier};
  /// Between pairs, Cadence::streaming takes the place of Cadence::barrier: calls follow each other, as in OSU and IMB.
  bool streams_pairs = false;
  std::vector<int> windows;  ///< messages per call of collectives with a window; empty: their defaults
  std::optional<std::uint64_t> most_in_window;  ///< largest message in a window of several, bytes; empty: no limit
  std::vector<CallForm> forms{CallForm::plain};
  std::vector<Advance> advances;  ///< for forms other than plain; empty: no work beside calls
  std::vector<int> works;         ///< per cent of the call's own time; empty without `advances`
  std::vector<std::string> algorithms{""};
  std::vector<Unevenness> counts{{}};  ///< for uneven collectives
  /// Replaces `algorithms` for collectives that have an entry.
  std::map<const Collective*, std::vector<std::string>> algorithms_of = {};
  int root = 0;
};

/// The cadence of a collective's cases, if `cadence` is one of the sweep's.
[[nodiscard]] Cadence cadence_for(const Collective&, Cadence cadence, const Sweep&);

/// Cases in run order: collective, type, operation, place, cadence, form, work, algorithm, window or counts, size.
/// Sizes round down to whole elements (and blocks). Duplicates after rounding become one case; sizes that round to zero
/// are cases with a reason to skip. Numbered in this order. Throws UsageError if the counts are for another number of
/// ranks.
[[nodiscard]] std::vector<Case> make_plan(const Sweep& sweep, int ranks);

/// Cases of two kinds of teams, with `first` and `second` ranks per team: all cases of the first kind, the same of the
/// second, and of both in alternation, numbered in this order. Sizes round down to whole blocks of both kinds, so they
/// are the same for all.
[[nodiscard]] std::vector<Case> make_plan_of_two_kinds(const Sweep& sweep, int first, int second);

/// The canonical key of a case measured on `backend` in `memory`.
[[nodiscard]] CaseKey key_of(const Case&, const Team&, std::string_view backend, std::string_view memory);

}  // namespace busbar
