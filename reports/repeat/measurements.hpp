// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/repeat/pooled_cases.hpp"
#include "reports/repeat/table.hpp"

/// What several measurements of one command tell: a machine has states that last longer than a measurement, which the
/// spread between its launches does not include.
namespace busbar::repeat {

/// How measurements of one command differ.
struct MeasurementSpread {
  std::size_t measurements = 0;
  std::size_t cases = 0;  ///< in at least three of them
  double spread = 0;      ///< standard deviation between measurements (spread_of_logs()), median over these cases
};

/// Of the cases of each measurement. Empty if no case is in three.
[[nodiscard]] std::optional<MeasurementSpread> spread_of(const std::vector<std::vector<PooledCase>>& measurements);

/// A line or two for each command that has two earlier measurements in the folder of `out`, which is this one's record:
/// how all of them differ. Reads records of up to 16 MiB (records_over_ages()); skips unreadable ones, other commands,
/// and launches that are not alike (are_alike()).
[[nodiscard]] std::string text_of_measurements(const std::vector<Tally>&, const std::filesystem::path& out);

}  // namespace busbar::repeat
