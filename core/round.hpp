// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include <nlohmann/json_fwd.hpp>

namespace busbar {

/// One visit of a case: a batch of samples, taken back to back.
struct Round {
  double at_s = 0;  ///< its start, since the start of the run
  std::uint64_t samples = 0;
  std::uint64_t kept = 0;         ///< how many of them are in the record, in order
  double median_s = 0;            ///< of its samples
  std::optional<double> mean_s;   ///< wall time over samples; empty where samples do not follow each other at once
  std::optional<double> early_s;  ///< median of the first quarter of its samples; empty below 8 samples
  std::optional<bool> contended;  ///< something else had the processors meanwhile; empty: not known
};

void to_json(nlohmann::json& j, const Round& r);
void from_json(const nlohmann::json& j, Round& r);

}  // namespace busbar
