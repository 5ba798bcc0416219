// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <oneapi/dnnl/dnnl.hpp>

/// What a training step asks of oneDNN. oneDNN 2 and 3 make primitive descriptors in different ways: each generation
/// has a file that defines these functions, primitives_2.cpp or primitives_3.cpp, and scripts/cmake/OneDnn.cmake takes
/// the one for the headers that were found. Throws dnnl::error where oneDNN has no implementation.
namespace busbar::onednn {

using dnnl::memory;
using Desc = dnnl::memory::desc;

constexpr float epsilon = 1e-5F;  ///< batch norm's, as torchvision

/// Of a convolution or a pool: kernel size, strides, padding before and after the image; height, width.
struct Window {
  memory::dims kernel, strides, before, after;
};

[[nodiscard]] dnnl::convolution_forward::primitive_desc make_convolution(const dnnl::engine&, const Desc& source,
                                                                         const Desc& weights, const Desc& out,
                                                                         const Window&);
[[nodiscard]] dnnl::convolution_backward_data::primitive_desc make_convolution_backward_data(
    const dnnl::engine&, const Desc& source_diff, const Desc& weights, const Desc& out_diff, const Window&,
    const dnnl::convolution_forward::primitive_desc& forward);
[[nodiscard]] dnnl::convolution_backward_weights::primitive_desc make_convolution_backward_weights(
    const dnnl::engine&, const Desc& source, const Desc& weights_diff, const Desc& out_diff, const Window&,
    const dnnl::convolution_forward::primitive_desc& forward);

[[nodiscard]] dnnl::inner_product_forward::primitive_desc make_linear(const dnnl::engine&, const Desc& source,
                                                                      const Desc& weights, const Desc& bias,
                                                                      const Desc& out);
[[nodiscard]] dnnl::inner_product_backward_data::primitive_desc make_linear_backward_data(
    const dnnl::engine&, const Desc& source_diff, const Desc& weights, const Desc& out_diff,
    const dnnl::inner_product_forward::primitive_desc& forward);
[[nodiscard]] dnnl::inner_product_backward_weights::primitive_desc make_linear_backward_weights(
    const dnnl::engine&, const Desc& source, const Desc& weights_diff, const Desc& bias_diff, const Desc& out_diff,
    const dnnl::inner_product_forward::primitive_desc& forward);

[[nodiscard]] dnnl::batch_normalization_forward::primitive_desc make_norm(const dnnl::engine&, const Desc& data,
                                                                          dnnl::normalization_flags);
[[nodiscard]] dnnl::batch_normalization_backward::primitive_desc make_norm_backward(
    const dnnl::engine&, const Desc& diff, const Desc& data, dnnl::normalization_flags,
    const dnnl::batch_normalization_forward::primitive_desc& forward);

/// Whether the backward pass has to be given the shift, which it does not need; oneDNN counts its arguments.
[[nodiscard]] bool norm_backward_takes_shift();

/// The sum of two arrays of one layout, with a ReLU behind it or without.
[[nodiscard]] dnnl::binary::primitive_desc make_sum(const dnnl::engine&, const Desc&, bool relu);
/// The gradient of a ReLU's input from its output.
[[nodiscard]] dnnl::eltwise_backward::primitive_desc make_relu_backward(const dnnl::engine&, const Desc&);

[[nodiscard]] dnnl::pooling_forward::primitive_desc make_pool(const dnnl::engine&, dnnl::algorithm, const Desc& source,
                                                              const Desc& out, const Window&);
[[nodiscard]] dnnl::pooling_backward::primitive_desc make_pool_backward(
    const dnnl::engine&, dnnl::algorithm, const Desc& source, const Desc& out, const Window&,
    const dnnl::pooling_forward::primitive_desc& forward);

}  // namespace busbar::onednn
