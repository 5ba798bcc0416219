// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include "core/dtype.hpp"
#include "core/redop.hpp"
namespace busbar {
template <class T> auto widen(T v) { if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) return to_float(v); else return v; }
inline void reduce_local(Op op, DType type, const void* in, void* inout, std::size_t n) {
  with_type(type, [&]<class T>(T) {
    const T* a = static_cast<const T*>(in); T* b = static_cast<T*>(inout);
    for (std::size_t i = 0; i < n; ++i) {
      auto x = widen(a[i]), y = widen(b[i]);
      decltype(x) z = op == Op::prod ? static_cast<decltype(x)>(x * y) : op == Op::min ? std::min(x, y) : op == Op::max ? std::max(x, y) : static_cast<decltype(x)>(x + y);
      if constexpr (std::is_same_v<T, Half>) b[i] = to_half(z); else if constexpr (std::is_same_v<T, BFloat16>) b[i] = to_bfloat16(z); else b[i] = z;
    }
  });
}
inline void divide_local(DType type, void* inout, std::size_t n, int d) {
  with_type(type, [&]<class T>(T) {
    T* b = static_cast<T*>(inout);
    for (std::size_t i = 0; i < n; ++i) {
      if constexpr (std::is_same_v<T, Half>) b[i] = to_half(to_float(b[i]) / static_cast<float>(d)); else if constexpr (std::is_same_v<T, BFloat16>) b[i] = to_bfloat16(to_float(b[i]) / static_cast<float>(d)); else b[i] = static_cast<T>(b[i] / static_cast<T>(d));
    }
  });
}
}
