// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/explain/rule.hpp"

/// Words and numbers as findings write them.
namespace busbar::explain {

/// "allreduce fp32 at 64 KiB", "training resnet50 on 4 ranks"; without a size of 0.
[[nodiscard]] std::string case_name(const CaseRecord&);

/// "rank 3 (node2)"; without the host where the record does not tell it.
[[nodiscard]] std::string rank_name(const Run&, int rank);

/// Host of a rank; empty where not known.
[[nodiscard]] std::string host_of(const Run&, int rank);

/// "ranks 1, 2, 5 and 3 more", "rank 4".
[[nodiscard]] std::string rank_names(std::span<const int> ranks);

/// "3 of 12 cases".
[[nodiscard]] std::string of_cases(std::size_t some, std::size_t all);

/// "12 %", "0.25 %": two digits at least where it is below 10.
[[nodiscard]] std::string percent(double share);

/// A variable that the record holds, in lower case; empty where it is not there, which is no proof that it was not set.
[[nodiscard]] std::optional<std::string> variable(const Run&, const std::string& name);

/// Threads that a rank computes with, the most over its cases; 1 where none says.
[[nodiscard]] int threads_of_a_rank(const Run&);

/// Some host has fewer CPUs, or a quota of less of their time, than its ranks have threads: they wait for each other.
[[nodiscard]] bool oversubscribed(const Run&);

/// The series and sizes of cases, each once and in order.
[[nodiscard]] Where where(std::span<const CaseRecord* const>);

/// The cases of the run with ok results.
[[nodiscard]] std::vector<const CaseRecord*> ok_cases(const Run&);

/// Median of values, which are put in order; 0 of none.
[[nodiscard]] double median_of(std::vector<double> values);

}  // namespace busbar::explain
