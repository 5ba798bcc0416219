// SPDX-License-Identifier: Apache-2.0
#include "reduction.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace fake_gpu {
namespace {

// Types whose arithmetic the host does in float. Sums of 8-bit floats go by way of half, as NCCL's do.
float widened(__half value) { return __half2float(value); }
float widened(__nv_bfloat16 value) { return __bfloat162float(value); }
float widened(__nv_fp8_e4m3 value) { return static_cast<float>(value); }
float widened(__nv_fp8_e5m2 value) { return static_cast<float>(value); }

template <class T>
T narrowed(float value) {
  if constexpr (std::is_same_v<T, __half>) return __float2half(value);
  if constexpr (std::is_same_v<T, __nv_bfloat16>) return __float2bfloat16(value);
  if constexpr (std::is_same_v<T, __nv_fp8_e4m3> || std::is_same_v<T, __nv_fp8_e5m2>) return T(__float2half(value));
}

template <class T>
constexpr bool is_floating = !std::is_integral_v<T>;

template <class T, class Function>
T in_arithmetic(T a, T b, Function function) {
  if constexpr (std::is_integral_v<T>) {
    // Unsigned: sums and products wrap around, as on the device.
    return function(a, b);
  } else if constexpr (std::is_floating_point_v<T>) {
    return function(a, b);
  } else {
    return narrowed<T>(function(widened(a), widened(b)));
  }
}

template <class T>
T wrapped(T a, T b, bool multiply) {
  if constexpr (std::is_integral_v<T>) {
    const auto x = static_cast<std::uint64_t>(a);
    const auto y = static_cast<std::uint64_t>(b);
    return static_cast<T>(multiply ? x * y : x + y);
  } else {
    return multiply ? a * b : a + b;
  }
}

template <class T>
T combined(T a, T b, ncclRedOp_t op) {
  if (op == ncclMax) return in_arithmetic(a, b, [](auto x, auto y) { return std::max(x, y); });
  if (op == ncclMin) return in_arithmetic(a, b, [](auto x, auto y) { return std::min(x, y); });
  const bool multiply = op == ncclProd;
  return in_arithmetic(a, b, [=](auto x, auto y) { return wrapped(x, y, multiply); });
}

template <class T>
T one_over(int ranks) {
  if constexpr (std::is_floating_point_v<T>) return T{1} / static_cast<T>(ranks);
  if constexpr (!std::is_floating_point_v<T> && is_floating<T>) return narrowed<T>(1.0F / static_cast<float>(ranks));
}

template <class T>
T at(const std::byte* data, std::size_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void put(std::byte* data, std::size_t index, T value) {
  std::memcpy(data + index * sizeof(T), &value, sizeof(T));
}

template <class T>
void scale(std::span<std::byte> data, T factor) {
  for (std::size_t i = 0; i < data.size() / sizeof(T); ++i)
    put(data.data(), i, combined(at<T>(data.data(), i), factor, ncclProd));
}

template <class T>
void prepare_as(std::span<std::byte> data, const Reduction& how) {
  if (how.factor != nullptr) return scale(data, at<T>(static_cast<const std::byte*>(how.factor), 0));
  if constexpr (is_floating<T>) {
    if (how.op == ncclAvg) scale(data, one_over<T>(how.ranks));
  }
}

template <class T>
void reduce_as(std::span<const std::vector<std::byte>> of_ranks, std::span<std::byte> result, const Reduction& how) {
  for (std::size_t i = 0; i < result.size() / sizeof(T); ++i) {
    T value = at<T>(of_ranks[0].data(), i);
    for (const auto& other : of_ranks.subspan(1)) value = combined(value, at<T>(other.data(), i), how.op);
    if constexpr (std::is_integral_v<T>) {
      if (how.op == ncclAvg) value = static_cast<T>(value / static_cast<T>(how.ranks));
    }
    put(result.data(), i, value);
  }
}

template <class Call>
void with_type(ncclDataType_t type, Call call) {
  switch (type) {
    case ncclInt8:
      return call(std::int8_t{});
    case ncclUint8:
      return call(std::uint8_t{});
    case ncclInt32:
      return call(std::int32_t{});
    case ncclUint32:
      return call(std::uint32_t{});
    case ncclInt64:
      return call(std::int64_t{});
    case ncclUint64:
      return call(std::uint64_t{});
    case ncclFloat16:
      return call(__half{});
    case ncclFloat32:
      return call(float{});
    case ncclFloat64:
      return call(double{});
    case ncclBfloat16:
      return call(__nv_bfloat16{});
    case ncclFloat8e4m3:
      return call(__nv_fp8_e4m3{});
    case ncclFloat8e5m2:
      return call(__nv_fp8_e5m2{});
    case ncclNumTypes:
      return;
  }
}

}  // namespace

bool known(ncclDataType_t type) { return static_cast<unsigned int>(type) < ncclNumTypes; }

std::size_t bytes_of(ncclDataType_t type) {
  std::size_t bytes = 0;
  with_type(type, [&](auto value) { bytes = sizeof value; });
  return bytes;
}

void prepare(std::span<std::byte> data, ncclDataType_t type, const Reduction& how) {
  with_type(type, [&](auto value) { prepare_as<decltype(value)>(data, how); });
}

void reduce(std::span<const std::vector<std::byte>> of_ranks, std::span<std::byte> result, ncclDataType_t type,
            const Reduction& how) {
  with_type(type, [&](auto value) { reduce_as<decltype(value)>(of_ranks, result, how); });
}

}  // namespace fake_gpu
