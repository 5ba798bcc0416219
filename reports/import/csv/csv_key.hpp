// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "core/record/case_key.hpp"
#include "core/statistics/interval.hpp"
#include "reports/import/csv/csv_cases.hpp"

/// What rows of collectives and of trainings have in common.
namespace busbar {

/// Ranks, nodes and what has a column of its own; without what was measured. Throws Error where the number of ranks is
/// not known.
[[nodiscard]] CaseKey csv_key(const CsvValues&, const CsvDefaults&);

/// Nothing, and counted, where the confidence is not known. Throws Error where the ends are not in order.
[[nodiscard]] std::optional<Interval> csv_interval(double low, double high, const CsvValues&, const CsvDefaults&,
                                                   CsvTally&);

}  // namespace busbar
