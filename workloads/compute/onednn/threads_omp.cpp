// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include "workloads/compute/onednn/threads.hpp"

namespace busbar::onednn {

std::shared_ptr<void> limit_threads(int threads) {
  omp_set_num_threads(threads);
  return nullptr;
}

}  // namespace busbar::onednn
