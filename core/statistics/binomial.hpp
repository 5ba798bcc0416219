// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace busbar {

/// Probability of at least k successes in n independent trials with success probability p, 0 < p < 1.
[[nodiscard]] double binomial_at_least(std::size_t k, std::size_t n, double p);

}  // namespace busbar
