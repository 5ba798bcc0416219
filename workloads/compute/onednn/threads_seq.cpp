// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.hpp"
#include "workloads/compute/onednn/threads.hpp"

namespace busbar::onednn {

std::shared_ptr<void> limit_threads(int threads) {
  if (threads > 1) throw UsageError("--threads: oneDNN was built without threads; use 1");
  return nullptr;
}

}  // namespace busbar::onednn
