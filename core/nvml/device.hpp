// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/nvml/library.hpp"
#include "core/record/telemetry.hpp"

namespace busbar::nvml {

/// An active NVLink.
struct Link {
  bool to_switch = false;             ///< the other end is an NVSwitch
  std::optional<std::string> remote;  ///< PCI address of the other end, as from pci_address()
};

/// A GPU, accessed through NVML. What the device, driver or library version does not support is empty.
class Device final : public GpuProbe {
 public:
  using Lib = std::shared_ptr<const Library>;
  /// `uuid` as printed by nvidia-smi -L, also of a MIG instance, for which NVML reports little. Empty if not found.
  [[nodiscard]] static std::optional<Device> by_uuid(const Lib& library, const std::string& uuid);
  /// `address`: "0000:1b:00.0".
  [[nodiscard]] static std::optional<Device> by_bus(const Lib& library, const std::string& address);
  /// `index` from 0, below Library::devices(). It is not CUDA's index.
  [[nodiscard]] static std::optional<Device> by_index(const Lib& library, unsigned index);

  /// Makes about fifteen calls into the driver. Omits PCIe bytes if the driver counts them in 32 bits, which wrap in
  /// 0.1 s. Reads counters last, starting with energy.
  [[nodiscard]] GpuReading read() const override;
  [[nodiscard]] GpuLimits limits() const override;

  [[nodiscard]] std::optional<std::string> name() const;
  [[nodiscard]] std::optional<std::string> uuid() const;
  [[nodiscard]] std::optional<std::string> bus() const;  ///< as from pci_address()
  [[nodiscard]] std::optional<std::uint64_t> memory_bytes() const;
  [[nodiscard]] std::optional<bool> mig() const;
  /// none, passthrough, vGPU (a virtual machine with a share of a GPU), vGPU host, vSGA host.
  [[nodiscard]] std::optional<std::string> virtualisation() const;
  [[nodiscard]] std::optional<bool> ecc() const;
  [[nodiscard]] std::optional<bool> persistence() const;
  /// default, exclusive thread, prohibited, exclusive process.
  [[nodiscard]] std::optional<std::string> compute_mode() const;
  [[nodiscard]] std::optional<int> pcie_gen() const;
  [[nodiscard]] std::optional<int> pcie_width() const;
  /// Active links. Empty optional if the GPU has no NVLink or NVML does not report any.
  [[nodiscard]] std::optional<std::vector<Link>> links() const;
  /// PCIe topology to another GPU, in the words of nvidia-smi topo -m: PSB (one board), PIX, PXB, PHB, NODE, SYS.
  [[nodiscard]] std::optional<std::string> way_to(const Device& other) const;

 private:
  /// Empty without a handle.
  static std::optional<Device> of(const Lib& library, const std::optional<abi::Handle>& handle) {
    return handle ? std::optional(Device(library, *handle)) : std::nullopt;
  }
  Device(Lib library, abi::Handle handle) : library_(std::move(library)), handle_(handle) {}
  [[nodiscard]] const abi::Calls& calls() const { return library_->calls(); }
  [[nodiscard]] std::optional<double> temperature_C() const;
  [[nodiscard]] std::optional<std::uint64_t> clock_reasons() const;
  [[nodiscard]] std::optional<std::string> nvlink_version() const;
  [[nodiscard]] std::optional<std::uint64_t> energy_mJ() const;
  [[nodiscard]] std::optional<std::uint64_t> violation_ns(unsigned policy) const;
  [[nodiscard]] bool read_fields(std::span<abi::FieldValue> fields) const;
  void read_bytes(GpuReading&) const;
  void read_throttle_times(GpuReading&) const;

  Lib library_;
  abi::Handle handle_;
};

/// The GPU of this rank, for a TelemetryMeter. `uuid` as printed by nvidia-smi -L. `bus` (PCI address) is used if NVML
/// does not know the uuid: for a MIG instance it selects the whole GPU. Null if both are empty (then NVML is not
/// opened), without NVML, or if it has no such GPU.
[[nodiscard]] std::unique_ptr<GpuProbe> open_gpu(const std::optional<std::string>& uuid,
                                                 const std::optional<std::string>& bus);

}  // namespace busbar::nvml
