// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/buffers.hpp"

#include <algorithm>

namespace busbar::gpu {

BufferPool::Lease BufferPool::take(std::size_t bytes) {
  auto best = free_.end();
  for (auto it = free_.begin(); it != free_.end(); ++it)
    if (it->bytes >= bytes && (best == free_.end() || it->bytes < best->bytes)) best = it;
  Buffer taken;
  if (best != free_.end()) {
    taken = *best;
    free_.erase(best);
  } else {
    auto& made = all_.emplace_back(bytes);
    taken = {.at = made.data(), .bytes = made.bytes()};
  }
  return {new Buffer(taken), [this](const Buffer* b) {
            free_.push_back(*b);
            delete b;
          }};
}

std::uint64_t BufferPool::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& one : all_) sum += one.bytes();
  return sum;
}

}  // namespace busbar::gpu
