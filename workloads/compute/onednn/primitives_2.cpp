// SPDX-License-Identifier: Apache-2.0
// oneDNN 2, tested with 2.6: a primitive descriptor is made from an operation descriptor.
#include "workloads/compute/onednn/primitives.hpp"

namespace busbar::onednn {

using dnnl::algorithm;
using dnnl::prop_kind;

dnnl::convolution_forward::primitive_desc make_convolution(const dnnl::engine& engine, const Desc& source,
                                                           const Desc& weights, const Desc& out, const Window& w) {
  return {
      {prop_kind::forward_training, algorithm::convolution_direct, source, weights, out, w.strides, w.before, w.after},
      engine};
}

dnnl::convolution_backward_data::primitive_desc make_convolution_backward_data(
    const dnnl::engine& engine, const Desc& source_diff, const Desc& weights, const Desc& out_diff, const Window& w,
    const dnnl::convolution_forward::primitive_desc& forward) {
  return {
      {algorithm::convolution_direct, source_diff, weights, out_diff, w.strides, w.before, w.after}, engine, forward};
}

dnnl::convolution_backward_weights::primitive_desc make_convolution_backward_weights(
    const dnnl::engine& engine, const Desc& source, const Desc& weights_diff, const Desc& out_diff, const Window& w,
    const dnnl::convolution_forward::primitive_desc& forward) {
  return {
      {algorithm::convolution_direct, source, weights_diff, out_diff, w.strides, w.before, w.after}, engine, forward};
}

dnnl::inner_product_forward::primitive_desc make_linear(const dnnl::engine& engine, const Desc& source,
                                                        const Desc& weights, const Desc& bias, const Desc& out) {
  return {{prop_kind::forward_training, source, weights, bias, out}, engine};
}

dnnl::inner_product_backward_data::primitive_desc make_linear_backward_data(
    const dnnl::engine& engine, const Desc& source_diff, const Desc& weights, const Desc& out_diff,
    const dnnl::inner_product_forward::primitive_desc& forward) {
  return {{source_diff, weights, out_diff}, engine, forward};
}

dnnl::inner_product_backward_weights::primitive_desc make_linear_backward_weights(
    const dnnl::engine& engine, const Desc& source, const Desc& weights_diff, const Desc& bias_diff,
    const Desc& out_diff, const dnnl::inner_product_forward::primitive_desc& forward) {
  return {{source, weights_diff, bias_diff, out_diff}, engine, forward};
}

dnnl::batch_normalization_forward::primitive_desc make_norm(const dnnl::engine& engine, const Desc& data,
                                                            dnnl::normalization_flags flags) {
  return {{prop_kind::forward_training, data, epsilon, flags}, engine};
}

dnnl::batch_normalization_backward::primitive_desc make_norm_backward(
    const dnnl::engine& engine, const Desc& diff, const Desc& data, dnnl::normalization_flags flags,
    const dnnl::batch_normalization_forward::primitive_desc& forward) {
  return {{prop_kind::backward, diff, data, epsilon, flags}, engine, forward};
}

bool norm_backward_takes_shift() { return true; }

dnnl::binary::primitive_desc make_sum(const dnnl::engine& engine, const Desc& desc, bool relu) {
  dnnl::primitive_attr then;
  if (relu) {
    dnnl::post_ops operations;
    operations.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
    then.set_post_ops(operations);
  }
  return {{algorithm::binary_add, desc, desc, desc}, then, engine};
}

dnnl::eltwise_backward::primitive_desc make_relu_backward(const dnnl::engine& engine, const Desc& desc) {
  constexpr auto relu = algorithm::eltwise_relu_use_dst_for_bwd;
  const dnnl::eltwise_forward::primitive_desc forward({prop_kind::forward_training, relu, desc, 0.0F}, engine);
  return {{relu, desc, desc, 0.0F}, engine, forward};
}

dnnl::pooling_forward::primitive_desc make_pool(const dnnl::engine& engine, algorithm how, const Desc& source,
                                                const Desc& out, const Window& w) {
  return {{prop_kind::forward_training, how, source, out, w.strides, w.kernel, w.before, w.after}, engine};
}

dnnl::pooling_backward::primitive_desc make_pool_backward(const dnnl::engine& engine, algorithm how, const Desc& source,
                                                          const Desc& out, const Window& w,
                                                          const dnnl::pooling_forward::primitive_desc& forward) {
  return {{how, source, out, w.strides, w.kernel, w.before, w.after}, engine, forward};
}

}  // namespace busbar::onednn
