// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

namespace busbar {

/// Memory for gradients of activations, assigned while backward is built. Releasing the last copy of a lease makes its
/// block available again, so work on a block must run in the order in which blocks were taken. A Block is made from its
/// number of bytes, which bytes() returns. The pool must outlive all leases.
template <class Block>
class BlockPool {
 public:
  using Lease = std::shared_ptr<const Block>;

  BlockPool() = default;
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  /// Returns the smallest free block that is large enough, or a new one, which is also made from `more`. Throws
  /// std::bad_alloc.
  template <class... More>
  [[nodiscard]] Lease take(std::size_t bytes, const More&... more) {
    const Block* best = nullptr;
    for (const Block* block : free_)
      if (block->bytes() >= bytes && (best == nullptr || block->bytes() < best->bytes())) best = block;
    if (best != nullptr)
      std::erase(free_, best);
    else
      best = &all_.emplace_back(bytes, more...);
    return {best, [this](const Block* block) { free_.push_back(block); }};
  }

 private:
  std::deque<Block> all_;  ///< never moves its elements
  std::vector<const Block*> free_;
};

}  // namespace busbar
