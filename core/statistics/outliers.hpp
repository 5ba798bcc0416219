// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace busbar {

/// Fewest values among which outliers() looks for some.
inline constexpr std::size_t least_for_outliers = 5;

/// Values that do not belong to the others, as ascending indices: at most the share `most` of them, none of fewer than
/// 5. Of samples of normal values, a share of `by_chance` has one. Several do not hide each other.
/// Source: generalized extreme studentized deviate; B. Rosner 1983, Percentage points for a generalized ESD
/// many-outlier procedure, Technometrics 25(2).
[[nodiscard]] std::vector<std::size_t> outliers(std::span<const double> values, double by_chance, double most = 0.2);

}  // namespace busbar
