// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_words.hpp"
#include "core/record/fwd.hpp"
#include "reports/history/changes.hpp"

/// A board over launches that are repeated, such as nightly ones: which are alike, how the last one ended, and since
/// when they changed.
namespace busbar::board {

using busbar::name;

/// What to make of a group of launches, by its last launch and its history.
enum class Verdict {
  failed,  ///< the last launch did not end well
  slower,  ///< than before the latest change
  faster,
  mixed,    ///< some cases slower, others faster
  steady,   ///< no lasting change
  few,      ///< too few launches to find a change
  running,  ///< the last launch is being measured, and there is no other
};
[[nodiscard]] constexpr auto words_of(Verdict) {
  return std::to_array<std::string_view>({"failed", "slower", "faster", "mixed", "steady", "few", "running"});
}

/// Launches with the same labels, program, origin, method, scale and subjects, by start.
struct Group {
  std::string name;  ///< "platform=vm: allreduce, 8 ranks on 2 nodes"
  std::vector<const Run*> launches;
  /// Of each launch: the median over its cases of their time, relative to their median over all launches. NaN where
  /// nothing was measured.
  std::vector<double> levels;
  std::vector<history::Change> changes;
  Verdict verdict = Verdict::few;
  std::string sentence;  ///< the verdict for people
};

/// Failed groups come first, then slower ones; among equals, the one with the newest launch. A launch that did not
/// reach its end joins the group of complete launches whose subjects contain its own. The runs must outlive the groups.
[[nodiscard]] std::vector<Group> make_groups(std::span<const Run> runs);

/// "ok", "failed", "aborted", ... ; "running" while it is being written; "died" without an end.
[[nodiscard]] std::string ending_of(const Run&);

}  // namespace busbar::board
