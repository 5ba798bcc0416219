// SPDX-License-Identifier: Apache-2.0
#include "workloads/peak/loop.hpp"

namespace busbar::peak {

Kernel avx2() { return kernel<32, 12>("AVX2+FMA"); }

}  // namespace busbar::peak
