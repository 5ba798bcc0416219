// SPDX-License-Identifier: Apache-2.0
#include "workloads/peak/instructions.hpp"

namespace busbar::peak {

bool has(Feature feature) { return feature == Feature::none; }

}  // namespace busbar::peak
