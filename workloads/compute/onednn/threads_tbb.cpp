// SPDX-License-Identifier: Apache-2.0
#include <oneapi/tbb/global_control.h>

#include "workloads/compute/onednn/threads.hpp"

namespace busbar::onednn {

std::shared_ptr<void> limit_threads(int threads) {
  return std::make_shared<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                               static_cast<std::size_t>(threads));
}

}  // namespace busbar::onednn
