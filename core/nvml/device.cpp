// SPDX-License-Identifier: Apache-2.0
#include "core/nvml/device.hpp"

#include <array>
#include <map>
#include <span>

#include "core/environment/pci.hpp"
#include "core/files/kernel_files.hpp"
#include "core/machine/local_clock.hpp"

namespace busbar::nvml {
namespace {

/// What call(in..., &value) sets; empty if the library lacks it or it fails.
template <class T = unsigned, class Call, class... In>
std::optional<T> ask(Call call, In... in) {
  T value{};
  return call != nullptr && call(in..., &value) == abi::success ? std::optional(value) : std::nullopt;
}

/// The current mode; the other value is the mode after the next reset.
std::optional<bool> ask_mode(abi::Return (*call)(abi::Handle, unsigned*, unsigned*), abi::Handle handle) {
  unsigned now = 0, later = 0;
  return call != nullptr && call(handle, &now, &later) == abi::success ? std::optional(now != 0) : std::nullopt;
}

std::optional<double> scaled(const std::optional<unsigned>& value, double unit) {
  return value ? std::optional(static_cast<double>(*value) * unit) : std::nullopt;
}

std::optional<int> small(const std::optional<unsigned>& value) {
  return value && *value <= 0x7FFFFFFF ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

std::optional<bool> on(const std::optional<unsigned>& value) {
  return value ? std::optional(*value != 0) : std::nullopt;
}

std::optional<std::string> read_text(abi::Return (*call)(abi::Handle, char*, unsigned), abi::Handle handle) {
  std::array<char, abi::text_bytes + 1> buffer{};
  if (call == nullptr || call(handle, buffer.data(), abi::text_bytes) != abi::success) return std::nullopt;
  return facts::clean(buffer.data());
}

/// The address in a PciInfo, which need not be null-terminated.
std::optional<std::string> address(const std::optional<abi::PciInfo>& pci) {
  if (!pci) return std::nullopt;
  const std::string_view whole(pci->bus_id, sizeof pci->bus_id);
  return facts::pci_address(whole.substr(0, whole.find('\0')));
}

/// words[value]; empty if there is none.
std::optional<std::string> word(const std::optional<unsigned>& value, std::span<const std::string_view> words) {
  return value && *value < words.size() && !words[*value].empty() ? std::optional(std::string(words[*value]))
                                                                  : std::nullopt;
}

/// The field as an unsigned count; empty for 32-bit fields, which would wrap between two readings.
std::optional<std::uint64_t> count_of(const abi::FieldValue& field) {
  if (field.result != abi::success) return std::nullopt;
  if (field.type == abi::is_ullong) return field.value.ullong;
  if (field.type == abi::is_ulong) return field.value.ulong;
  if (field.type == abi::is_llong && field.value.llong >= 0) return static_cast<std::uint64_t>(field.value.llong);
  return std::nullopt;
}

std::optional<std::uint64_t> kibibytes(const abi::FieldValue& field) {
  const auto count = count_of(field);
  return count ? std::optional(*count * 1024) : std::nullopt;
}

}  // namespace

std::optional<Device> Device::by_uuid(const Lib& library, const std::string& uuid) {
  return of(library, ask<abi::Handle>(library->calls().nvmlDeviceGetHandleByUUID, uuid.c_str()));
}

std::optional<Device> Device::by_bus(const Lib& library, const std::string& address) {
  return of(library, ask<abi::Handle>(library->calls().nvmlDeviceGetHandleByPciBusId_v2, address.c_str()));
}

std::optional<Device> Device::by_index(const Lib& library, unsigned index) {
  return of(library, ask<abi::Handle>(library->calls().nvmlDeviceGetHandleByIndex_v2, index));
}

std::optional<std::string> Device::name() const { return read_text(calls().nvmlDeviceGetName, handle_); }
std::optional<std::string> Device::uuid() const { return read_text(calls().nvmlDeviceGetUUID, handle_); }

std::optional<std::string> Device::bus() const {
  return address(ask<abi::PciInfo>(calls().nvmlDeviceGetPciInfo_v3, handle_));
}

std::optional<std::uint64_t> Device::memory_bytes() const {
  const auto memory = ask<abi::Memory>(calls().nvmlDeviceGetMemoryInfo, handle_);
  return memory ? std::optional(memory->total) : std::nullopt;
}

std::optional<bool> Device::mig() const { return ask_mode(calls().nvmlDeviceGetMigMode, handle_); }

std::optional<std::string> Device::virtualisation() const {
  static constexpr std::array<std::string_view, 5> words{"none", "passthrough", "vGPU", "vGPU host", "vSGA host"};
  return word(ask(calls().nvmlDeviceGetVirtualizationMode, handle_), words);
}

std::optional<bool> Device::ecc() const { return ask_mode(calls().nvmlDeviceGetEccMode, handle_); }

std::optional<bool> Device::persistence() const { return on(ask(calls().nvmlDeviceGetPersistenceMode, handle_)); }

std::optional<std::string> Device::compute_mode() const {
  static constexpr std::array<std::string_view, 4> words{"default", "exclusive thread", "prohibited",
                                                         "exclusive process"};
  return word(ask(calls().nvmlDeviceGetComputeMode, handle_), words);
}

std::optional<int> Device::pcie_gen() const { return small(ask(calls().nvmlDeviceGetCurrPcieLinkGeneration, handle_)); }
std::optional<int> Device::pcie_width() const { return small(ask(calls().nvmlDeviceGetCurrPcieLinkWidth, handle_)); }

/// Tries the old call first: the new one exists only since R560.
std::optional<double> Device::temperature_C() const {
  if (const auto old = ask(calls().nvmlDeviceGetTemperature, handle_, abi::gpu_die)) return *old;
  abi::Temperature t{.version = abi::temperature_v1, .sensor = abi::gpu_die, .temperature_C = 0};
  const auto call = calls().nvmlDeviceGetTemperatureV;
  if (call == nullptr || call(handle_, &t) != abi::success) return std::nullopt;
  return t.temperature_C;
}

/// Tries the same call under its new and its old name.
std::optional<std::uint64_t> Device::clock_reasons() const {
  for (const auto call :
       {calls().nvmlDeviceGetCurrentClocksEventReasons, calls().nvmlDeviceGetCurrentClocksThrottleReasons}) {
    if (const auto mask = ask<unsigned long long>(call, handle_)) return mask;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Device::energy_mJ() const {
  return ask<unsigned long long>(calls().nvmlDeviceGetTotalEnergyConsumption, handle_);
}

std::optional<std::uint64_t> Device::violation_ns(unsigned policy) const {
  const auto time = ask<abi::ViolationTime>(calls().nvmlDeviceGetViolationStatus, handle_, policy);
  return time ? std::optional(time->violation_ns) : std::nullopt;
}

/// Returns whether the call succeeded; each field has its own result.
bool Device::read_fields(std::span<abi::FieldValue> fields) const {
  for (abi::FieldValue& field : fields) field.result = abi::not_supported;
  const auto call = calls().nvmlDeviceGetFieldValues;
  return call != nullptr && call(handle_, static_cast<int>(fields.size()), fields.data()) == abi::success;
}

void Device::read_bytes(GpuReading& r) const {
  std::array fields{abi::FieldValue{.field = abi::nvlink_data_tx, .scope = abi::all_links},
                    abi::FieldValue{.field = abi::nvlink_data_rx, .scope = abi::all_links},
                    abi::FieldValue{.field = abi::pcie_tx_bytes}, abi::FieldValue{.field = abi::pcie_rx_bytes}};
  if (!read_fields(fields)) return;
  r.nvlink_tx_bytes = kibibytes(fields[0]);
  r.nvlink_rx_bytes = kibibytes(fields[1]);
  r.pcie_tx_bytes = count_of(fields[2]);
  r.pcie_rx_bytes = count_of(fields[3]);
}

/// Uses field ids if the driver has them: they cover all reasons and are specified in ns. Otherwise uses the older
/// call, which covers two reasons.
void Device::read_throttle_times(GpuReading& r) const {
  if (const auto thermal = library_->thermal_time_fields()) {
    std::array fields{abi::FieldValue{.field = abi::sw_power_cap_time}, abi::FieldValue{.field = abi::sync_boost_time},
                      abi::FieldValue{.field = *thermal}, abi::FieldValue{.field = *thermal + 1},
                      abi::FieldValue{.field = *thermal + 2}};
    if (read_fields(fields)) {
      r.sw_power_cap_ns = count_of(fields[0]);
      r.sync_boost_ns = count_of(fields[1]);
      r.sw_thermal_slowdown_ns = count_of(fields[2]);
      r.hw_thermal_slowdown_ns = count_of(fields[3]);
      r.hw_power_brake_slowdown_ns = count_of(fields[4]);
    }
  }
  if (!r.sw_power_cap_ns) r.sw_power_cap_ns = violation_ns(abi::policy_power);
  if (!r.sync_boost_ns) r.sync_boost_ns = violation_ns(abi::policy_sync_boost);
}

GpuReading Device::read() const {
  const abi::Calls& c = calls();
  GpuReading r{.sm_clock_MHz = scaled(ask(c.nvmlDeviceGetClockInfo, handle_, abi::clock_sm), 1),
               .memory_clock_MHz = scaled(ask(c.nvmlDeviceGetClockInfo, handle_, abi::clock_memory), 1),
               .power_W = scaled(ask(c.nvmlDeviceGetPowerUsage, handle_), 1e-3),
               .temperature_C = temperature_C(),
               .clock_reasons = clock_reasons(),
               .pcie_gen = pcie_gen(),
               .pcie_width = pcie_width()};
  if (const auto busy = ask<abi::Utilisation>(c.nvmlDeviceGetUtilizationRates, handle_)) r.busy_percent = busy->gpu;
  r.at_ns = steady_ns();
  r.energy_mJ = energy_mJ();
  read_throttle_times(r);
  read_bytes(r);
  const auto errors = [&](unsigned kind) {
    return ask<unsigned long long>(c.nvmlDeviceGetTotalEccErrors, handle_, kind, abi::since_driver_load);
  };
  r.ecc_corrected = errors(abi::corrected);
  r.ecc_uncorrected = errors(abi::uncorrected);
  return r;
}

std::optional<std::vector<Link>> Device::links() const {
  const abi::Calls& c = calls();
  std::optional<std::vector<Link>> all;
  for (unsigned i = 0; i < abi::most_links; ++i) {
    const auto state = ask(c.nvmlDeviceGetNvLinkState, handle_, i);
    if (!state) break;  // links are numbered without gaps
    if (!all) all.emplace();
    if (*state != 1) continue;
    all->push_back({.to_switch = ask(c.nvmlDeviceGetNvLinkRemoteDeviceType, handle_, i) == abi::link_ends_at_switch,
                    .remote = address(ask<abi::PciInfo>(c.nvmlDeviceGetNvLinkRemotePciInfo_v2, handle_, i))});
  }
  return all;
}

/// Version of the first link that reports one (nvmlNvlinkVersion_t).
std::optional<std::string> Device::nvlink_version() const {
  static constexpr std::array<std::string_view, 9> words{"", "1.0", "2.0", "2.2", "3.0", "3.1", "4.0", "5.0", "6.0"};
  for (unsigned i = 0; i < abi::most_links; ++i) {
    const auto version = ask(calls().nvmlDeviceGetNvLinkVersion, handle_, i);
    if (!version) return std::nullopt;
    if (const auto known = word(version, words)) return known;
  }
  return std::nullopt;
}

GpuLimits Device::limits() const {
  const abi::Calls& c = calls();
  const auto up = links();
  return {.uuid = uuid(),
          .sm_clock_max_MHz = scaled(ask(c.nvmlDeviceGetMaxClockInfo, handle_, abi::clock_sm), 1),
          .memory_clock_max_MHz = scaled(ask(c.nvmlDeviceGetMaxClockInfo, handle_, abi::clock_memory), 1),
          .power_limit_W = scaled(ask(c.nvmlDeviceGetEnforcedPowerLimit, handle_), 1e-3),
          .pcie_gen_max = small(ask(c.nvmlDeviceGetMaxPcieLinkGeneration, handle_)),
          .pcie_width_max = small(ask(c.nvmlDeviceGetMaxPcieLinkWidth, handle_)),
          .nvlinks = up ? std::optional(static_cast<int>(up->size())) : std::nullopt,
          .nvlink_version = up && !up->empty() ? nvlink_version() : std::nullopt};
}

std::optional<std::string> Device::way_to(const Device& other) const {
  static const std::map<unsigned, std::string> words{{abi::topology_internal, "PSB"}, {abi::topology_single, "PIX"},
                                                     {abi::topology_multiple, "PXB"}, {abi::topology_hostbridge, "PHB"},
                                                     {abi::topology_node, "NODE"},    {abi::topology_system, "SYS"}};
  const auto level = ask(calls().nvmlDeviceGetTopologyCommonAncestor, handle_, other.handle_);
  const auto known = level ? words.find(*level) : words.end();
  return known != words.end() ? std::optional(known->second) : std::nullopt;
}

std::unique_ptr<GpuProbe> open_gpu(const std::optional<std::string>& uuid, const std::optional<std::string>& bus) {
  if (!uuid && !bus) return nullptr;
  const auto library = Library::open().library;
  if (!library) return nullptr;
  std::optional<Device> device;
  if (uuid) device = Device::by_uuid(library, *uuid);
  const auto at = bus ? facts::pci_address(*bus) : std::nullopt;
  if (!device && at) device = Device::by_bus(library, *at);
  return device ? std::make_unique<Device>(*device) : nullptr;
}

}  // namespace busbar::nvml
