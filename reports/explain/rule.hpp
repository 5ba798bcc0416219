// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_words.hpp"
#include "core/base/table.hpp"
#include "core/record/fwd.hpp"

/// Findings about a record. Each rule checks a run for one problem and reports the finding, its evidence, its certainty
/// and advice. A rule never claims more than the record shows.
namespace busbar::explain {

using busbar::name;

/// How certain the title of a finding is.
enum class Certainty {
  known,     ///< shown by the record or its intervals
  likely,    ///< several figures agree, but do not prove it
  possible,  ///< one figure suggests it; chance or another cause can explain it
};
[[nodiscard]] constexpr auto words_of(Certainty) {
  return std::to_array<std::string_view>({"known", "likely", "possible"});
}

/// The scope of a finding; empty lists: the whole run.
struct Where {
  std::vector<std::string> series;   ///< series_name() of the cases
  std::vector<std::uint64_t> sizes;  ///< bytes, ascending
  std::vector<int> ranks;
  std::vector<std::string> hosts;
  std::vector<const CaseRecord*> cases;  ///< of the run, which must outlive them; of a jump only the slower one
};

struct Finding {
  Certainty certainty = Certainty::possible;
  std::string title;                  ///< one sentence, without a full stop
  std::vector<std::string> evidence;  ///< sentences with numbers, units and their scope
  std::vector<std::string> tries;     ///< advice: settings, commands
  Where where;
};

/// One problem to look for: one file in reports/explain/rules/.
struct Rule {
  std::string_view name;                     ///< identifier
  std::string_view about;                    ///< summary in one line
  int order = 0;                             ///< position of its findings in the output, most important first; unique
  bool suspicious = false;                   ///< a finding casts doubt on the figures, or on the machine
  bool (*has_data)(const Run&) = nullptr;    ///< whether the record has the data this rule needs
  std::vector<Finding> (*look)(const Run&);  ///< most certain first; similar cases share a finding
};

/// A finding and its rule.
struct Found {
  const Rule* rule;
  Finding finding;
};

/// The results of all rules for a run.
struct Explanation {
  std::vector<Found> found;                    ///< most important first
  std::vector<std::string_view> looked_for;    ///< names of rules with data in the record
  std::vector<std::string_view> without_data;  ///< names of the other rules
};

/// Runs all rules on a run.
[[nodiscard]] Explanation look_at(const Run&);

}  // namespace busbar::explain
