// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>

#include "core/base/enum_words.hpp"

namespace busbar {

/// Reduction operations. avg is the sum over ranks divided by their number (integers: quotient towards zero). mulsum is
/// the sum of what ranks give times a factor of each rank (ncclRedOpCreatePreMulSum).
enum class Op { sum, prod, min, max, avg, mulsum };

inline constexpr std::array<std::string_view, 6> op_names{"sum", "prod", "min", "max", "avg", "mulsum"};

[[nodiscard]] constexpr auto words_of(Op) { return op_names; }

/// What rank `rank` multiplies by in a mulsum: 1 or 2.
[[nodiscard]] constexpr int premultiplier(int rank) { return 1 + rank % 2; }

}  // namespace busbar
