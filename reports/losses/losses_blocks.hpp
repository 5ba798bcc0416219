// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "reports/document/document.hpp"
#include "reports/losses/losses.hpp"

namespace busbar::losses {

/// For each training: a table of causes per scale, what each was computed from, and the exchange, predicted beside
/// measured. Trainings that are not divided are named with the reason.
[[nodiscard]] std::vector<report::Block> blocks_of(const std::vector<TrainingLosses>&);

}  // namespace busbar::losses
