// SPDX-License-Identifier: Apache-2.0
#include "workloads/peak/loop.hpp"

namespace busbar::peak {

Kernel best() { return portable(); }

}  // namespace busbar::peak
