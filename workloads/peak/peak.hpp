// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/elements/dtype.hpp"

namespace busbar {

/// Highest measured rate of register-only multiply-adds for a type.
struct Peak {
  DType type = DType::f32;        ///< of the factors; sums are fp32
  std::string_view instructions;  ///< "AVX-512", "AVX2+FMA", "baseline" (the compiler's default), "AMX-BF16"
  double flop_per_s = 0;          ///< 2 per multiply-add; sum over threads of each one's best run
};

/// Measures every instruction set of this CPU on `threads` threads at once, for about `seconds` in total. Returns the
/// fastest set per type, fp32 first. A narrower type need not be faster than a wider one.
[[nodiscard]] std::vector<Peak> measure_peaks(double seconds, int threads = 1);

/// Whether this CPU has bf16 instructions (AVX512-BF16 or AMX) and the OS lets this process use them.
[[nodiscard]] bool has_bf16_instructions();

}  // namespace busbar
