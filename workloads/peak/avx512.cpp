// SPDX-License-Identifier: Apache-2.0
#include "workloads/peak/loop.hpp"

namespace busbar::peak {

Kernel avx512() { return kernel<64, 16>("AVX-512"); }

}  // namespace busbar::peak
