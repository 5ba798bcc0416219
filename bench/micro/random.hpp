// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>

#include "core/base/mix_bits.hpp"

namespace busbar {

/// Numbers by mix_bits(), and distributions. Unlike std's, the same on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform() {  // in (0, 1)
    return (static_cast<double>(mix_bits(state_ += mix_step) >> 11) + 0.5) * 0x1p-53;
  }
  double normal() {  // polar method (G. Marsaglia, T. Bray 1964)
    if (has_spare_) return has_spare_ = false, spare_;
    double u = 0, v = 0, s = 0;
    do {
      u = 2 * uniform() - 1;
      v = 2 * uniform() - 1;
      s = u * u + v * v;
    } while (s >= 1);
    const double factor = std::sqrt(-2 * std::log(s) / s);
    spare_ = v * factor;
    has_spare_ = true;
    return u * factor;
  }
  double lognormal(double sigma) { return std::exp(sigma * normal()); }

 private:
  std::uint64_t state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace busbar
