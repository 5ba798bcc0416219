// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/pattern.hpp"

#include <algorithm>
#include <bit>

#include "core/elements/element.hpp"

namespace busbar {
namespace {

/// Distance in the table between the data of neighbouring ranks, for collectives that only move data.
constexpr std::size_t rank_stride = 7;

/// Mixes two numbers into 64 pseudo-random bits (constants: Steele, Lea, Flood: splitmix64, OOPSLA 2014).
std::uint64_t mix(std::size_t index, int rank) {
  std::uint64_t z = (index + 1) * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(rank) * 0xD1B54A32D192ED03U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

/// A number in [low, high] from random bits.
std::int64_t within(std::uint64_t random, std::int64_t low, std::int64_t high) {
  const std::uint64_t values = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  return low + static_cast<std::int64_t>(random % values);
}

/// True for at most `most` of the ranks; which ones depends on the index.
bool contributes(std::size_t index, int rank, int ranks, std::int64_t most) {
  const auto stride =
      (static_cast<std::uint64_t>(ranks) + static_cast<std::uint64_t>(most) - 1) / static_cast<std::uint64_t>(most);
  return (index + static_cast<std::uint64_t>(rank)) % stride == 0;
}

/// Range of integers that a type represents exactly.
struct Range {
  std::int64_t least, most;
};
Range range_of(DType type) { return {is_unsigned(type) ? 0 : -info(type).exact_max, info(type).exact_max}; }

constexpr std::int64_t largest_addend = 7;

std::int64_t sum_input(std::int64_t exact_max, int ranks, int rank, std::size_t index) {
  return contributes(index, rank, ranks, exact_max / largest_addend) ? within(mix(index, rank), 1, largest_addend) : 0;
}

/// Input before the multiplication by at most 2.
std::int64_t mulsum_input(std::int64_t exact_max, int ranks, int rank, std::size_t index) {
  const std::int64_t largest = std::min(largest_addend, exact_max / 2);
  return contributes(index, rank, ranks, exact_max / (2 * largest)) ? within(mix(index, rank), 1, largest) : 0;
}

std::int64_t prod_input(Range in, int ranks, int rank, std::size_t index) {
  const int bits = std::min(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(in.most))) - 1, 14);
  if (!contributes(index, rank, ranks, bits / 2)) return 1;
  const std::int64_t magnitude = rank % 2 == 0 ? 2 : 4;
  return in.least == 0 || (mix(index, rank) & 1U) != 0 ? magnitude : -magnitude;
}

std::int64_t level_input(Range in, int rank, std::size_t index) {
  const std::int64_t range = std::min<std::int64_t>(60, in.most / 2);
  return within(mix(index, -1), in.least == 0 ? 0 : -range, range) + within(mix(index, rank), 0, range);
}

/// A library may divide each rank's floating data before it sums (NCCL does). That is exact for powers of two, or if
/// the addends cancel.
std::int64_t avg_input(DType type, int ranks, int rank, std::size_t index) {
  const auto& [most, floating] = std::pair(info(type).exact_max, info(type).floating);
  if ((!floating || std::has_single_bit(static_cast<unsigned>(ranks))) && ranks * largest_addend <= most) {
    const std::int64_t level = within(mix(index, -1), 3, 5);
    const int pair = rank / 2;
    if (rank == ranks - 1 && ranks % 2 == 1) return level;
    const std::int64_t deviation = within(mix(index, pair), 1, 2);
    return rank % 2 == 0 ? level + deviation : level - deviation;
  }
  const int giver = static_cast<int>(index % static_cast<std::size_t>(ranks));
  if (!floating && ranks <= most) return rank == giver ? ranks : 0;
  const std::int64_t deviation = within(mix(index, -1), 1, largest_addend);
  if (rank == giver) return deviation;
  if (is_unsigned(type)) return 0;
  return rank == (giver + 1) % ranks ? -deviation : 0;
}

std::int64_t moved_value(Range in, std::size_t entry) { return within(mix(entry, 0), in.least, in.most); }

std::int64_t combine(Op op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Op::sum:
    case Op::avg:
    case Op::mulsum:
      return a + b;
    case Op::prod:
      return a * b;
    case Op::min:
      return std::min(a, b);
    case Op::max:
      break;
  }
  return std::max(a, b);
}

template <class Value>
std::shared_ptr<const Table> make_table(DType type, Value value) {
  const std::size_t width = size_of(type);
  auto table = std::make_shared<Table>(Pattern::period * width);
  for (std::size_t i = 0; i < Pattern::period; ++i) store(type, value(i), &(*table)[i * width]);
  return table;
}

}  // namespace

std::int64_t Pattern::input(DType type, std::optional<Op> op, int ranks, int rank, std::size_t index) {
  const Range range = range_of(type);
  const std::int64_t exact_max = range.most;
  if (!op) return moved_value(range, (index + static_cast<std::size_t>(rank) * rank_stride) % period);
  const std::size_t i = index % period;
  switch (*op) {
    case Op::sum:
      return sum_input(exact_max, ranks, rank, i);
    case Op::prod:
      return prod_input(range, ranks, rank, i);
    case Op::min:
    case Op::max:
      return level_input(range, rank, i);
    case Op::mulsum:
      return mulsum_input(exact_max, ranks, rank, i);
    case Op::avg:
      break;
  }
  return avg_input(type, ranks, rank, i);
}

std::int64_t Pattern::result(DType type, Op op, int ranks, std::size_t index) {
  const auto addend = [&](int r) {
    return input(type, op, ranks, r, index) * (op == Op::mulsum ? premultiplier(r) : 1);
  };
  std::int64_t all = addend(0);
  for (int r = 1; r < ranks; ++r) all = combine(op, all, addend(r));
  return op == Op::avg ? all / ranks : all;
}

Pattern::Pattern(DType type, std::optional<Op> op, int rank, int ranks, bool checking)
    : type_(type), op_(op), rank_(rank), ranks_(ranks) {
  sent_ = make_table(type, [&](std::size_t i) { return input(type, op, ranks, op ? rank : 0, i); });
  if (op && checking) result_ = make_table(type, [&](std::size_t i) { return result(type, *op, ranks, i); });
}

Periodic Pattern::at(const std::shared_ptr<const Table>& table, int source, std::size_t from) const {
  const std::size_t skew = op_ ? 0 : static_cast<std::size_t>(source) * rank_stride;
  return {.table = table, .width = size_of(type_), .start = (from + skew) % period};
}

Periodic Pattern::sent() const { return at(sent_, rank_, 0); }

Periodic Pattern::expected(const Block& block) const {
  return block.source == Block::reduced ? at(result_, 0, block.from) : at(sent_, block.source, block.from);
}

std::int64_t Pattern::expected_value(const Block& block, std::size_t index) const {
  return block.source == Block::reduced ? result(type_, *op_, ranks_, index)
                                        : input(type_, op_, ranks_, block.source, index);
}

}  // namespace busbar
