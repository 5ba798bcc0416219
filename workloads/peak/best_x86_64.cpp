// SPDX-License-Identifier: Apache-2.0
#include "workloads/peak/loop.hpp"

namespace busbar::peak {

Kernel best() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) return avx512();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2();
  return portable();
}

}  // namespace busbar::peak
