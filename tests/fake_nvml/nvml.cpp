// SPDX-License-Identifier: Apache-2.0
// A library in NVML's place, for tests without a GPU: what it answers is set by variables of the environment, read at
// each call. Built as libnvidia-ml.so.1 in a folder of its own; LD_LIBRARY_PATH leads to it.
//
// FAKE_NVML_COUNT (2)        GPUs
// FAKE_NVML_INIT (0)         what nvmlInit answers
// FAKE_NVML_UNSUPPORTED      set: every question about a GPU but for its name, UUID and address is not supported
// FAKE_NVML_REASONS (0)      clocks event reasons, a number
// FAKE_NVML_SM_MHZ (1980), FAKE_NVML_POWER_MW (650500), FAKE_NVML_TEMPERATURE (61)
// FAKE_NVML_PCIE_GEN (5), FAKE_NVML_PCIE_WIDTH (16): of the link now; at most 5 and 16
// FAKE_NVML_LINKS (18)       NVLinks of a GPU
// FAKE_NVML_DOWN (0)         as many of them are down
// FAKE_NVML_SWITCH (1)       they end at a switch; 0: at the next GPU
// FAKE_NVML_VIRTUALISATION (0), FAKE_NVML_MIG (0), FAKE_NVML_COMPUTE_MODE (0)
// FAKE_NVML_PCIE_TYPE (3)    type of PCIe's byte counts: 3 of 64 bits, 1 of 32; 0: not supported
// FAKE_NVML_DRIVER (570.00.01)  decides which fields count time, as in the drivers of that release
// FAKE_NVML_ENERGY_MJ (0)    the energy counter grows by it at each question; 0: not supported
// FAKE_NVML_POWER_CAP_NS (0), FAKE_NVML_THERMAL_NS (0), FAKE_NVML_BRAKE_NS (0): so do the counters of throttled time
// FAKE_NVML_VIOLATION (1)    0: nvmlDeviceGetViolationStatus is not supported
// Counters grow by 1000 at each question: NVLink's in KiB, PCIe's in bytes; corrected ECC errors by 1.
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/nvml/abi.hpp"

namespace {

using namespace busbar::nvml::abi;

unsigned setting(const char* name, unsigned otherwise) {
  const char* text = std::getenv((std::string("FAKE_NVML_") + name).c_str());
  return text != nullptr ? static_cast<unsigned>(std::strtoul(text, nullptr, 0)) : otherwise;
}

bool unsupported() { return std::getenv("FAKE_NVML_UNSUPPORTED") != nullptr; }

std::string driver() {
  const char* text = std::getenv("FAKE_NVML_DRIVER");
  return text != nullptr ? text : "570.00.01";
}

/// Up to 570 power smoothing has fields from 251; in 575 and the first of 580 the time counters have them, and power
/// smoothing ends at 273; then they changed places.
constexpr unsigned first_smoothing = 251, last_smoothing = 273;
unsigned first_time_field() {
  if (driver() < "575") return 0;
  return driver() < "580.70" ? 251 : 269;
}

std::atomic<unsigned long long> asked{0}, energy_asked{0}, times_asked{0};
std::atomic<int> users{0}, opened{0};
std::array<char, 64> places{};  // a handle is the address of one of these

Handle handle_of(unsigned index) { return reinterpret_cast<Handle>(&places[index]); }
unsigned index_of(Handle handle) { return static_cast<unsigned>(reinterpret_cast<char*>(handle) - places.data()); }

Return give(unsigned* out, unsigned value) {
  if (unsupported()) return not_supported;
  *out = value;
  return success;
}

Return write(char* out, unsigned length, const std::string& text) {
  if (text.size() + 1 > length) return 7;
  std::memcpy(out, text.c_str(), text.size() + 1);
  return success;
}

std::string hexadecimal(unsigned value, const char* format) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

/// Address and UUID are those of the devices of tests/fake_gpu, so that both can stand in at once.
std::string bus_of(unsigned index) { return "00000000:" + hexadecimal(index + 1, "%02X") + ":00.0"; }
std::string uuid_of(unsigned index) { return "GPU-66616b65-2047-5055-2064-6576696365" + hexadecimal(index, "%02x"); }

template <class Matches>
Return find(Handle* out, Matches matches) {
  for (unsigned i = 0; i < setting("COUNT", 2); ++i)
    if (matches(i)) {
      *out = handle_of(i);
      return success;
    }
  return not_found;
}

void answer(FieldValue& field, unsigned type, unsigned long long value) {
  field.type = type;
  field.result = type == 0 || unsupported() ? not_supported : success;
  if (type == is_uint)
    field.value.uint = static_cast<unsigned>(value);
  else
    field.value.ullong = value;
}

/// A counter of time, or of what has its id in this driver: a setting, which does not grow.
void answer_time(FieldValue& field, unsigned long long steps) {
  const unsigned first = first_time_field();
  if (first > 0 && field.field >= first && field.field < first + 3) {
    static constexpr std::array names{"THERMAL_NS", "THERMAL_NS", "BRAKE_NS"};
    return answer(field, is_ullong, steps * setting(names.at(field.field - first), 0));
  }
  answer(field, is_ullong, 1);
}

void answer(FieldValue& field, unsigned long long steps) {
  if (field.field >= first_smoothing && field.field <= last_smoothing) return answer_time(field, steps);
  const bool has_links = setting("LINKS", 18) > 0 && field.scope == all_links;
  switch (field.field) {
    case nvlink_data_tx:
      return answer(field, has_links ? is_ullong : 0, steps * 1000);
    case nvlink_data_rx:
      return answer(field, has_links ? is_ullong : 0, steps * 1000 + 5);
    case pcie_tx_bytes:
    case pcie_rx_bytes:
      return answer(field, setting("PCIE_TYPE", is_ullong), steps * 1000);
    case sw_power_cap_time:
    case sync_boost_time:
      return answer(field, is_ullong, field.field == sync_boost_time ? 7 : steps * setting("POWER_CAP_NS", 0));
  }
  field.result = not_supported;
}

}  // namespace

extern "C" {

Return nvmlInit_v2() {
  ++opened;
  const auto result = static_cast<Return>(setting("INIT", 0));
  if (result == success) ++users;
  return result;
}
Return nvmlShutdown() { return users-- > 0 ? success : 1; }
/// How often it is initialised and not shut down; for tests.
int fake_nvml_users() { return users; }
/// How often it was to be initialised.
int fake_nvml_opened() { return opened; }
const char* nvmlErrorString(Return result) { return result == driver_not_loaded ? "Driver Not Loaded" : "Some Error"; }
Return nvmlSystemGetDriverVersion(char* out, unsigned length) { return write(out, length, driver()); }
Return nvmlDeviceGetCount_v2(unsigned* out) {
  *out = setting("COUNT", 2);
  return success;
}
Return nvmlDeviceGetHandleByIndex_v2(unsigned index, Handle* out) {
  return find(out, [&](unsigned i) { return i == index; });
}
Return nvmlDeviceGetHandleByUUID(const char* uuid, Handle* out) {
  return find(out, [&](unsigned i) { return uuid_of(i) == uuid; });
}
Return nvmlDeviceGetHandleByPciBusId_v2(const char* bus, Handle* out) {
  return find(out, [&](unsigned i) { return bus_of(i).substr(4) == bus || bus_of(i) == bus; });
}
Return nvmlDeviceGetName(Handle, char* out, unsigned length) { return write(out, length, "Made-up GPU"); }
Return nvmlDeviceGetUUID(Handle h, char* out, unsigned length) { return write(out, length, uuid_of(index_of(h))); }
Return nvmlDeviceGetPciInfo_v3(Handle h, PciInfo* out) {
  *out = {};
  return write(out->bus_id, sizeof out->bus_id, bus_of(index_of(h)));
}
Return nvmlDeviceGetMemoryInfo(Handle, Memory* out) {
  *out = {.total = 80ULL << 30, .free = 79ULL << 30, .used = 1ULL << 30};
  return unsupported() ? not_supported : success;
}
Return nvmlDeviceGetClockInfo(Handle, unsigned type, unsigned* out) {
  return give(out, type == clock_sm ? setting("SM_MHZ", 1980) : 2619);
}
Return nvmlDeviceGetMaxClockInfo(Handle, unsigned type, unsigned* out) {
  return give(out, type == clock_sm ? 1980 : 2619);
}
Return nvmlDeviceGetPowerUsage(Handle, unsigned* out) { return give(out, setting("POWER_MW", 650500)); }
Return nvmlDeviceGetEnforcedPowerLimit(Handle, unsigned* out) { return give(out, 700000); }
Return nvmlDeviceGetTemperature(Handle, unsigned, unsigned* out) { return give(out, setting("TEMPERATURE", 61)); }
Return nvmlDeviceGetCurrentClocksEventReasons(Handle, unsigned long long* out) {
  *out = setting("REASONS", 0);
  return unsupported() ? not_supported : success;
}
Return nvmlDeviceGetCurrPcieLinkGeneration(Handle, unsigned* out) { return give(out, setting("PCIE_GEN", 5)); }
Return nvmlDeviceGetMaxPcieLinkGeneration(Handle, unsigned* out) { return give(out, 5); }
Return nvmlDeviceGetCurrPcieLinkWidth(Handle, unsigned* out) { return give(out, setting("PCIE_WIDTH", 16)); }
Return nvmlDeviceGetMaxPcieLinkWidth(Handle, unsigned* out) { return give(out, 16); }
Return nvmlDeviceGetNvLinkState(Handle, unsigned link, unsigned* out) {
  if (link >= setting("LINKS", 18)) return not_supported;
  return give(out, link + setting("DOWN", 0) < setting("LINKS", 18) ? 1 : 0);
}
Return nvmlDeviceGetNvLinkVersion(Handle, unsigned link, unsigned* out) {
  return link < setting("LINKS", 18) ? give(out, 6) : not_supported;
}
Return nvmlDeviceGetNvLinkRemoteDeviceType(Handle, unsigned, unsigned* out) {
  return give(out, setting("SWITCH", 1) != 0 ? link_ends_at_switch : 0);
}
Return nvmlDeviceGetNvLinkRemotePciInfo_v2(Handle h, unsigned, PciInfo* out) {
  *out = {};
  const unsigned next = (index_of(h) + 1) % setting("COUNT", 2);
  return write(out->bus_id, sizeof out->bus_id, setting("SWITCH", 1) != 0 ? "00000000:C0:00.0" : bus_of(next));
}
Return nvmlDeviceGetFieldValues(Handle, int count, FieldValue* fields) {
  const bool of_time = count > 0 && fields[0].field == sw_power_cap_time;
  const auto steps = of_time ? ++times_asked : ++asked;
  for (int i = 0; i < count; ++i) answer(fields[i], steps);
  return success;
}
Return nvmlDeviceGetTotalEnergyConsumption(Handle, unsigned long long* out) {
  *out = ++energy_asked * setting("ENERGY_MJ", 0);
  return unsupported() || setting("ENERGY_MJ", 0) == 0 ? not_supported : success;
}
Return nvmlDeviceGetViolationStatus(Handle, unsigned policy, ViolationTime* out) {
  if (unsupported() || setting("VIOLATION", 1) == 0) return not_supported;
  *out = {.reference_us = 1, .violation_ns = policy == policy_power ? ++times_asked * setting("POWER_CAP_NS", 0) : 7};
  return success;
}
Return nvmlDeviceGetTotalEccErrors(Handle, unsigned kind, unsigned, unsigned long long* out) {
  *out = kind == corrected ? asked.load() : 0;
  return unsupported() ? not_supported : success;
}
Return nvmlDeviceGetEccMode(Handle, unsigned* now, unsigned* later) {
  *later = 0;
  return give(now, 1);
}
Return nvmlDeviceGetUtilizationRates(Handle, Utilisation* out) {
  *out = {.gpu = 97, .memory = 40};
  return unsupported() ? not_supported : success;
}
Return nvmlDeviceGetMigMode(Handle, unsigned* now, unsigned* later) {
  *later = 0;
  return give(now, setting("MIG", 0));
}
Return nvmlDeviceGetVirtualizationMode(Handle, unsigned* out) { return give(out, setting("VIRTUALISATION", 0)); }
Return nvmlDeviceGetPersistenceMode(Handle, unsigned* out) { return give(out, 1); }
Return nvmlDeviceGetComputeMode(Handle, unsigned* out) { return give(out, setting("COMPUTE_MODE", 0)); }
Return nvmlDeviceGetTopologyCommonAncestor(Handle, Handle, unsigned* out) {
  return give(out, setting("LEVEL", topology_system));
}

}  // extern "C"
