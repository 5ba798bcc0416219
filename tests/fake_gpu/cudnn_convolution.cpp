// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cudnn_floats.hpp"

namespace fake_gpu {
namespace {

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
