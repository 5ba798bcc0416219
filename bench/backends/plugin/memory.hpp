// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/backends/plugin/plugin.hpp"
#include "core/machine/host_memory.hpp"

namespace busbar {

/// Memory that a plug-in allocates. Patterns are filled in and compared on the host, and copied.
class PluginMemory final : public MemorySpace {
 public:
  explicit PluginMemory(const PluginContext& context) : context_(context) {}

  [[nodiscard]] std::string_view kind() const override { return "device"; }
  [[nodiscard]] std::string place() const override;
  [[nodiscard]] std::optional<std::uint64_t> available() const override { return std::nullopt; }
  [[nodiscard]] Buffer allocate(std::size_t bytes) override;
  void fill(Bytes to, const Periodic& with) override;
  void poison(Bytes to, DType type, std::size_t every, std::size_t from) override;
  [[nodiscard]] std::optional<std::size_t> first_difference(ConstBytes in, const Periodic& expected, std::string& found,
                                                            DType type, std::size_t every) override;
  void divide(Bytes values, DType type, int divisor) override;

 private:
  [[nodiscard]] std::vector<std::byte> copy_of(ConstBytes device) const;
  void write(Bytes device, ConstBytes host) const;

  const PluginContext& context_;
  HostMemory host_;
};

}  // namespace busbar
