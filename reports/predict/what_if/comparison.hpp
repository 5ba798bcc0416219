// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/predict/prediction.hpp"

/// The same figure of several machines: as it is, and its variants.
namespace busbar::predict {

/// Calls or samples that costs are of.
inline constexpr double million = 1e6;

/// A figure of one machine.
struct Compared {
  std::size_t machine = 0;  ///< index in machine_names()
  fit::Scale scale;
  std::uint64_t bytes = 0;    ///< 0 for trainings
  Span figure;                ///< seconds, or samples per second
  std::optional<Span> ratio;  ///< to the machine as it is; empty for that itself
  Span node_hours;            ///< for a million calls or samples
  std::optional<Span> cost;   ///< of these, in Prediction::currency; empty without a price
};

/// "as it is", then the variants.
[[nodiscard]] std::vector<std::string> machine_names(const Prediction&);

/// By size, then nodes, then machine. Empty if there is neither a variant nor a price.
[[nodiscard]] std::vector<Compared> compare_machines(const Prediction&, const Series&);

/// The same for a training's reading, by nodes, then machine.
[[nodiscard]] std::vector<Compared> compare_machines(const Prediction&, const TrainingSeries&,
                                                     const std::string& reading);

/// At least three digits, without an exponent from 0.0001 to 1e15: "0.968", "1.014", "12.5", "1315".
[[nodiscard]] std::string three_digits(double);

/// "0.948 to 0.982".
[[nodiscard]] std::string three_digits(const Span& ends);

}  // namespace busbar::predict
