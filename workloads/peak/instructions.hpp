// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "core/base/table.hpp"
#include "core/elements/dtype.hpp"

namespace busbar::peak {

/// What a CPU may lack, or its operating system may not let programs use.
enum class Feature { none, avx2_fma, avx512, avx512_bf16, amx_bf16 };

/// Whether this process can use it. In a file that is compiled for the baseline.
[[nodiscard]] bool has(Feature feature);

/// A set of instructions that computes multiply-adds in registers: a row of table<peak::Instructions>(), a file each,
/// compiled for it.
struct Instructions {
  std::string_view name;  ///< "AVX-512"
  DType type;             ///< of the factors; sums are fp32
  Feature feature;
  /// `rounds` times a number of multiply-adds that do not wait for each other. Gives what they come to, so that none
  /// can be left out.
  float (*run)(std::int64_t rounds);
  double flop_per_round;  ///< 2 a multiply-add
};

}  // namespace busbar::peak
