// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/fwd.hpp"

/// What importers do with the cases of a run.
namespace busbar {

/// Cases as their rows come, each key once.
class CaseList {
 public:
  /// Puts a case behind the others. False where its key was there before: it is left out and counted.
  bool add(CaseRecord);
  /// The cases, those that differ in size only one after another, as tables and charts want them; series in the order
  /// in which they came. `index` is set.
  [[nodiscard]] std::vector<CaseRecord> sorted_cases();
  /// Left out by add(): those of no bytes, and others.
  [[nodiscard]] std::size_t empty_repeats() const { return empty_repeats_; }
  [[nodiscard]] std::size_t other_repeats() const { return other_repeats_; }

 private:
  std::vector<CaseRecord> list_;
  std::set<CaseKey> seen_;
  std::size_t empty_repeats_ = 0, other_repeats_ = 0;
};

/// Cases by status, as an end record counts them.
void count_cases(EndRecord&, const std::vector<CaseRecord>&);

/// "allreduce", "allreduce, barrier", "allreduce, barrier and 5 more": what the cases are of.
[[nodiscard]] std::string subjects(const std::vector<CaseRecord>&);

/// "2 rows cannot be read: torn or mixed with other output (lines 7, 9)"; `lines` is not empty.
[[nodiscard]] std::string torn_rows(const std::vector<int>& lines);

}  // namespace busbar
