// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "core/cuda/threads.hpp"

/// Device code shared by all kernels of this folder: iteration over a flat array, and accesses of V elements at a time.
/// Eight 16-bit elements are one 16-byte access.
namespace busbar::gpu {

using cuda::first_item, cuda::items_a_step;

__device__ inline float to_float(float value) { return value; }
__device__ inline float to_float(__half value) { return __half2float(value); }
__device__ inline float to_float(__nv_bfloat16 value) { return __bfloat162float(value); }

template <class T>
__device__ T from_float(float value);
template <>
__device__ inline float from_float<float>(float value) {
  return value;
}
template <>
__device__ inline __half from_float<__half>(float value) {
  return __float2half_rn(value);
}
template <>
__device__ inline __nv_bfloat16 from_float<__nv_bfloat16>(float value) {
  return __float2bfloat16_rn(value);
}

/// The value after rounding to T.
template <class T>
__device__ float rounded(float value) {
  return to_float(from_float<T>(value));
}

/// Two adjacent elements in memory format.
__device__ inline __half2 pair_of(float a, float b, __half) { return __floats2half2_rn(a, b); }
__device__ inline __nv_bfloat162 pair_of(float a, float b, __nv_bfloat16) { return __floats2bfloat162_rn(a, b); }

/// V elements in registers, in memory format, so that many loads can be in flight.
template <class T, unsigned V>
struct Packed {
  static_assert(V == 1);
  T value;
};
template <class T>
  requires(sizeof(T) == 2)
struct Packed<T, 8> {
  uint4 bits;
};
template <>
struct Packed<float, 8> {
  float4 low, high;
};
template <>
struct Packed<std::uint8_t, 8> {
  uint2 bits;
};

template <unsigned V, class T>
__device__ Packed<T, V> fetch(const T* from) {
  if constexpr (V == 1) {
    return {*from};
  } else if constexpr (sizeof(T) == 4) {
    const auto* const four = reinterpret_cast<const float4*>(from);
    return {four[0], four[1]};
  } else {
    return *reinterpret_cast<const Packed<T, V>*>(from);
  }
}

template <class T, unsigned V>
__device__ void unpack(const Packed<T, V>& packed, float (&to)[V]) {
  if constexpr (V == 1) {
    to[0] = to_float(packed.value);
  } else {
    T each[V];
    memcpy(static_cast<void*>(each), &packed, sizeof each);
    for (unsigned k = 0; k < V; ++k) to[k] = to_float(each[k]);
  }
}

template <class T, unsigned V>
__device__ Packed<T, V> pack(const float (&from)[V]) {
  Packed<T, V> packed;
  if constexpr (V == 1) {
    packed.value = from_float<T>(from[0]);
  } else if constexpr (sizeof(T) == 4) {
    memcpy(&packed, from, sizeof packed);
  } else {
    decltype(pair_of(0, 0, T{})) pairs[V / 2];
    for (unsigned k = 0; k < V / 2; ++k) pairs[k] = pair_of(from[2 * k], from[2 * k + 1], T{});
    memcpy(&packed, pairs, sizeof packed);
  }
  return packed;
}

template <unsigned V, class T>
__device__ void put(T* to, const Packed<T, V>& packed) {
  if constexpr (V == 1) {
    *to = packed.value;
  } else if constexpr (sizeof(T) == 4) {
    auto* const four = reinterpret_cast<float4*>(to);
    four[0] = packed.low;
    four[1] = packed.high;
  } else {
    *reinterpret_cast<Packed<T, V>*>(to) = packed;
  }
}

template <unsigned V, class T>
__device__ void load(const T* from, float (&to)[V]) {
  unpack(fetch<V>(from), to);
}
template <unsigned V, class T>
__device__ void store(T* to, const float (&from)[V]) {
  put<V>(to, pack<T>(from));
}

/// NaN stays NaN.
__device__ inline float relu_of(float value) { return value < 0 ? 0.0F : value; }

/// Calls work(std::integral_constant<unsigned, V>, i) for this thread's share of [begin, end): aligned groups of 8
/// elements, and single elements before the first and after the last group.
template <class Work>
__device__ void over_range(std::uint64_t begin, std::uint64_t end, const Work& work) {
  const std::integral_constant<unsigned, 1> one;
  const std::integral_constant<unsigned, 8> eight;
  const std::uint64_t up = (begin + 7) / 8 * 8, down = end / 8 * 8;
  const std::uint64_t head = up < end ? up : end, tail = down > head ? down : head;
  for (std::uint64_t i = head + first_item() * 8; i < tail; i += items_a_step() * 8) work(eight, i);
  if (const std::uint64_t i = begin + first_item(); i < head) work(one, i);
  if (const std::uint64_t i = tail + first_item(); i < end) work(one, i);
}

}  // namespace busbar::gpu
