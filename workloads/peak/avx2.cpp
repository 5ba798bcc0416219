// SPDX-License-Identifier: Apache-2.0
#include "workloads/peak/loop.hpp"

namespace busbar {

extern constinit const peak::Instructions avx2 = peak::fp32_loop<32, 12>("AVX2+FMA", peak::Feature::avx2_fma);

}  // namespace busbar
