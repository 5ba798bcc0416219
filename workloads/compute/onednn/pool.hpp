// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <oneapi/dnnl/dnnl.hpp>

#include "workloads/compute/block_pool.hpp"

namespace busbar::onednn {

/// Views of blocks of a BlockPool.
class Pool {
 public:
  explicit Pool(dnnl::engine engine) : engine_(std::move(engine)) {}
  using Lease = std::shared_ptr<dnnl::memory>;

  Lease take(const dnnl::memory::desc& desc) {
    const auto block = blocks_.take(desc.get_size(), engine_);
    // The copy of `block` in the deleter keeps it taken until the view is released.
    return {new dnnl::memory(desc, engine_, block->memory.get_data_handle()), [block](dnnl::memory* m) { delete m; }};
  }

 private:
  struct Block {
    Block(std::size_t bytes, const dnnl::engine& engine)
        : memory({{static_cast<dnnl::memory::dim>(bytes)}, dnnl::memory::data_type::u8, dnnl::memory::format_tag::a},
                 engine) {}
    [[nodiscard]] std::size_t bytes() const { return memory.get_desc().get_size(); }
    dnnl::memory memory;
  };

  dnnl::engine engine_;
  BlockPool<Block> blocks_;
};

}  // namespace busbar::onednn
