// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cudnn_floats.hpp"
#include "cudnn_offer.hpp"

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

Offer offered_sums() { return offer_of("FAKE_CUDNN_GENSTATS"); }

/// Sums the values as they were stored.
void add_up(const ConvolutionCall& c, void* output, void* sum, void* squares) {
  Floats stored(c.output, output), to_sum(*c.sum), to_squares(*c.squares);
  const auto channels = static_cast<std::size_t>(c.output.dims[1]);
  for (std::size_t i = 0; i < stored.values().size(); ++i) {
    const float v = stored.values()[i];
    to_sum.values()[i % channels] += v;
    to_squares.values()[i % channels] += v * v;
  }
  if (offered_sums() == Offer::wrong)
    for (float& v : to_squares.values()) v *= 1.0625F;
  to_sum.store_to(sum);
  to_squares.store_to(squares);
}

}  // namespace

ConvolutionCall convolution_of(const DnnDescriptor& graph) {
  const auto& operations = graph.at(CUDNN_ATTR_OPERATIONGRAPH_OPS).of;
  ConvolutionCall call = call_of(*operations.front());
  if (operations.size() == 1) return call;
  const DnnDescriptor& sums = *operations.back();
  require_dnn(operations.size() == 2 && sums.type == CUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR &&
                  call.pass == ConvolutionCall::Pass::forward && offered_sums() != Offer::none,
              CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN);
  require_dnn(sums.one<cudnnGenStatsMode_t>(CUDNN_ATTR_OPERATION_GENSTATS_MODE) == CUDNN_GENSTATS_SUM_SQSUM);
  require_dnn(sums.one<cudnnDataType_t>(CUDNN_ATTR_OPERATION_GENSTATS_MATH_PREC) == CUDNN_DATA_FLOAT);
  require_dnn(view_of(sums.child(CUDNN_ATTR_OPERATION_GENSTATS_XDESC)).id == call.output.id);
  call.sum = view_of(sums.child(CUDNN_ATTR_OPERATION_GENSTATS_SUMDESC));
  call.squares = view_of(sums.child(CUDNN_ATTR_OPERATION_GENSTATS_SQSUMDESC));
  for (const TensorView& t : {*call.sum, *call.squares}) {
    require_dnn(t.dims == std::array<std::int64_t, 4>{1, call.output.dims[1], 1, 1},
                CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH);
    require_dnn(t.type == CUDNN_DATA_FLOAT && !t.is_virtual && !t.by_value, CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE);
  }
  return call;
}

void convolve(const ConvolutionCall& c, void* input, void* weights, void* output, void* sum, void* squares) {
  if (c.sum && offered_sums() == Offer::nothing) return;
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
    if (c.sum) add_up(c, output, sum, squares);
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
