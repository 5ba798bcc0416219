// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Included ahead of a .cu file that is compiled for the CPU: what device code takes for granted. Only names that
/// nvcc knows are in the global namespace.

// Its threadIdx and others are constants; ours change.
#define __DEVICE_LAUNCH_PARAMETERS_H__
#include <cuda_runtime.h>
//
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <stdexcept>
#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <math.h>

#include "grid.hpp"

// Blocks run one after another on a stream's thread: one copy a thread is one a block.
#undef __shared__
#define __shared__ constinit thread_local
#define __launch_bounds__(...)

extern constinit thread_local uint3 threadIdx;
extern constinit thread_local uint3 blockIdx;
extern constinit thread_local dim3 blockDim;
extern constinit thread_local dim3 gridDim;
inline constexpr int warpSize = 32;

namespace fake_gpu::simt {

template <class T>
concept Word = sizeof(T) <= 8 && std::is_trivially_copyable_v<T>;

template <Word T>
std::uint64_t as_word(T value) {
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

template <Word T>
T shuffle(unsigned int mask, T value, int source, std::source_location where) {
  const auto word = wait_for_warp(Exchange::shuffle, mask, as_word(value), source, where);
  T result;
  std::memcpy(&result, &word, sizeof result);
  return result;
}

// Where a lane reads from, in its part of the warp of `width` lanes; its own value beyond that part.
inline int source_lane(int wanted, int width) {
  const int first = lane() / width * width;
  return wanted < first || wanted >= first + width ? lane() : wanted;
}

template <class T, class Change>
T change(T* at, Change what) {
  std::atomic_ref<T> cell(*at);
  T old = cell.load();
  while (!cell.compare_exchange_weak(old, what(old))) {
  }
  return old;
}

}  // namespace fake_gpu::simt

using fake_gpu_where = std::source_location;

inline void __syncthreads(fake_gpu_where where = fake_gpu_where::current()) {
  fake_gpu::simt::wait_for_block(0, where);
}
inline int __syncthreads_count(int value, fake_gpu_where where = fake_gpu_where::current()) {
  return fake_gpu::simt::wait_for_block(value, where);
}
inline int __syncthreads_or(int value, fake_gpu_where where = fake_gpu_where::current()) {
  return fake_gpu::simt::wait_for_block(value, where) != 0 ? 1 : 0;
}
inline int __syncthreads_and(int value, fake_gpu_where where = fake_gpu_where::current()) {
  return fake_gpu::simt::wait_for_block(value == 0 ? 1 : 0, where) == 0 ? 1 : 0;
}
inline void __syncwarp(unsigned int mask = 0xFFFFFFFFU, fake_gpu_where where = fake_gpu_where::current()) {
  fake_gpu::simt::wait_for_warp(fake_gpu::simt::Exchange::synchronize, mask, 0, 0, where);
}

template <fake_gpu::simt::Word T>
T __shfl_sync(unsigned int mask, T value, int source, int width = 32,
              fake_gpu_where where = fake_gpu_where::current()) {
  const int first = fake_gpu::simt::lane() / width * width;
  return fake_gpu::simt::shuffle(mask, value, first + (source & (width - 1)), where);
}
template <fake_gpu::simt::Word T>
T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = 32,
                 fake_gpu_where where = fake_gpu_where::current()) {
  const int wanted = fake_gpu::simt::lane() - static_cast<int>(delta);
  return fake_gpu::simt::shuffle(mask, value, fake_gpu::simt::source_lane(wanted, width), where);
}
template <fake_gpu::simt::Word T>
T __shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width = 32,
                   fake_gpu_where where = fake_gpu_where::current()) {
  const int wanted = fake_gpu::simt::lane() + static_cast<int>(delta);
  return fake_gpu::simt::shuffle(mask, value, fake_gpu::simt::source_lane(wanted, width), where);
}
template <fake_gpu::simt::Word T>
T __shfl_xor_sync(unsigned int mask, T value, int with, int width = 32,
                  fake_gpu_where where = fake_gpu_where::current()) {
  // Lanes of earlier parts may be read from, those of later ones not (PTX ISA, shfl.bfly).
  const int wanted = fake_gpu::simt::lane() ^ with;
  const int end = fake_gpu::simt::lane() / width * width + width;
  return fake_gpu::simt::shuffle(mask, value, wanted < end ? wanted : fake_gpu::simt::lane(), where);
}

inline unsigned int __ballot_sync(unsigned int mask, int value, fake_gpu_where where = fake_gpu_where::current()) {
  const auto word = static_cast<std::uint64_t>(value != 0);
  return static_cast<unsigned int>(
      fake_gpu::simt::wait_for_warp(fake_gpu::simt::Exchange::ballot, mask, word, 0, where));
}
inline int __any_sync(unsigned int mask, int value, fake_gpu_where where = fake_gpu_where::current()) {
  return __ballot_sync(mask, value, where) != 0 ? 1 : 0;
}
inline int __all_sync(unsigned int mask, int value, fake_gpu_where where = fake_gpu_where::current()) {
  return __ballot_sync(mask, value == 0 ? 1 : 0, where) == 0 ? 1 : 0;
}

inline void __threadfence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
inline void __threadfence_block() { __threadfence(); }
inline void __threadfence_system() { __threadfence(); }

// Atomic operations on the types the device has them for.
template <class T>
concept fake_gpu_atomic_integer = std::same_as<T, int> || std::same_as<T, unsigned int> ||
                                  std::same_as<T, unsigned long long> || std::same_as<T, long long>;
template <class T>
concept fake_gpu_atomic_number = fake_gpu_atomic_integer<T> || std::same_as<T, float> || std::same_as<T, double>;

template <fake_gpu_atomic_number T>
T atomicAdd(T* at, std::type_identity_t<T> value) {
  return fake_gpu::simt::change(at, [=](T old) { return static_cast<T>(old + value); });
}
template <fake_gpu_atomic_integer T>
T atomicSub(T* at, std::type_identity_t<T> value) {
  return fake_gpu::simt::change(at, [=](T old) { return static_cast<T>(old - value); });
}
template <fake_gpu_atomic_integer T>
T atomicMin(T* at, std::type_identity_t<T> value) {
  return fake_gpu::simt::change(at, [=](T old) { return old < value ? old : value; });
}
template <fake_gpu_atomic_integer T>
T atomicMax(T* at, std::type_identity_t<T> value) {
  return fake_gpu::simt::change(at, [=](T old) { return old > value ? old : value; });
}
template <fake_gpu_atomic_integer T>
T atomicOr(T* at, std::type_identity_t<T> value) {
  return fake_gpu::simt::change(at, [=](T old) { return old | value; });
}
template <fake_gpu_atomic_integer T>
T atomicAnd(T* at, std::type_identity_t<T> value) {
  return fake_gpu::simt::change(at, [=](T old) { return old & value; });
}
template <class T>
  requires fake_gpu_atomic_integer<T> || std::same_as<T, float>
T atomicExch(T* at, std::type_identity_t<T> value) {
  return std::atomic_ref<T>(*at).exchange(value);
}
template <fake_gpu_atomic_integer T>
T atomicCAS(T* at, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
  std::atomic_ref<T>(*at).compare_exchange_strong(compare, value);
  return compare;
}

template <class T>
T __ldg(const T* at) {
  return *at;
}
template <class T>
T __ldcs(const T* at) {
  return *at;
}
template <class T>
T __ldcg(const T* at) {
  return *at;
}
template <class T>
void __stcs(T* at, T value) {
  *at = value;
}

template <class A, class B>
  requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
std::common_type_t<A, B> min(A a, B b) {
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<T>) return std::fmin(static_cast<T>(a), static_cast<T>(b));
  return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b);
}
template <class A, class B>
  requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
std::common_type_t<A, B> max(A a, B b) {
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<T>) return std::fmax(static_cast<T>(a), static_cast<T>(b));
  return static_cast<T>(a) > static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b);
}

inline unsigned int __float_as_uint(float x) { return std::bit_cast<unsigned int>(x); }
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline float __uint_as_float(unsigned int x) { return std::bit_cast<float>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
inline int __popc(unsigned int x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned int>(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return x == 0 ? 0 : std::countr_zero(static_cast<unsigned int>(x)) + 1; }
inline unsigned int __umulhi(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((std::uint64_t{a} * b) >> 32U);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<unsigned long long>((static_cast<Wide>(a) * b) >> 64U);
}

inline float rsqrtf(float x) { return 1.0F / std::sqrt(x); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline float __expf(float x) { return std::exp(x); }
inline float __logf(float x) { return std::log(x); }
inline float __fdividef(float a, float b) { return a / b; }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
inline float __saturatef(float x) { return std::fmin(std::fmax(x, 0.0F), 1.0F); }

inline long long clock64() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
inline void __nanosleep(unsigned int) {}
[[noreturn]] inline void __trap() { throw std::runtime_error("__trap"); }
