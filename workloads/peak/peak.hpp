// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/elements/dtype.hpp"

namespace busbar {

/// The highest rate of multiply-adds on registers alone that was measured for a type.
struct Peak {
  DType type = DType::f32;        ///< of the factors; sums are fp32
  std::string_view instructions;  ///< "AVX-512", "AVX2+FMA", "baseline" (what the compiler generates), "AMX-BF16"
  double flop_per_s = 0;          ///< 2 a multiply-add; of each thread the best of its tries
};

/// Measures `threads` threads together with every set of instructions that this CPU has, for about `seconds` in total.
/// Gives a row a type, fp32 first: the set that was fastest. A narrower type need not be faster than a wider one.
[[nodiscard]] std::vector<Peak> measure_peaks(double seconds, int threads = 1);

/// Whether this CPU has instructions for bf16 (AVX512-BF16 or AMX) and the system lets this process use them.
[[nodiscard]] bool has_bf16_instructions();

}  // namespace busbar
