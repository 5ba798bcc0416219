// SPDX-License-Identifier: Apache-2.0
#include "workloads/peak/loop.hpp"

namespace busbar::peak {

Kernel portable() { return kernel<16, 8>("baseline"); }

}  // namespace busbar::peak
