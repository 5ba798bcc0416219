// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cudnn.h>
#include <library_types.h>

#include "core/elements/dtype.hpp"

/// The 16-bit compute type T of the layers, as several libraries name it.
namespace busbar::gpu {

/// Calls f with a value of T: with_precision(p, [&]<class T>(T) { ... }).
template <class F>
decltype(auto) with_precision(DType precision, F&& f) {
  return precision == DType::f16 ? std::forward<F>(f)(__half{}) : std::forward<F>(f)(__nv_bfloat16{});
}

[[nodiscard]] constexpr cudnnDataType_t cudnn_type(DType precision) {
  return precision == DType::f16 ? CUDNN_DATA_HALF : CUDNN_DATA_BFLOAT16;
}

[[nodiscard]] constexpr cudaDataType_t cuda_type(DType type) {
  return type == DType::f32 ? CUDA_R_32F : type == DType::f16 ? CUDA_R_16F : CUDA_R_16BF;
}

/// Bytes of an activation, or of a weight as layers read it.
inline constexpr std::size_t compute_bytes = 2;

/// Constant factor on the loss before backward, so that small gradients do not underflow in fp16; the update divides by
/// it. P. Micikevicius et al. (Mixed Precision Training, ICLR 2018) find a constant sufficient for networks like
/// ResNet. bf16 has the exponent range of fp32 and needs no scaling.
[[nodiscard]] constexpr float loss_scale(DType precision) { return precision == DType::f16 ? 1024.0F : 1.0F; }

}  // namespace busbar::gpu
