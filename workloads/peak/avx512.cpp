// SPDX-License-Identifier: Apache-2.0
#include "workloads/peak/loop.hpp"

namespace busbar {

extern constinit const peak::Instructions avx512 = peak::fp32_loop<64, 16>("AVX-512", peak::Feature::avx512);

}  // namespace busbar
