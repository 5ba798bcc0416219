// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "reports/fit/fit.hpp"
#include "reports/predict/prediction.hpp"

/// Times for sizes that no curve describes.
namespace busbar::predict {

/// "the model does not describe 2 KiB to 1 GiB: measured times are off by 57 % (rms)".
[[nodiscard]] std::string not_described(const fit::Region&);

/// A line over log2(nodes) through the times of this size, or the time of the largest scale where that is longer or
/// only one scale was measured. The size must be measured.
[[nodiscard]] Naive naive_time(const fit::SweepFit&, const fit::Scale&, std::uint64_t bytes);

}  // namespace busbar::predict
