// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/elements/float16.hpp"
#include "core/elements/float8.hpp"

namespace busbar {

enum class DType { i8, i32, i64, u8, u32, u64, f16, bf16, f32, f64, f8e4m3, f8e5m2 };

struct DTypeInfo {
  DType type;
  std::string_view name;   ///< canonical: used in records and tables
  std::string_view alias;  ///< name in nccl-tests
  std::size_t size;        ///< bytes
  std::int64_t exact_max;  ///< integers up to this magnitude are exact; excludes the maximum of unsigned types
  bool floating;
};

inline constexpr std::array<DTypeInfo, 12> dtypes{{
    {DType::i8, "int8", "char", 1, 127, false},
    {DType::i32, "int32", "int", 4, 2147483647, false},
    {DType::i64, "int64", "long", 8, std::int64_t{1} << 62, false},
    {DType::u8, "uint8", "uint8_t", 1, 254, false},
    {DType::u32, "uint32", "uint32_t", 4, 4294967294, false},
    {DType::u64, "uint64", "uint64_t", 8, std::int64_t{1} << 62, false},
    {DType::f16, "fp16", "half", 2, 2048, true},
    {DType::bf16, "bf16", "bfloat16", 2, 256, true},
    {DType::f32, "fp32", "float", 4, 16777216, true},
    {DType::f64, "fp64", "double", 8, std::int64_t{1} << 53, true},
    {DType::f8e4m3, "fp8_e4m3", "f8e4m3", 1, 16, true},
    {DType::f8e5m2, "fp8_e5m2", "f8e5m2", 1, 8, true},
}};

[[nodiscard]] constexpr const DTypeInfo& info(DType t) { return dtypes[static_cast<std::size_t>(t)]; }
[[nodiscard]] constexpr std::string_view name(DType t) { return info(t).name; }
[[nodiscard]] constexpr std::size_t size_of(DType t) { return info(t).size; }

[[nodiscard]] constexpr bool is_unsigned(DType t) { return t == DType::u8 || t == DType::u32 || t == DType::u64; }

/// Byte of poisoned elements: NaN for floating types, the maximum for unsigned ones, a large negative number for signed
/// ones (below -exact_max, except for int32). Correct results do not contain it.
[[nodiscard]] constexpr std::uint8_t poison_byte(DType t) { return info(t).floating || is_unsigned(t) ? 0xFF : 0x80; }

/// 8-bit floating types. Only GPUs reduce them.
[[nodiscard]] constexpr bool is_fp8(DType t) { return t == DType::f8e4m3 || t == DType::f8e5m2; }

/// The type with this name or alias, if any.
[[nodiscard]] constexpr std::optional<DType> dtype_named(std::string_view text) {
  for (const auto& row : dtypes)
    if (row.name == text || row.alias == text) return row.type;
  return std::nullopt;
}

/// Calls f with a value of the C++ type of `t`: with_type(t, [&]<class T>(T) { ... }).
template <class F>
decltype(auto) with_type(DType t, F&& f) {
  switch (t) {
    case DType::i8:
      return f(std::int8_t{});
    case DType::i32:
      return f(std::int32_t{});
    case DType::i64:
      return f(std::int64_t{});
    case DType::u8:
      return f(std::uint8_t{});
    case DType::u32:
      return f(std::uint32_t{});
    case DType::u64:
      return f(std::uint64_t{});
    case DType::f16:
      return f(Half{});
    case DType::bf16:
      return f(BFloat16{});
    case DType::f32:
      return f(float{});
    case DType::f8e4m3:
      return f(Float8E4M3{});
    case DType::f8e5m2:
      return f(Float8E5M2{});
    case DType::f64:
      break;
  }
  return f(double{});
}

}  // namespace busbar
