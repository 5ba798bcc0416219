// SPDX-License-Identifier: Apache-2.0
#include "workloads/peak/loop.hpp"

namespace busbar {

extern constinit const peak::Instructions portable = peak::fp32_loop<16, 8>("baseline", peak::Feature::none);

}  // namespace busbar
