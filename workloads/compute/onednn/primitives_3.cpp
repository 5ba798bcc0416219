// SPDX-License-Identifier: Apache-2.0
// oneDNN 3: primitive descriptors are created directly, without an operation descriptor.
#include "workloads/compute/onednn/primitives.hpp"

namespace busbar::onednn {

using dnnl::algorithm;
using dnnl::prop_kind;

dnnl::convolution_forward::primitive_desc make_convolution(const dnnl::engine& engine, const Desc& source,
                                                           const Desc& weights, const Desc& out, const Window& w) {
  return {engine, prop_kind::forward_training, algorithm::convolution_direct, source, weights, out, w.strides, w.before,
          w.after};
}

dnnl::convolution_backward_data::primitive_desc make_convolution_backward_data(
    const dnnl::engine& engine, const Desc& source_diff, const Desc& weights, const Desc& out_diff, const Window& w,
    const dnnl::convolution_forward::primitive_desc& forward) {
  return {engine, algorithm::convolution_direct, source_diff, weights, out_diff, w.strides, w.before, w.after, forward};
}

dnnl::convolution_backward_weights::primitive_desc make_convolution_backward_weights(
    const dnnl::engine& engine, const Desc& source, const Desc& weights_diff, const Desc& out_diff, const Window& w,
    const dnnl::convolution_forward::primitive_desc& forward) {
  return {engine, algorithm::convolution_direct, source, weights_diff, out_diff, w.strides, w.before, w.after, forward};
}

dnnl::inner_product_forward::primitive_desc make_linear(const dnnl::engine& engine, const Desc& source,
                                                        const Desc& weights, const Desc& bias, const Desc& out) {
  return {engine, prop_kind::forward_training, source, weights, bias, out};
}

dnnl::inner_product_backward_data::primitive_desc make_linear_backward_data(
    const dnnl::engine& engine, const Desc& source_diff, const Desc& weights, const Desc& out_diff,
    const dnnl::inner_product_forward::primitive_desc& forward) {
  return {engine, source_diff, weights, out_diff, forward};
}

dnnl::inner_product_backward_weights::primitive_desc make_linear_backward_weights(
    const dnnl::engine& engine, const Desc& source, const Desc& weights_diff, const Desc& bias_diff,
    const Desc& out_diff, const dnnl::inner_product_forward::primitive_desc& forward) {
  return {engine, source, weights_diff, bias_diff, out_diff, forward};
}

dnnl::batch_normalization_forward::primitive_desc make_norm(const dnnl::engine& engine, const Desc& data,
                                                            dnnl::normalization_flags flags) {
  return {engine, prop_kind::forward_training, data, data, epsilon, flags};
}

dnnl::batch_normalization_backward::primitive_desc make_norm_backward(
    const dnnl::engine& engine, const Desc& diff, const Desc& data, dnnl::normalization_flags flags,
    const dnnl::batch_normalization_forward::primitive_desc& forward) {
  return {engine, prop_kind::backward, diff, diff, data, epsilon, flags, forward};
}

bool norm_backward_takes_shift() { return false; }

dnnl::binary::primitive_desc make_sum(const dnnl::engine& engine, const Desc& desc, bool relu) {
  dnnl::primitive_attr then;
  if (relu) {
    dnnl::post_ops operations;
    operations.append_eltwise(algorithm::eltwise_relu, 0, 0);
    then.set_post_ops(operations);
  }
  return {engine, algorithm::binary_add, desc, desc, desc, then};
}

dnnl::eltwise_backward::primitive_desc make_relu_backward(const dnnl::engine& engine, const Desc& desc) {
  constexpr auto relu = algorithm::eltwise_relu_use_dst_for_bwd;
  const dnnl::eltwise_forward::primitive_desc forward(engine, prop_kind::forward_training, relu, desc, desc, 0.0F);
  return {engine, relu, desc, desc, desc, 0.0F, forward};
}

dnnl::pooling_forward::primitive_desc make_pool(const dnnl::engine& engine, algorithm how, const Desc& source,
                                                const Desc& out, const Window& w) {
  const memory::dims dense{0, 0};
  return {engine, prop_kind::forward_training, how, source, out, w.strides, w.kernel, dense, w.before, w.after};
}

dnnl::pooling_backward::primitive_desc make_pool_backward(const dnnl::engine& engine, algorithm how, const Desc& source,
                                                          const Desc& out, const Window& w,
                                                          const dnnl::pooling_forward::primitive_desc& forward) {
  const memory::dims dense{0, 0};
  return {engine, how, source, out, w.strides, w.kernel, dense, w.before, w.after, forward};
}

}  // namespace busbar::onednn
