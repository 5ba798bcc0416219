// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/pattern.hpp"

#include <cstring>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "core/elements/element.hpp"

namespace busbar::test {
namespace {

constexpr Op every_op[] = {Op::sum, Op::prod, Op::min, Op::max, Op::avg, Op::mulsum};

/// For every way to multiply some of the ranks' values first: the magnitude that a partial product can reach.
std::int64_t worst_product(DType type, int ranks, std::size_t index) {
  std::int64_t product = 1;
  for (int r = 0; r < ranks; ++r) {
    const std::int64_t v = std::abs(Pattern::input(type, Op::prod, ranks, r, index));
    if (v != 0 && __builtin_mul_overflow(product, v, &product)) ADD_FAILURE() << "a product beyond 63 bits";
  }
  return product;
}

/// The same of adding them.
std::int64_t worst_partial(DType type, Op op, int ranks, std::size_t index) {
  if (op == Op::prod) return worst_product(type, ranks, index);
  std::int64_t positive = 0, negative = 0;
  for (int r = 0; r < ranks; ++r) {
    const auto v = Pattern::input(type, op, ranks, r, index) * (op == Op::mulsum ? premultiplier(r) : 1);
    (v > 0 ? positive : negative) += v;
  }
  return std::max(positive, -negative);
}

TEST(Pattern, ReducesExactlyInAnyOrder) {
  for (const auto& t : dtypes)
    for (const int ranks : {1, 2, 3, 4, 7, 16, 18, 19, 36, 37, 292, 293, 1000, 4095, 4096})
      for (const Op op : {Op::sum, Op::prod, Op::avg, Op::mulsum})
        for (std::size_t i = 0; i < Pattern::period; i += ranks < 100 ? 1 : 997)
          ASSERT_LE(worst_partial(t.type, op, ranks, i), t.exact_max) << t.name << " " << name(op) << " " << ranks;
}

TEST(Pattern, HasWholeAverages) {
  for (const auto& t : dtypes)
    for (const int ranks : {1, 2, 3, 7, 18, 19, 37, 293, 4095})
      for (std::size_t i = 0; i < Pattern::period; i += 101) {
        std::int64_t sum = 0;
        for (int r = 0; r < ranks; ++r) sum += Pattern::input(t.type, Op::avg, ranks, r, i);
        if (!is_unsigned(t.type) || ranks <= t.exact_max) {
          ASSERT_EQ(sum % ranks, 0) << t.name << " " << ranks;
        }
        ASSERT_EQ(sum / ranks, Pattern::result(t.type, Op::avg, ranks, i));
      }
}

/// NCCL multiplies the data of each rank by 1 / n in its type, then adds in some order.
TEST(Pattern, HasTheSameAveragesDividedFirst) {
  for (const int ranks : {1, 2, 3, 4, 6, 7, 8, 12, 64, 100})
    for (std::size_t i = 0; i < Pattern::period; i += 7) {
      const float factor = 1.0F / static_cast<float>(ranks);
      float up = 0, down = 0;
      for (int r = 0; r < ranks; ++r)
        up += factor * static_cast<float>(Pattern::input(DType::f32, Op::avg, ranks, r, i));
      for (int r = ranks; r-- > 0;)
        down += factor * static_cast<float>(Pattern::input(DType::f32, Op::avg, ranks, r, i));
      const auto expected = static_cast<float>(Pattern::result(DType::f32, Op::avg, ranks, i));
      ASSERT_EQ(up, expected) << ranks;
      ASSERT_EQ(down, expected) << ranks;
    }
}

TEST(Pattern, FitsItsTypeAndDiffersFromThePoison) {
  for (const auto& t : dtypes) {
    std::byte poison[8], element[8];
    std::memset(poison, poison_byte(t.type), sizeof poison);
    for (const int ranks : {1, 2, 5})
      for (std::size_t i = 0; i < Pattern::period; ++i) {
        const auto moved = Pattern::input(t.type, std::nullopt, ranks, 0, i);
        ASSERT_LE(std::abs(moved), t.exact_max);
        store(t.type, moved, element);
        ASSERT_NE(std::memcmp(element, poison, t.size), 0);
        for (const Op op : every_op) {
          store(t.type, Pattern::result(t.type, op, ranks, i), element);
          ASSERT_NE(std::memcmp(element, poison, t.size), 0);
        }
      }
  }
}

/// Elements of the first 64 in which some rank's `wrong` value would be seen.
template <class Wrong>
int seen(DType type, Op op, int ranks, Wrong wrong) {
  int n = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    const auto right = Pattern::result(type, op, ranks, i);
    for (int r = 0; r < ranks; ++r) n += wrong(Pattern::input(type, op, ranks, r, i)) != right;
  }
  return n;
}

TEST(Pattern, DetectsARankThatSeesOnlyItself) {
  for (const auto& t : dtypes)
    for (const int ranks : {2, 3, 4, 7, 64, 500})
      for (const Op op : every_op) {
        EXPECT_GT(seen(t.type, op, ranks, [](auto v) { return v; }), 0) << t.name << " " << name(op) << " " << ranks;
        EXPECT_GT(seen(t.type, op, ranks, [&](auto v) { return v * ranks; }), 0)
            << t.name << " " << name(op) << " " << ranks;
      }
}

TEST(Pattern, DiffersBetweenRanks) {
  for (const auto& t : dtypes) {
    std::set<std::vector<std::int64_t>> starts;
    for (int r = 0; r < 4096; ++r) {
      std::vector<std::int64_t> start;
      for (std::size_t i = 0; i < 8; ++i) start.push_back(Pattern::input(t.type, std::nullopt, 4096, r, i));
      starts.insert(start);
    }
    EXPECT_EQ(starts.size(), 4096U) << t.name;
  }
}

TEST(Pattern, MatchesItsTables) {
  constexpr int ranks = 5, rank = 3;
  for (const auto& t : dtypes) {
    const Pattern moving(t.type, std::nullopt, rank, ranks), summing(t.type, Op::sum, rank, ranks);
    const auto value = [&](const Periodic& p, std::size_t i) {
      return format_element(t.type, &(*p.table)[(p.start + i) % Pattern::period * t.size]);
    };
    const auto text = [&](std::int64_t v) {
      std::byte element[8];
      store(t.type, v, element);
      return format_element(t.type, element);
    };
    for (const std::size_t i : {std::size_t{0}, std::size_t{5}, Pattern::period - 1, Pattern::period + 3}) {
      EXPECT_EQ(value(moving.sent(), i), text(Pattern::input(t.type, std::nullopt, ranks, rank, i)));
      EXPECT_EQ(value(moving.expected({.source = 4, .from = 11}), i),
                text(Pattern::input(t.type, std::nullopt, ranks, 4, i + 11)));
      EXPECT_EQ(value(summing.sent(), i), text(Pattern::input(t.type, Op::sum, ranks, rank, i)));
      EXPECT_EQ(value(summing.expected({.source = Block::reduced, .from = 11}), i),
                text(Pattern::result(t.type, Op::sum, ranks, i + 11)));
    }
  }
}

}  // namespace
}  // namespace busbar::test
