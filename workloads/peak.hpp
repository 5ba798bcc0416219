// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace busbar {

/// What a processor can compute at most in fp32, by fused multiply-adds on registers alone.
struct Peak {
  std::string_view instructions;  ///< "AVX-512", "AVX2 and FMA", "whatever the compiler makes of it"
  double flop_per_s = 0;          ///< 2 per multiply-add; of each thread the best of its tries
};

/// Measures `threads` threads together for about `seconds`.
[[nodiscard]] Peak measure_peak(double seconds, int threads = 1);

}  // namespace busbar
