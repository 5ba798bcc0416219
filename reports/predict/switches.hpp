// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "reports/fit/fit.hpp"
#include "reports/predict/contention.hpp"
#include "reports/predict/prediction.hpp"

namespace busbar::predict {

/// Times of other algorithms than that of the largest measured scale, if the library may change to them there: what its
/// own rules choose, else what its cost model does, else the fastest one. Their weights are of all readings together.
/// `best_s`: time of the region's best curve, in seconds.
[[nodiscard]] std::vector<Reading> readings_after_switch(const fit::SweepFit&, const fit::Region&, double best_s,
                                                         const fit::Scale&, std::uint64_t bytes, const Contention&,
                                                         double confidence);

}  // namespace busbar::predict
