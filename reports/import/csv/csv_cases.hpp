// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "core/record/fwd.hpp"
#include "reports/import/csv/csv_columns.hpp"

/// Cases from rows of a table of published figures.
namespace busbar {

/// Defaults for rows that do not set a value.
struct CsvDefaults {
  std::optional<int> ranks;               ///< from --ranks
  std::optional<std::string> collective;  ///< canonical name, from --collective
  std::string program = "unknown";        ///< that measured the figures
  std::optional<double> confidence;       ///< of intervals, 0 to 1
  std::string sample;                     ///< unit counted by a rate: image, sample, sequence
};

/// Counts of computed and rejected figures, for notes.
struct CsvTally {
  int times_computed = 0;       ///< computed from size and bandwidth, or from batch and rate
  int bandwidths_computed = 0;  ///< computed from size, time and the collective's factor
  int contradicted = 0;         ///< rows whose bandwidth is inconsistent with size / time
  int rates_computed = 0;       ///< computed from batch and step
  int intervals_unused = 0;     ///< dropped, as their confidence is unknown
};

/// The case of a row; empty if it has no figure. Throws Error, which says what is wrong with the row.
[[nodiscard]] std::optional<CaseRecord> csv_collective(const CsvValues&, const CsvDefaults&, CsvTally&);
[[nodiscard]] std::optional<CaseRecord> csv_training(const CsvValues&, const CsvDefaults&, CsvTally&);

}  // namespace busbar
