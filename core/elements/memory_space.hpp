// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/elements/dtype.hpp"

namespace busbar {

using Bytes = std::span<std::byte>;
using ConstBytes = std::span<const std::byte>;

/// Memory that a backend can communicate from, page-aligned, every byte written once. Freed by who allocated it.
using Buffer = std::unique_ptr<std::byte[], std::function<void(std::byte*)>>;

using Table = std::vector<std::byte>;

/// Elements that repeat with a period: a table, and where in it the first element is.
struct Periodic {
  std::shared_ptr<const Table> table;  ///< one period
  std::size_t width = 1;               ///< bytes an element
  std::size_t start = 0;               ///< element of the table that comes first, below the period
};

/// Where the buffers of a data plane lie, and who can write and read them there. No method is collective or timed; each
/// returns when it is done, and throws Error where the device failed.
class MemorySpace {
 public:
  MemorySpace() = default;
  MemorySpace(const MemorySpace&) = delete;
  MemorySpace& operator=(const MemorySpace&) = delete;
  virtual ~MemorySpace() = default;

  [[nodiscard]] virtual std::string_view kind() const = 0;  ///< "host" or "device"
  /// For messages, and to tell which ranks of a host take from the same memory: "this host", "GPU 0000:3b:00.0".
  [[nodiscard]] virtual std::string place() const = 0;
  /// Bytes that are free; empty where that cannot be known.
  [[nodiscard]] virtual std::optional<std::uint64_t> available() const = 0;

  /// Whether all ranks are to allocate the same sizes in the same order, also where some need less.
  [[nodiscard]] virtual bool same_on_all_ranks() const { return false; }

  /// Throws std::bad_alloc.
  [[nodiscard]] virtual Buffer allocate(std::size_t bytes) = 0;
  virtual void fill(Bytes to, const Periodic& with) = 0;
  /// Gives every `every`-th element, from element `from` on, a value that no result has: poison_byte() in
  /// each of its bytes.
  virtual void poison(Bytes to, DType type, std::size_t every, std::size_t from) = 0;
  /// Looks at every `every`-th element from the first on: index in `in` of the first that differs, bit by bit; its
  /// value is then in `found`.
  [[nodiscard]] virtual std::optional<std::size_t> first_difference(ConstBytes in, const Periodic& expected,
                                                                    std::string& found, DType type,
                                                                    std::size_t every) = 0;
  /// As divide_local() (core/elements/reduce/reduce.hpp).
  virtual void divide(Bytes values, DType type, int divisor) = 0;
};

}  // namespace busbar
