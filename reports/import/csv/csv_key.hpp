// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "core/record/case_key.hpp"
#include "core/statistics/interval.hpp"
#include "reports/import/csv/csv_cases.hpp"

/// Columns shared by rows of collectives and trainings.
namespace busbar {

/// The key without collective, model and size. Throws Error if the number of ranks is unknown.
[[nodiscard]] CaseKey csv_key(const CsvValues&, const CsvDefaults&);

/// Empty, and counted in the tally, if the confidence is unknown. Throws Error if `low` is above `high`.
[[nodiscard]] std::optional<Interval> csv_interval(double low, double high, const CsvValues&, const CsvDefaults&,
                                                   CsvTally&);

}  // namespace busbar
