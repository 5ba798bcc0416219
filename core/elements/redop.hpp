// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>

#include "core/base/enum_words.hpp"

namespace busbar {

/// Reduction operations. avg is the sum divided by the number of ranks (integers: truncated towards zero). mulsum
/// multiplies the values of each rank by its factor before summing (ncclRedOpCreatePreMulSum).
enum class Op { sum, prod, min, max, avg, mulsum };

inline constexpr std::array<std::string_view, 6> op_names{"sum", "prod", "min", "max", "avg", "mulsum"};

[[nodiscard]] constexpr auto words_of(Op) { return op_names; }

/// Factor of rank `rank` in a mulsum: 1 or 2.
[[nodiscard]] constexpr int premultiplier(int rank) { return 1 + rank % 2; }

}  // namespace busbar
