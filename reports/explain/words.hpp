// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/explain/rule.hpp"

/// Words and numbers that rules and other chapters of a report use.
namespace busbar::explain {

/// A substring that identifies a kind of sentence about a case, and the summary for all such cases.
struct Kind {
  std::string_view in_text, says;
};
struct KindCount {
  std::string_view says;
  std::size_t cases = 0;
};
/// Counts the cases with a sentence of each kind, in the order of `kinds`. `texts` returns a case's sentences.
[[nodiscard]] std::vector<KindCount> count_kinds(std::span<const Kind> kinds, std::span<const CaseRecord* const> cases,
                                                 std::vector<std::string> (*texts)(const CaseRecord&));

/// True for at least 2 cases and 10 %: fewer are chance or brief interference.
[[nodiscard]] bool widespread(std::size_t some, std::size_t all);

/// "allreduce fp32 at 64 KiB", "training resnet50 on 4 ranks"; no size for named cases without one.
[[nodiscard]] std::string case_name(const CaseRecord&);

/// "rank 3 (node2)"; without the host if unknown.
[[nodiscard]] std::string rank_name(const Run&, int rank);

/// Host of a rank; empty if unknown.
[[nodiscard]] std::string host_of(const Run&, int rank);

/// "ranks 1, 2, 5 and 3 more", "rank 4".
[[nodiscard]] std::string rank_names(std::span<const int> ranks);

/// "3 of 12 cases".
[[nodiscard]] std::string of_cases(std::size_t some, std::size_t all);

/// "12 %", "1.2 %", "0.25 %": one decimal below 10, two below 1.
[[nodiscard]] std::string percent(double share);

/// Lower-case value of a recorded environment variable; empty if not in the record, though it may have been set.
[[nodiscard]] std::optional<std::string> variable(const Run&, const std::string& name);

/// Compute threads per rank, maximum over training cases; 1 if unknown.
[[nodiscard]] int threads_of_a_rank(const Run&);

/// True if some host's ranks have more threads than it has CPUs, or than its CPU quota allows.
[[nodiscard]] bool oversubscribed(const Run&);

/// Upper bound of the difference between two ranks' clocks, in seconds: the largest residual of the synchronisation or
/// a later check, plus the uncertainty. 0 for a shared clock, and if nothing is known of the clocks.
[[nodiscard]] double clock_error_s(const Run&);

inline constexpr double most_stolen = 0.02;  ///< fraction of the CPUs' time over all cases; more is a finding

/// CPU time that the hypervisor took from a host during its cases.
struct StolenTime {
  double stolen_s = 0;  ///< summed over its CPUs; in ticks of 10 ms
  double cpu_s = 0;     ///< all CPUs' time: wall time times CPUs
  double wall_s = 0;

  /// Fraction of the CPUs' time; 0 without any.
  [[nodiscard]] double share() const { return cpu_s > 0 ? stolen_s / cpu_s : 0; }
};

/// By name of the host. Hosts whose kernel does not count it, or whose number of CPUs is unknown, are left out.
[[nodiscard]] std::map<std::string, StolenTime> stolen_by_host(const Run&);

/// The series and sizes of cases, sorted and unique.
[[nodiscard]] Where where(std::span<const CaseRecord* const>);

/// The measured cases of the run.
[[nodiscard]] std::vector<const CaseRecord*> ok_cases(const Run&);

/// True if a case of the run has this member, which is optional or a list.
template <auto member>
[[nodiscard]] bool any_case_has(const Run& run) {
  return std::ranges::any_of(run.cases, [](const CaseRecord& c) {
    if constexpr (requires { (c.*member).empty(); })
      return !(c.*member).empty();
    else
      return (c.*member).has_value();
  });
}

/// Median of values in any order; 0 if there are none.
[[nodiscard]] double median_of(std::vector<double> values);

}  // namespace busbar::explain
