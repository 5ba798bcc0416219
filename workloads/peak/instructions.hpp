// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "core/base/table.hpp"
#include "core/elements/dtype.hpp"

namespace busbar::peak {

/// An instruction set extension that the CPU may lack or the operating system may not enable.
enum class Feature { none, avx2_fma, avx512, avx512_bf16, amx_bf16 };

/// Whether this process can use it. Compiled for the baseline instruction set.
[[nodiscard]] bool has(Feature feature);

/// A set of multiply-add instructions: a row of table<peak::Instructions>(). Each has its own file, compiled for that
/// set.
struct Instructions {
  std::string_view name;  ///< "AVX-512"
  DType type;             ///< of the factors; sums are fp32
  Feature feature;
  /// Runs `rounds` times a number of independent multiply-adds in registers. Returns their sum, so that the compiler
  /// cannot drop any.
  float (*run)(std::int64_t rounds);
  double flop_per_round;  ///< 2 per multiply-add
};

}  // namespace busbar::peak
