// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace busbar {

/// Chance of k or more hits in n independent tries of which each hits with chance p, between 0 and 1.
[[nodiscard]] double binomial_at_least(std::size_t k, std::size_t n, double p);

}  // namespace busbar
