// SPDX-License-Identifier: Apache-2.0
#include "core/elements/reduce/kernels.hpp"

namespace busbar::reduction {

const Kernels& best_kernels() noexcept {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c") ? avx2_kernels : portable_kernels;
}

}  // namespace busbar::reduction
