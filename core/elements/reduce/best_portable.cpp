// SPDX-License-Identifier: Apache-2.0
#include "core/elements/reduce/kernels.hpp"

namespace busbar::reduction {

const Kernels& best_kernels() noexcept { return portable_kernels; }

}  // namespace busbar::reduction
