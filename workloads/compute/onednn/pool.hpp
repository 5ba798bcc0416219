// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

namespace busbar::onednn {

/// Reuses memory: when the last owner of a lease releases it, its memory serves later take() calls.
class Pool {
 public:
  explicit Pool(dnnl::engine engine) : engine_(std::move(engine)) {}
  using Lease = std::shared_ptr<dnnl::memory>;

  Lease take(const dnnl::memory::desc& desc) {
    const std::size_t bytes = desc.get_size();
    auto best = free_.end();
    for (auto it = free_.begin(); it != free_.end(); ++it)
      if (it->get_desc().get_size() >= bytes &&
          (best == free_.end() || it->get_desc().get_size() < best->get_desc().get_size()))
        best = it;
    dnnl::memory whole;
    if (best != free_.end()) {
      whole = *best;
      free_.erase(best);
    } else {
      whole = dnnl::memory(bytes_desc(bytes), engine_);
      bytes_ += bytes;
    }
    auto* view = new dnnl::memory(desc, engine_, whole.get_data_handle());
    return {view, [this, whole](dnnl::memory* m) {
              delete m;
              free_.push_back(whole);
            }};
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  static dnnl::memory::desc bytes_desc(std::size_t bytes) {
    return {{static_cast<dnnl::memory::dim>(bytes)}, dnnl::memory::data_type::u8, dnnl::memory::format_tag::a};
  }

  dnnl::engine engine_;
  std::vector<dnnl::memory> free_;
  std::uint64_t bytes_ = 0;
};

}  // namespace busbar::onednn
