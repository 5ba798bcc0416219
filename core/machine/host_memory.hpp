// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/elements/memory_space.hpp"

namespace busbar {

/// Alignment of buffers in host memory.
inline constexpr std::size_t page_bytes = 4096;

/// Memory of this process.
class HostMemory : public MemorySpace {
 public:
  [[nodiscard]] std::string_view kind() const override { return "host"; }
  [[nodiscard]] std::string place() const override { return "this host"; }
  [[nodiscard]] std::optional<std::uint64_t> available() const override;
  [[nodiscard]] bool directly_accessible() const override { return true; }
  [[nodiscard]] Buffer allocate(std::size_t bytes) override;
  void fill(Bytes to, const Periodic& with) override;
  void poison(Bytes to, DType type, std::size_t every, std::size_t from) override;
  [[nodiscard]] std::optional<std::size_t> first_difference(ConstBytes in, const Periodic& expected, std::string& found,
                                                            DType type, std::size_t every) override;
  void divide(Bytes values, DType type, int divisor) override;
};

}  // namespace busbar
