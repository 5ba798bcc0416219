// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>

#include "core/backend/backend.hpp"
#include "core/cuda/device.hpp"
#include "core/cuda/memory.hpp"
#include "core/elements/memory_space.hpp"

namespace busbar::cuda {

/// Memory of one GPU, allocated by cudaMalloc.
class GpuMemory : public MemorySpace {
 public:
  explicit GpuMemory(const Device& device);
  [[nodiscard]] std::string_view kind() const override { return "device"; }
  [[nodiscard]] std::string place() const override { return place_; }
  [[nodiscard]] std::optional<std::uint64_t> available() const override;
  [[nodiscard]] Buffer allocate(std::size_t bytes) override;
  void fill(Bytes to, const Periodic& with) override;
  void poison(Bytes to, DType type, std::size_t every, std::size_t from) override;
  [[nodiscard]] std::optional<std::size_t> first_difference(ConstBytes in, const Periodic& expected, std::string& found,
                                                            DType type, std::size_t every) override;
  void divide(Bytes values, DType type, int divisor) override;

 protected:
  static constexpr std::size_t room_behind = 16;  ///< so that no allocation is empty
  void zero(std::byte* memory, std::size_t bytes);

 private:
  [[nodiscard]] const std::byte* on_device(const std::shared_ptr<const Table>&);

  std::string place_;
  Stream stream_;
  /// Not keyed by address: a new table may have the address of a freed one.
  std::map<std::weak_ptr<const Table>, DeviceArray<std::byte>, std::owner_less<>> tables_;
  DeviceArray<unsigned long long> first_{1};
  PinnedArray<unsigned long long> first_on_host_{1};
};

/// A backend's facts about its GPU.
[[nodiscard]] BackendFacts facts_of(const Device& device);

}  // namespace busbar::cuda
