// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstring>
#include <span>

#include "bench/engine/buffers.hpp"

namespace busbar {

/// A result of at most 4 KiB in memory that this process can access, as one stretch of the expected data: poisoned with
/// one store and compared with one memcmp. Through the memory space both take a small call's rank so long that the next
/// call is 1 % slower.
class SmallResult {
 public:
  static constexpr std::size_t most_bytes = 4096;

  SmallResult() = default;
  /// `expected`: of the blocks of p.result; must outlive this object. False if the result is not such a one.
  [[nodiscard]] static SmallResult of(const Prepared& p, std::span<const Periodic> expected,
                                      const MemorySpace& memory) {
    SmallResult small;
    if (!memory.directly_accessible() || p.call.in_place || p.result.size() != 1) return small;
    const Periodic& data = expected[0];
    const std::size_t begin = data.start * data.width, bytes = p.result[0].count * data.width;
    if (p.whole_recv.size() > most_bytes || begin + bytes > data.table->size()) return small;
    small.buffer_ = p.whole_recv.data();
    small.result_ = p.call.recv.data() + p.result[0].at * data.width;
    small.expected_ = data.table->data() + begin;
    small.bytes_ = bytes;
    small.width_ = data.width;
    small.poison_ = poison_byte(p.call.type);
    return small;
  }

  explicit operator bool() const { return buffer_ != nullptr; }
  void poison(std::size_t element) const { std::memset(buffer_ + element * width_, poison_, width_); }
  [[nodiscard]] bool right() const { return std::memcmp(result_, expected_, bytes_) == 0; }

 private:
  std::byte* buffer_ = nullptr;  ///< the whole receive buffer
  const std::byte* result_ = nullptr;
  const std::byte* expected_ = nullptr;
  std::size_t bytes_ = 0, width_ = 1;
  int poison_ = 0;
};

}  // namespace busbar
