// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <oneapi/dnnl/dnnl.hpp>

/// oneDNN calls of a training step. oneDNN 2 and 3 create primitive descriptors in different ways, so each version has
/// its own implementation: primitives_2.cpp and primitives_3.cpp. scripts/cmake/OneDnn.cmake selects one by the headers
/// found. All functions throw dnnl::error if oneDNN has no implementation.
namespace busbar::onednn {

using dnnl::memory;
using Desc = dnnl::memory::desc;

constexpr float epsilon = 1e-5F;  ///< of batch norm, as in torchvision

/// Window of a convolution or pool, as (height, width): kernel size, strides, padding before and after the image.
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

/// Whether batch norm's backward pass requires the shift argument. It never uses it, but oneDNN counts arguments.
[[nodiscard]] bool norm_backward_takes_shift();

/// Sum of two arrays with the same layout, optionally followed by a ReLU.
[[nodiscard]] dnnl::binary::primitive_desc make_sum(const dnnl::engine&, const Desc&, bool relu);
/// Gradient of a ReLU's input, from the ReLU's output.
[[nodiscard]] dnnl::eltwise_backward::primitive_desc make_relu_backward(const dnnl::engine&, const Desc&);

[[nodiscard]] dnnl::pooling_forward::primitive_desc make_pool(const dnnl::engine&, dnnl::algorithm, const Desc& source,
                                                              const Desc& out, const Window&);
[[nodiscard]] dnnl::pooling_backward::primitive_desc make_pool_backward(
    const dnnl::engine&, dnnl::algorithm, const Desc& source, const Desc& out, const Window&,
    const dnnl::pooling_forward::primitive_desc& forward);

}  // namespace busbar::onednn
