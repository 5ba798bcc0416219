// SPDX-License-Identifier: Apache-2.0
#include "core/nvml/library.hpp"

#include <array>
#include <charconv>

#include <dlfcn.h>
#include <fmt/core.h>

#include "core/files/kernel_files.hpp"

namespace busbar::nvml {
namespace {

template <class Function>
void find(void* loaded, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(loaded, name));
}

void find_start(void* loaded, abi::Calls& c) {
  find(loaded, "nvmlInit_v2", c.nvmlInit_v2);
  find(loaded, "nvmlShutdown", c.nvmlShutdown);
  find(loaded, "nvmlErrorString", c.nvmlErrorString);
  find(loaded, "nvmlSystemGetDriverVersion", c.nvmlSystemGetDriverVersion);
  find(loaded, "nvmlDeviceGetCount_v2", c.nvmlDeviceGetCount_v2);
  find(loaded, "nvmlDeviceGetHandleByIndex_v2", c.nvmlDeviceGetHandleByIndex_v2);
  find(loaded, "nvmlDeviceGetHandleByUUID", c.nvmlDeviceGetHandleByUUID);
  find(loaded, "nvmlDeviceGetHandleByPciBusId_v2", c.nvmlDeviceGetHandleByPciBusId_v2);
}

void find_facts(void* loaded, abi::Calls& c) {
  find(loaded, "nvmlDeviceGetName", c.nvmlDeviceGetName);
  find(loaded, "nvmlDeviceGetUUID", c.nvmlDeviceGetUUID);
  find(loaded, "nvmlDeviceGetPciInfo_v3", c.nvmlDeviceGetPciInfo_v3);
  find(loaded, "nvmlDeviceGetMemoryInfo", c.nvmlDeviceGetMemoryInfo);
  find(loaded, "nvmlDeviceGetMaxClockInfo", c.nvmlDeviceGetMaxClockInfo);
  find(loaded, "nvmlDeviceGetEnforcedPowerLimit", c.nvmlDeviceGetEnforcedPowerLimit);
  find(loaded, "nvmlDeviceGetMaxPcieLinkGeneration", c.nvmlDeviceGetMaxPcieLinkGeneration);
  find(loaded, "nvmlDeviceGetMaxPcieLinkWidth", c.nvmlDeviceGetMaxPcieLinkWidth);
  find(loaded, "nvmlDeviceGetEccMode", c.nvmlDeviceGetEccMode);
  find(loaded, "nvmlDeviceGetMigMode", c.nvmlDeviceGetMigMode);
  find(loaded, "nvmlDeviceGetVirtualizationMode", c.nvmlDeviceGetVirtualizationMode);
  find(loaded, "nvmlDeviceGetPersistenceMode", c.nvmlDeviceGetPersistenceMode);
  find(loaded, "nvmlDeviceGetComputeMode", c.nvmlDeviceGetComputeMode);
  find(loaded, "nvmlDeviceGetTopologyCommonAncestor", c.nvmlDeviceGetTopologyCommonAncestor);
}

void find_readings(void* loaded, abi::Calls& c) {
  find(loaded, "nvmlDeviceGetClockInfo", c.nvmlDeviceGetClockInfo);
  find(loaded, "nvmlDeviceGetPowerUsage", c.nvmlDeviceGetPowerUsage);
  find(loaded, "nvmlDeviceGetTemperature", c.nvmlDeviceGetTemperature);
  find(loaded, "nvmlDeviceGetTemperatureV", c.nvmlDeviceGetTemperatureV);
  find(loaded, "nvmlDeviceGetCurrentClocksEventReasons", c.nvmlDeviceGetCurrentClocksEventReasons);
  find(loaded, "nvmlDeviceGetCurrentClocksThrottleReasons", c.nvmlDeviceGetCurrentClocksThrottleReasons);
  find(loaded, "nvmlDeviceGetCurrPcieLinkGeneration", c.nvmlDeviceGetCurrPcieLinkGeneration);
  find(loaded, "nvmlDeviceGetCurrPcieLinkWidth", c.nvmlDeviceGetCurrPcieLinkWidth);
  find(loaded, "nvmlDeviceGetNvLinkState", c.nvmlDeviceGetNvLinkState);
  find(loaded, "nvmlDeviceGetNvLinkVersion", c.nvmlDeviceGetNvLinkVersion);
  find(loaded, "nvmlDeviceGetNvLinkRemoteDeviceType", c.nvmlDeviceGetNvLinkRemoteDeviceType);
  find(loaded, "nvmlDeviceGetNvLinkRemotePciInfo_v2", c.nvmlDeviceGetNvLinkRemotePciInfo_v2);
  find(loaded, "nvmlDeviceGetFieldValues", c.nvmlDeviceGetFieldValues);
  find(loaded, "nvmlDeviceGetTotalEccErrors", c.nvmlDeviceGetTotalEccErrors);
  find(loaded, "nvmlDeviceGetTotalEnergyConsumption", c.nvmlDeviceGetTotalEnergyConsumption);
  find(loaded, "nvmlDeviceGetViolationStatus", c.nvmlDeviceGetViolationStatus);
  find(loaded, "nvmlDeviceGetUtilizationRates", c.nvmlDeviceGetUtilizationRates);
}

/// Message of the dynamic loader, which may report none.
std::string last_problem() {
  const char* said = ::dlerror();
  return said != nullptr ? said : "the dynamic loader does not say why";
}

}  // namespace

std::optional<unsigned> first_thermal_time(std::string_view driver) {
  constexpr int first_counters = 575, moved = 580, last_before_move = 65, first_behind_move = 82;
  int branch = 0, release = 0;
  const char* const end = driver.data() + driver.size();
  const auto dot = std::from_chars(driver.data(), end, branch);
  if (dot.ec != std::errc{} || dot.ptr == end || *dot.ptr != '.') return std::nullopt;
  if (std::from_chars(dot.ptr + 1, end, release).ec != std::errc{}) return std::nullopt;
  if (branch < first_counters) return std::nullopt;
  if (branch < moved || (branch == moved && release <= last_before_move)) return 251;
  if (branch > moved || release >= first_behind_move) return 269;
  return std::nullopt;
}

Library::Library(void* loaded) : loaded_(loaded) {
  find_start(loaded, calls_);
  find_facts(loaded, calls_);
  find_readings(loaded, calls_);
}

Library::~Library() {
  if (started_ && calls_.nvmlShutdown != nullptr) (void)calls_.nvmlShutdown();
  ::dlclose(loaded_);
}

/// Returns why the library cannot be used; empty if it can.
std::string Library::start() {
  if (calls_.nvmlInit_v2 == nullptr) return "it has no nvmlInit_v2";
  const abi::Return result = calls_.nvmlInit_v2();
  started_ = result == abi::success;
  if (started_) {
    thermal_time_fields_ = first_thermal_time(driver_version().value_or(""));
    return {};
  }
  const char* words = calls_.nvmlErrorString != nullptr ? calls_.nvmlErrorString(result) : nullptr;
  return fmt::format("nvmlInit: {} ({})", words != nullptr ? words : "no words for it", result);
}

Library::Opened Library::open(const std::string& file) {
  void* loaded = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) return {.library = nullptr, .problem = last_problem()};
  const std::shared_ptr<Library> library(new Library(loaded));
  if (const std::string problem = library->start(); !problem.empty())
    return {.library = nullptr, .problem = fmt::format("{}: {}", file, problem)};
  return {.library = library, .problem = {}};
}

std::optional<std::string> Library::driver_version() const {
  std::array<char, abi::text_bytes> text{};
  if (calls_.nvmlSystemGetDriverVersion == nullptr) return std::nullopt;
  if (calls_.nvmlSystemGetDriverVersion(text.data(), text.size() - 1) != abi::success) return std::nullopt;
  return facts::clean(text.data());
}

unsigned Library::devices() const {
  unsigned count = 0;
  if (calls_.nvmlDeviceGetCount_v2 == nullptr || calls_.nvmlDeviceGetCount_v2(&count) != abi::success) return 0;
  return count;
}

}  // namespace busbar::nvml
