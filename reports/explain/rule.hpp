// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/fwd.hpp"
#include "core/table.hpp"

/// What stands out in a record, said in words: rules look at a run, each for one thing, and say what they found, by
/// which numbers, how sure that is, and what to try. A rule never claims more than the record holds.
namespace busbar::explain {

/// How sure it is that a finding's title holds.
enum class Certainty {
  known,     ///< the record says so, or its intervals exclude that it is not so
  likely,    ///< several numbers speak for it, none excludes the contrary
  possible,  ///< one number speaks for it, and chance or another cause can have made it
};
[[nodiscard]] std::string_view name(Certainty);

/// What a finding is about; empty lists where it is about the whole run.
struct Where {
  std::vector<std::string> series;   ///< series_name() of the cases
  std::vector<std::uint64_t> sizes;  ///< bytes, ascending
  std::vector<int> ranks;
  std::vector<std::string> hosts;
};

struct Finding {
  Certainty certainty = Certainty::possible;
  std::string title;                  ///< one sentence, without its full stop
  std::vector<std::string> evidence;  ///< sentences with numbers, their units, and over what they are
  std::vector<std::string> tries;     ///< what to do: settings, commands
  Where where;
};

/// One thing to look for: one file in reports/explain/.
struct Rule {
  std::string_view name;   ///< identifier
  std::string_view about;  ///< what it looks for, one line
  int order = 0;           ///< the lower, the earlier its findings stand: how much they tell; no two have the same
  bool (*has_data)(const Run&) = nullptr;    ///< the record holds what it looks at
  std::vector<Finding> (*look)(const Run&);  ///< surest first; many cases alike are one finding
};

/// A finding and who found it.
struct Found {
  const Rule* rule;
  Finding finding;
};

/// What all rules say of a run.
struct Explanation {
  std::vector<Found> found;                    ///< most telling first
  std::vector<std::string_view> looked_for;    ///< names of the rules that had something to look at
  std::vector<std::string_view> without_data;  ///< names of those that had not
};

[[nodiscard]] Explanation look_at(const Run&);

}  // namespace busbar::explain
