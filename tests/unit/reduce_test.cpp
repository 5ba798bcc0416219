// SPDX-License-Identifier: Apache-2.0
#include "core/elements/reduce/reduce.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <ranges>
#include <span>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/elements/reduce/kernels.hpp"

namespace busbar::test {
namespace {

constexpr Op ops[] = {Op::sum, Op::prod, Op::min, Op::max};

/// Both sets of loops, the chosen one being among them.
std::vector<const reduction::Kernels*> all_kernels() {
  std::vector<const reduction::Kernels*> all{&reduction::portable_kernels};
  if (const auto* best = &reduction::best_kernels(); best != all.front()) all.push_back(best);
  return all;
}

template <class T>
std::vector<T> combined(const reduction::Kernels& kernels, Op op, DType type, std::span<const T> in,
                        std::span<const T> inout) {
  std::vector<T> result(inout.begin(), inout.end());
  kernels.combine[static_cast<std::size_t>(op)][static_cast<std::size_t>(type)](in.data(), result.data(), in.size());
  return result;
}

/// The reference: one element, as the definition has it.
template <class T>
T expected(Op op, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    T wrapped{};  // these two give the exact result modulo 2^n
    if (op == Op::sum) return __builtin_add_overflow(a, b, &wrapped), wrapped;
    if (op == Op::prod) return __builtin_mul_overflow(a, b, &wrapped), wrapped;
  } else {
    if (op == Op::sum) return a + b;
    if (op == Op::prod) return a * b;
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
  }
  return op == Op::min ? std::min(a, b) : std::max(a, b);
}

template <class T>
bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return (std::isnan(a) && std::isnan(b)) || a == b;
  return a == b;
}

float value(Half v) { return to_float(v); }
float value(BFloat16 v) { return to_float(v); }
Half rounded(float v, Half) { return to_half(v); }
BFloat16 rounded(float v, BFloat16) { return to_bfloat16(v); }

/// Zeros may come with either sign out of min and max, NaNs with any bits; all else is bit for bit.
template <class T>
bool same16(T found, T wanted, Op op) {
  const float f = value(found), w = value(wanted);
  if (std::isnan(w)) return std::isnan(f);
  if (w == 0 && (op == Op::min || op == Op::max)) return f == 0;
  return found.bits == wanted.bits;
}

/// Every number of a 16-bit type against this partner.
template <class T>
void expect_all_patterns(const reduction::Kernels& kernels, DType type, Op op, std::uint16_t partner) {
  std::vector<T> in(65536), other(65536, T{partner});
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = T{static_cast<std::uint16_t>(i)};
  const auto found = combined<T>(kernels, op, type, in, other);
  const auto swapped = combined<T>(kernels, op, type, other, in);
  int wrong = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const T wanted = rounded(expected(op, value(in[i]), value(other[i])), T{});
    if (!same16(found[i], wanted, op) || !same16(swapped[i], wanted, op)) ++wrong;
  }
  EXPECT_EQ(wrong, 0) << name(type) << " " << name(op) << ", partner " << partner;
}

/// Zeros, subnormals, ones, the largest, infinities, NaNs (quiet and signalling), of both signs, and some between.
std::vector<std::uint16_t> partners(std::uint16_t infinity) {
  const auto quiet = static_cast<std::uint16_t>(infinity | (infinity >> 1));
  std::vector<std::uint16_t> all{0, 1, 2, 0x3F, 0x3FF, 0x400, 0x3C00, 0x3F80, 0x3555, 0x4248, 0x5640, infinity, quiet};
  all.push_back(static_cast<std::uint16_t>(infinity - 1));
  all.push_back(static_cast<std::uint16_t>(infinity + 1));
  for (std::size_t i = 0, n = all.size(); i < n; ++i) all.push_back(static_cast<std::uint16_t>(all[i] | 0x8000));
  return all;
}

TEST(Reduce, AddsEveryHalf) {
  for (const auto* kernels : all_kernels())
    for (const Op op : ops)
      for (const auto partner : partners(0x7C00)) expect_all_patterns<Half>(*kernels, DType::f16, op, partner);
}

TEST(Reduce, AddsEveryBfloat16) {
  for (const auto* kernels : all_kernels())
    for (const Op op : ops)
      for (const auto partner : partners(0x7F80)) expect_all_patterns<BFloat16>(*kernels, DType::bf16, op, partner);
}

/// Bit patterns at random; every integer, NaN and infinity may turn up.
template <class T>
std::vector<T> random_patterns(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> all(count);
  for (auto& x : all) {
    const std::uint64_t bits = random();
    std::memcpy(&x, &bits, sizeof x);
  }
  return all;
}

template <class T>
std::vector<T> with_edges(std::vector<T> all, std::size_t from) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> edges{Limits::min(), Limits::max(), Limits::lowest(), T{0}, T{1}, static_cast<T>(-1)};
  if constexpr (std::is_floating_point_v<T>)
    edges.insert(edges.end(), {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), Limits::denorm_min()});
  for (std::size_t i = 0; i < all.size(); i += 3) all[i] = edges[(i / 3 * from) % edges.size()];
  return all;
}

template <class T>
void expect_reference(DType type) {
  constexpr std::size_t count = 30011;  // a prime: a tail behind every vector length
  const auto in = with_edges(random_patterns<T>(count, 1), 1), inout = with_edges(random_patterns<T>(count, 2), 7);
  for (const auto* kernels : all_kernels())
    for (const Op op : ops) {
      const auto found = combined<T>(*kernels, op, type, in, inout);
      int wrong = 0;
      for (std::size_t i = 0; i < count; ++i) wrong += same(found[i], expected(op, in[i], inout[i])) ? 0 : 1;
      EXPECT_EQ(wrong, 0) << name(type) << " " << name(op);
    }
}

TEST(Reduce, MatchesTheReferenceInOtherTypes) {
  expect_reference<std::int8_t>(DType::i8);
  expect_reference<std::int32_t>(DType::i32);
  expect_reference<std::int64_t>(DType::i64);
  expect_reference<float>(DType::f32);
  expect_reference<double>(DType::f64);
}

TEST(Reduce, WrapsIntegers) {
  std::int8_t in8 = 127, inout8 = 1;
  reduce_local(Op::sum, DType::i8, &in8, &inout8, 1);
  EXPECT_EQ(inout8, -128);
  std::int64_t in64 = std::numeric_limits<std::int64_t>::min(), inout64 = -1;
  reduce_local(Op::prod, DType::i64, &in64, &inout64, 1);
  EXPECT_EQ(inout64, std::numeric_limits<std::int64_t>::min());
}

TEST(Reduce, TouchesNothingButItsElements) {
  for (const auto& row : dtypes | std::views::filter([](const auto& t) { return !is_fp8(t.type); }))
    for (std::size_t count = 0; count < 70; ++count) {
      // Neighbours of the buffers, which begin one element behind what any vector would be aligned to.
      std::vector<std::uint64_t> in(80, 0x0101010101010101U), inout(80, 0x0101010101010101U);
      auto* first = reinterpret_cast<unsigned char*>(inout.data()) + row.size;
      reduce_local(Op::sum, row.type, reinterpret_cast<unsigned char*>(in.data()) + row.size, first, count);
      const auto* bytes = reinterpret_cast<const unsigned char*>(inout.data());
      for (std::size_t i = 0; i < row.size; ++i) ASSERT_EQ(bytes[i], 1) << row.name << " " << count;
      const std::size_t end = row.size * (count + 1);
      for (std::size_t i = end; i < inout.size() * 8; ++i) ASSERT_EQ(bytes[i], 1) << row.name << " " << count;
      if (count > 0) {
        ASSERT_NE(std::memcmp(bytes + end - row.size, in.data(), row.size), 0) << row.name << " " << count;
      }
    }
}

TEST(Reduce, CombinesABufferWithItself) {
  std::vector<float> x(1000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  reduce_local(Op::sum, DType::f32, x.data(), x.data(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], 2 * static_cast<float>(i));
}

TEST(Reduce, ComputesTheSumOfAnAverage) {
  const std::int32_t in[] = {7, -7, 5};
  std::int32_t inout[] = {4, -4, 5};
  reduce_local(Op::avg, DType::i32, in, inout, 3);
  EXPECT_EQ(inout[0], 11);
  divide_local(DType::i32, inout, 3, 2);
  EXPECT_EQ(inout[0], 5);
  EXPECT_EQ(inout[1], -5);
  EXPECT_EQ(inout[2], 5);
}

TEST(Reduce, IsFirstUsedFromManyThreads) {
  std::vector<std::jthread> threads;
  std::vector<int> wrong(8);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&wrong, t] {
      const std::vector<double> in(100, 1.0);
      std::vector<double> inout(100, static_cast<double>(t));
      reduce_local(Op::sum, DType::f64, in.data(), inout.data(), in.size());
      for (const double x : inout) wrong[t] += x == static_cast<double>(t) + 1 ? 0 : 1;
    });
  threads.clear();
  EXPECT_EQ(wrong, std::vector<int>(8));
}

template <class T>
std::vector<T> divided(const reduction::Kernels& kernels, DType type, std::vector<T> x, int divisor) {
  kernels.divide[static_cast<std::size_t>(type)](x.data(), x.size(), divisor);
  return x;
}

/// From 8195 on there are halves, from 65791 on bfloat16s, whose quotient rounded to float first comes out wrong.
constexpr int divisors[] = {1,    2,    3,    5,    7,    10,    100,   127,   128,   129,   1000,
                            2047, 2048, 2049, 4099, 8195, 10001, 13199, 23214, 65537, 65791, 1 << 24};

TEST(Divide, RoundsIntegersTowardsZero) {
  const auto check = [](auto type_tag, DType type) {
    using T = decltype(type_tag);
    const auto x = with_edges(random_patterns<T>(5003, 3), 1);
    for (const auto* kernels : all_kernels())
      for (const int divisor : divisors) {
        const auto found = divided(*kernels, type, x, divisor);
        for (std::size_t i = 0; i < x.size(); ++i)
          ASSERT_EQ(found[i], static_cast<T>(static_cast<std::int64_t>(x[i]) / divisor))
              << name(type) << " " << +x[i] << " / " << divisor;
      }
  };
  check(std::int8_t{}, DType::i8);
  check(std::int32_t{}, DType::i32);
  check(std::int64_t{}, DType::i64);
}

TEST(Divide, IsExactForMultiplesOfTheDivisor) {
  for (const int divisor : divisors) {
    const auto most = std::numeric_limits<std::int32_t>::max() / divisor;
    std::vector<std::int32_t> x{most * divisor, most * divisor - 1, -most * divisor, -most * divisor + 1};
    divide_local(DType::i32, x.data(), x.size(), divisor);
    EXPECT_EQ(x[0], most);
    EXPECT_EQ(x[1], most - 1);
    EXPECT_EQ(x[2], -most);
    EXPECT_EQ(x[3], -(most - 1));
  }
}

TEST(Divide, RoundsFloatsCorrectly) {
  const auto x = with_edges(random_patterns<float>(5003, 4), 1);
  const auto y = with_edges(random_patterns<double>(5003, 5), 1);
  for (const auto* kernels : all_kernels())
    for (const int divisor : divisors) {
      const auto found32 = divided(*kernels, DType::f32, x, divisor);
      const auto found64 = divided(*kernels, DType::f64, y, divisor);
      for (std::size_t i = 0; i < x.size(); ++i) {
        ASSERT_TRUE(same(found32[i], x[i] / static_cast<float>(divisor))) << x[i] << " / " << divisor;
        ASSERT_TRUE(same(found64[i], y[i] / divisor)) << y[i] << " / " << divisor;
      }
    }
}

/// True where `found` is a nearest number of its type to x / divisor. Distances are those of found * divisor from x,
/// exact in long double: 11 bits times 25.
template <class T>
bool is_nearest(T found, float x, int divisor) {
  const auto distance = [&](std::uint16_t bits) {
    return std::fabs(static_cast<long double>(value(T{bits})) * divisor - static_cast<long double>(x));
  };
  const auto here = distance(found.bits);
  const auto magnitude = static_cast<std::uint16_t>(found.bits & 0x7FFF);
  const auto above = distance(static_cast<std::uint16_t>(found.bits + 1));
  const auto below = magnitude == 0 ? above : distance(static_cast<std::uint16_t>(found.bits - 1));
  const bool tie = here == above || (magnitude != 0 && here == below);
  return here <= above && here <= below && (!tie || (found.bits & 1) == 0);
}

template <class T>
void expect_nearest(DType type, std::uint16_t infinity) {
  std::vector<T> x(65536);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = T{static_cast<std::uint16_t>(i)};
  for (const auto* kernels : all_kernels())
    for (const int divisor : divisors) {
      const auto found = divided(*kernels, type, x, divisor);
      int wrong = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const auto magnitude = x[i].bits & 0x7FFF;
        if (magnitude > infinity)
          wrong += std::isnan(value(found[i])) ? 0 : 1;
        else if (magnitude == infinity)
          wrong += found[i].bits == x[i].bits ? 0 : 1;
        else
          wrong += is_nearest(found[i], value(x[i]), divisor) && (found[i].bits >> 15) == (x[i].bits >> 15) ? 0 : 1;
      }
      EXPECT_EQ(wrong, 0) << name(type) << " / " << divisor;
    }
}

TEST(Divide, RoundsSixteenBitsCorrectly) {
  expect_nearest<Half>(DType::f16, 0x7C00);
  expect_nearest<BFloat16>(DType::bf16, 0x7F80);
}

}  // namespace
}  // namespace busbar::test
