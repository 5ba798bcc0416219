// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/fwd.hpp"

/// Lists and summaries of cases, shared by importers.
namespace busbar {

/// Collects cases in input order and rejects repeated keys.
class CaseList {
 public:
  /// Appends a case. Returns false if its key is already present; the repeat is dropped and counted.
  bool add(CaseRecord);
  /// Returns the cases grouped by series (cases that differ only in size), as tables and charts expect. Series keep the
  /// order of their first case. Sets `index` and leaves the list moved-from.
  [[nodiscard]] std::vector<CaseRecord> sorted_cases();
  /// Repeats dropped by add(): cases of 0 bytes, and all others.
  [[nodiscard]] std::size_t empty_repeats() const { return empty_repeats_; }
  [[nodiscard]] std::size_t other_repeats() const { return other_repeats_; }
  [[nodiscard]] std::size_t repeats() const { return empty_repeats_ + other_repeats_; }
  /// Notes them, if there are any; `what` is the tool's word for a case.
  void note_repeats(std::vector<std::string>& notes, std::string_view what) const;

 private:
  std::vector<CaseRecord> list_;
  std::set<CaseKey> seen_;
  std::size_t empty_repeats_ = 0, other_repeats_ = 0;
};

/// Appends a note or warning of a run, formatted as by fmt::format().
template <class... Values>
void add_note(std::vector<std::string>& all, fmt::format_string<Values...> note, Values&&... values) {
  all.push_back(fmt::format(note, std::forward<Values>(values)...));
}

/// Appends notes to others.
void add_notes(std::vector<std::string>& all, const std::vector<std::string>& more);

/// Counts cases by status, as in an end record.
void count_cases(EndRecord&, const std::vector<CaseRecord>&);

/// Sets speedup and efficiency of trainings that differ only in the number of ranks; the baseline has the fewest ranks.
void set_scaling(std::vector<CaseRecord>&);

/// Collectives of the cases: "allreduce", "allreduce, barrier", "allreduce, barrier and 5 more".
[[nodiscard]] std::string subjects(const std::vector<CaseRecord>&);

/// Adds "2 rows cannot be read: torn or mixed with other output (lines 7, 9)"; nothing without lines.
void warn_of_torn_rows(std::vector<std::string>& warnings, std::vector<int> lines);

}  // namespace busbar
