// SPDX-License-Identifier: Apache-2.0
#include "core/machine/host_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "core/elements/element.hpp"
#include "core/elements/reduce/reduce.hpp"
#include "core/environment/environment.hpp"

namespace busbar {
namespace {

/// Calls visit(offset, piece of the table) for consecutive pieces until they cover `total` bytes or it returns false.
template <class Visit>
void for_each_piece(std::size_t total, const Periodic& p, Visit visit) {
  const ConstBytes table = *p.table;
  std::size_t from = p.start * p.width;
  for (std::size_t at = 0; at < total;) {
    const ConstBytes piece = table.subspan(from, std::min(table.size() - from, total - at));
    if (!visit(at, piece)) return;
    at += piece.size();
    from = 0;
  }
}

std::optional<std::size_t> first_difference_at_strides(ConstBytes in, const Periodic& p, std::string& found, DType type,
                                                       std::size_t every) {
  const Table& table = *p.table;
  const std::size_t period = table.size() / p.width, elements = in.size() / p.width;
  for (std::size_t i = 0; i < elements; i += every) {
    if (std::memcmp(&in[i * p.width], &table[(p.start + i) % period * p.width], p.width) == 0) continue;
    found = format_element(type, &in[i * p.width]);
    return i;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> HostMemory::available() const { return available_memory(); }

void HostMemory::divide(Bytes values, DType type, int divisor) {
  divide_local(type, values.data(), values.size() / size_of(type), divisor);
}

Buffer HostMemory::allocate(std::size_t bytes) {
  const std::size_t whole = (bytes / page_bytes + 1) * page_bytes;
  auto* p = static_cast<std::byte*>(std::aligned_alloc(page_bytes, whole));
  if (p == nullptr) throw std::bad_alloc();
  std::memset(p, 0, whole);
  return {p, [](std::byte* q) { std::free(q); }};
}

void HostMemory::fill(Bytes to, const Periodic& with) {
  for_each_piece(to.size(), with, [&](std::size_t at, ConstBytes piece) {
    std::memcpy(&to[at], piece.data(), piece.size());
    return true;
  });
}

void HostMemory::poison(Bytes to, DType type, std::size_t every, std::size_t from) {
  const int byte = poison_byte(type);
  const std::size_t width = size_of(type);
  if (every == 1 && from == 0) {
    if (!to.empty()) std::memset(to.data(), byte, to.size());
    return;
  }
  for (std::size_t at = from * width; at < to.size(); at += every * width) std::memset(&to[at], byte, width);
}

std::optional<std::size_t> HostMemory::first_difference(ConstBytes in, const Periodic& expected, std::string& found,
                                                        DType type, std::size_t every) {
  if (every > 1) return first_difference_at_strides(in, expected, found, type, every);
  std::optional<std::size_t> where;
  for_each_piece(in.size(), expected, [&](std::size_t at, ConstBytes piece) {
    if (std::memcmp(&in[at], piece.data(), piece.size()) == 0) return true;
    const auto differ = std::ranges::mismatch(in.subspan(at, piece.size()), piece).in1 - in.begin();
    where = static_cast<std::size_t>(differ) / expected.width;
    found = format_element(type, &in[*where * expected.width]);
    return false;
  });
  return where;
}

}  // namespace busbar
