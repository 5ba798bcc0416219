// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/elements/float16.hpp"
#include "cudnn_descriptor.hpp"

namespace fake_gpu {

/// A tensor as floats, [n][h][w][c] whatever its strides are.
class Floats {
 public:
  explicit Floats(const TensorView& view) : view_(view), values_(count()) {}
  Floats(const TensorView& view, const void* from) : Floats(view) {
    each([&](std::size_t to, std::int64_t at) { values_[to] = load(from, at); });
  }
  void store_to(void* to) const {
    each([&](std::size_t from, std::int64_t at) { store(to, at, values_[from]); });
  }
  /// The channels of all pixels, one after the other.
  [[nodiscard]] std::vector<float>& values() { return values_; }
  [[nodiscard]] float* at(std::int64_t n, std::int64_t h, std::int64_t w) {
    return values_.data() + ((n * view_.dims[2] + h) * view_.dims[3] + w) * view_.dims[1];
  }

 private:
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(view_.dims[0] * view_.dims[1] * view_.dims[2] * view_.dims[3]);
  }
  template <class Visit>
  void each(Visit visit) const {
    const auto [n, c, h, w] = view_.dims;
    const auto [sn, sc, sh, sw] = view_.strides;
    std::size_t here = 0;
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < h; ++j)
        for (std::int64_t k = 0; k < w; ++k)
          for (std::int64_t l = 0; l < c; ++l) visit(here++, i * sn + l * sc + j * sh + k * sw);
  }
  [[nodiscard]] float load(const void* from, std::int64_t at) const {
    if (view_.type == CUDNN_DATA_FLOAT) return static_cast<const float*>(from)[at];
    const std::uint16_t bits = static_cast<const std::uint16_t*>(from)[at];
    return view_.type == CUDNN_DATA_HALF ? busbar::to_float(busbar::Half{bits})
                                         : busbar::to_float(busbar::BFloat16{bits});
  }
  void store(void* to, std::int64_t at, float value) const {
    if (view_.type == CUDNN_DATA_FLOAT)
      static_cast<float*>(to)[at] = value;
    else
      static_cast<std::uint16_t*>(to)[at] =
          view_.type == CUDNN_DATA_HALF ? busbar::to_half(value).bits : busbar::to_bfloat16(value).bits;
  }

  TensorView view_;
  std::vector<float> values_;
};

}  // namespace fake_gpu
