// SPDX-License-Identifier: Apache-2.0
#include "core/host_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "core/element.hpp"

namespace busbar {
namespace {

constexpr std::size_t page = 4096;

/// Calls visit(offset, piece of the table) for consecutive pieces that together cover `total` bytes, until it returns
/// false.
template <class Visit>
void for_each_piece(std::size_t total, const Periodic& p, Visit visit) {
  std::size_t from = p.start * p.width;
  for (std::size_t at = 0; at < total;) {
    const ConstBytes piece = p.table.subspan(from, std::min(p.table.size() - from, total - at));
    if (!visit(at, piece)) return;
    at += piece.size();
    from = 0;
  }
}

}  // namespace

Buffer HostBackend::allocate(std::size_t bytes) {
  const std::size_t whole = (bytes / page + 1) * page;
  auto* p = static_cast<std::byte*>(std::aligned_alloc(page, whole));
  if (p == nullptr) throw std::bad_alloc();
  std::memset(p, 0, whole);
  return {p, [](std::byte* q) { std::free(q); }};
}

void HostBackend::fill(Bytes to, const Periodic& with) {
  for_each_piece(to.size(), with, [&](std::size_t at, ConstBytes piece) {
    std::memcpy(&to[at], piece.data(), piece.size());
    return true;
  });
}

void HostBackend::poison(Bytes to, DType type) {
  if (!to.empty()) std::memset(to.data(), info(type).floating ? 0xFF : 0x80, to.size());
}

std::optional<std::size_t> HostBackend::first_difference(ConstBytes in, const Periodic& expected, std::string& found,
                                                         DType type) {
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
