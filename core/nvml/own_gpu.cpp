// SPDX-License-Identifier: Apache-2.0
#include "core/nvml/own_gpu.hpp"

#include "core/environment/pci.hpp"
#include "core/nvml/device.hpp"

namespace busbar::nvml {

std::unique_ptr<GpuProbe> open_gpu(const std::optional<std::string>& uuid, const std::optional<std::string>& bus) {
  if (!uuid && !bus) return nullptr;
  const auto library = Library::open().library;
  if (!library) return nullptr;
  std::optional<Device> device;
  if (uuid) device = Device::by_uuid(library, *uuid);
  const auto address = bus ? facts::pci_address(*bus) : std::nullopt;
  if (!device && address) device = Device::by_bus(library, *address);
  return device ? std::make_unique<Device>(*device) : nullptr;
}

}  // namespace busbar::nvml
