// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/float16.hpp"
#include "cudnn_descriptor.hpp"

namespace fake_gpu {
namespace {

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

/// Calls visit(x, w, y) for all that meet: pointers to the channels of a pixel, of a place of one filter, and to that
/// filter's output.
template <class Visit>
void slide(const ConvolutionCall& c, Floats& x, Floats& w, Floats& y, Visit visit) {
  const auto [images, channels, height, width] = c.input.dims;
  const auto [filters, inputs, rows, columns] = c.weights.dims;
  for (std::int64_t n = 0; n < images; ++n)
    for (std::int64_t p = 0; p < c.output.dims[2]; ++p)
      for (std::int64_t q = 0; q < c.output.dims[3]; ++q)
        for (std::int64_t r = 0; r < rows; ++r)
          for (std::int64_t s = 0; s < columns; ++s) {
            const std::int64_t h = p * c.stride[0] + r - c.pad[0], v = q * c.stride[1] + s - c.pad[1];
            if (h < 0 || h >= height || v < 0 || v >= width) continue;
            for (std::int64_t k = 0; k < filters; ++k) visit(x.at(n, h, v), w.at(k, r, s), y.at(n, p, q) + k);
          }
}

}  // namespace

void convolve(const ConvolutionCall& c, void* input, void* weights, void* output) {
  using Pass = ConvolutionCall::Pass;
  const auto channels = static_cast<std::size_t>(c.input.dims[1]);
  Floats x = c.pass == Pass::data ? Floats(c.input) : Floats(c.input, input);
  Floats w = c.pass == Pass::filter ? Floats(c.weights) : Floats(c.weights, weights);
  Floats y = c.pass == Pass::forward ? Floats(c.output) : Floats(c.output, output);
  if (c.pass == Pass::forward) {
    slide(c, x, w, y, [channels](const float* xs, const float* ws, float* to) {
      float sum = 0;
      for (std::size_t i = 0; i < channels; ++i) sum += xs[i] * ws[i];
      *to += sum;
    });
    y.store_to(output);
  } else if (c.pass == Pass::data) {
    slide(c, x, w, y, [channels](float* xs, const float* ws, const float* from) {
      for (std::size_t i = 0; i < channels; ++i) xs[i] += ws[i] * *from;
    });
    x.store_to(input);
  } else {
    slide(c, x, w, y, [channels](const float* xs, float* ws, const float* from) {
      for (std::size_t i = 0; i < channels; ++i) ws[i] += xs[i] * *from;
    });
    w.store_to(weights);
  }
}

}  // namespace fake_gpu
