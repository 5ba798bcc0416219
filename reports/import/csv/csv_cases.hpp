// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/import/csv/csv_columns.hpp"

/// Cases from rows of a table of published figures.
namespace busbar {

/// What holds for all rows that do not say otherwise.
struct CsvDefaults {
  std::optional<int> ranks;               ///< of --ranks
  std::optional<std::string> collective;  ///< canonical name, of --collective
  std::string program = "unknown";        ///< that took the figures
  std::optional<double> confidence;       ///< of intervals, 0 to 1
  std::string sample;                     ///< what a rate counts
};

/// What was done with the figures of the rows, for notes.
struct CsvTally {
  int times_computed = 0;       ///< not in the table, but from size and bandwidth, or batch and rate
  int bandwidths_computed = 0;  ///< not in the table, but from size, time and the collective's factor
  int contradicted = 0;         ///< bandwidths that are not size / time
  int rates_computed = 0;       ///< not in the table, but from batch and step
  int intervals_unused = 0;     ///< whose confidence is not known
};

/// The case of a row; nothing where it has no figure. Throws Error, which says what is wrong with the row.
[[nodiscard]] std::optional<CaseRecord> csv_collective(const CsvValues&, const CsvDefaults&, CsvTally&);
[[nodiscard]] std::optional<CaseRecord> csv_training(const CsvValues&, const CsvDefaults&, CsvTally&);

}  // namespace busbar
