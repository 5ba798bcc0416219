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

/// Memory that a backend can communicate from: page-aligned, with every byte touched. Frees itself.
using Buffer = std::unique_ptr<std::byte[], std::function<void(std::byte*)>>;

using Table = std::vector<std::byte>;

/// Periodic elements: a table of one period, and the position of the first element in it.
struct Periodic {
  std::shared_ptr<const Table> table;  ///< one period
  std::size_t width = 1;               ///< bytes per element
  std::size_t start = 0;               ///< index in the table of the first element, less than the period
};

/// Memory of a data plane's buffers, and access to it. No method is collective or timed. Each returns when it is done,
/// and throws Error if the device failed.
class MemorySpace {
 public:
  MemorySpace() = default;
  MemorySpace(const MemorySpace&) = delete;
  MemorySpace& operator=(const MemorySpace&) = delete;
  virtual ~MemorySpace() = default;

  [[nodiscard]] virtual std::string_view kind() const = 0;  ///< "host" or "device"
  /// For messages, and to find the ranks of a host that share memory: "this host", "GPU 0000:3b:00.0".
  [[nodiscard]] virtual std::string place() const = 0;
  /// Free bytes; empty if unknown.
  [[nodiscard]] virtual std::optional<std::uint64_t> available() const = 0;

  /// True if all ranks must allocate the same sizes in the same order, even if some need less.
  [[nodiscard]] virtual bool same_on_all_ranks() const { return false; }

  /// True if buffers hold the real data and this process can read and write it at its address.
  [[nodiscard]] virtual bool directly_accessible() const { return false; }

  /// Throws std::bad_alloc.
  [[nodiscard]] virtual Buffer allocate(std::size_t bytes) = 0;
  virtual void fill(Bytes to, const Periodic& with) = 0;
  /// Sets every `every`-th element, starting at element `from`, to a value that no correct result contains:
  /// poison_byte() in each of its bytes.
  virtual void poison(Bytes to, DType type, std::size_t every, std::size_t from) = 0;
  /// Compares every `every`-th element, starting at the first, bit by bit. Returns the index in `in` of the first
  /// difference and puts its value into `found`.
  [[nodiscard]] virtual std::optional<std::size_t> first_difference(ConstBytes in, const Periodic& expected,
                                                                    std::string& found, DType type,
                                                                    std::size_t every) = 0;
  /// Like divide_local() (core/elements/reduce/reduce.hpp).
  virtual void divide(Bytes values, DType type, int divisor) = 0;
};

}  // namespace busbar
