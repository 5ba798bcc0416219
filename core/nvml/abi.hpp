// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The types and constants of NVML's binary interface that busbar uses, declared here so that building requires no
/// NVIDIA headers. Source: NVML API Reference, https://docs.nvidia.com/deploy/nvml-api/; numbers as in nvml.h of
/// go-nvml and in the Python package nvidia-ml-py. NVIDIA keeps this interface stable: changed functions get new names
/// (_v2, _v3).
namespace busbar::nvml::abi {

using Return = int;
inline constexpr Return success = 0;
inline constexpr Return not_supported = 3;
inline constexpr Return not_found = 6;
inline constexpr Return driver_not_loaded = 9;

using Handle = struct OpaqueDevice*;  ///< nvmlDevice_t

/// nvmlPciInfo_t
struct PciInfo {
  char bus_id_legacy[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];  ///< "00000000:1B:00.0"
};
static_assert(sizeof(PciInfo) == 68);

/// nvmlMemory_t, in bytes
struct Memory {
  unsigned long long total, free, used;
};

/// nvmlUtilization_t, in per cent of the last sample period
struct Utilisation {
  unsigned gpu, memory;
};

/// nvmlTemperature_v1_t
struct Temperature {
  unsigned version, sensor;
  int temperature_C;
};
inline constexpr unsigned temperature_v1 = sizeof(Temperature) | (1U << 24);

/// nvmlValue_t
union Value {
  double real;
  unsigned uint;
  unsigned long ulong;
  unsigned long long ullong;
  long long llong;
  int sint;
  unsigned short ushort;
};
/// nvmlValueType_t
inline constexpr unsigned is_uint = 1, is_ulong = 2, is_ullong = 3, is_llong = 4, is_int = 5;

/// nvmlFieldValue_t
struct FieldValue {
  unsigned field, scope;
  long long timestamp_us, latency_us;
  unsigned type;
  Return result;
  Value value;
};
static_assert(sizeof(FieldValue) == 40);

/// Field ids. NVLink: payload in KiB since the driver was loaded, summed over links if `scope` is all_links. PCIe:
/// bytes, which may wrap according to the reference.
inline constexpr unsigned nvlink_data_tx = 138, nvlink_data_rx = 139;
inline constexpr unsigned pcie_tx_bytes = 197, pcie_rx_bytes = 198;
inline constexpr unsigned all_links = ~0U;

/// Field ids of the clocks event reason counters: nanoseconds in which a reason limited the clocks. The other three
/// have consecutive ids from first_thermal_time() on: software thermal, hardware thermal, power brake.
inline constexpr unsigned sw_power_cap_time = 74, sync_boost_time = 76;

/// nvmlViolationTime_t: older interface to two of these counters. "Violation for thermal capping is not supported at
/// this time" (nvml.h up to CUDA 12.9). CUDA 14 will remove it.
struct ViolationTime {
  unsigned long long reference_us, violation_ns;
};
inline constexpr unsigned policy_power = 0, policy_sync_boost = 2;  ///< nvmlPerfPolicyType_t

inline constexpr unsigned clock_sm = 1, clock_memory = 2;  ///< nvmlClockType_t
inline constexpr unsigned corrected = 0, uncorrected = 1;  ///< nvmlMemoryErrorType_t
inline constexpr unsigned since_driver_load = 0;           ///< nvmlEccCounterType_t: volatile
inline constexpr unsigned gpu_die = 0;                     ///< nvmlTemperatureSensors_t
inline constexpr unsigned most_links = 36;                 ///< NVML_NVLINK_MAX_LINKS
inline constexpr unsigned link_ends_at_switch = 2;         ///< nvmlIntNvLinkDeviceType_t
inline constexpr unsigned bus_id_bytes = 32,
                          text_bytes = 96;  ///< enough for every text: NVML_DEVICE_UUID_V2_BUFFER_SIZE
inline constexpr unsigned topology_internal = 0, topology_single = 10, topology_multiple = 20, topology_hostbridge = 30,
                          topology_node = 40, topology_system = 50;  ///< nvmlGpuTopologyLevel_t

/// NVML's functions, named as in the library. Those that the library lacks are null.
struct Calls {
  Return (*nvmlInit_v2)() = nullptr;
  Return (*nvmlShutdown)() = nullptr;
  const char* (*nvmlErrorString)(Return) = nullptr;
  Return (*nvmlSystemGetDriverVersion)(char*, unsigned) = nullptr;
  Return (*nvmlDeviceGetCount_v2)(unsigned*) = nullptr;
  Return (*nvmlDeviceGetHandleByIndex_v2)(unsigned, Handle*) = nullptr;
  Return (*nvmlDeviceGetHandleByUUID)(const char*, Handle*) = nullptr;
  Return (*nvmlDeviceGetHandleByPciBusId_v2)(const char*, Handle*) = nullptr;
  Return (*nvmlDeviceGetName)(Handle, char*, unsigned) = nullptr;
  Return (*nvmlDeviceGetUUID)(Handle, char*, unsigned) = nullptr;
  Return (*nvmlDeviceGetPciInfo_v3)(Handle, PciInfo*) = nullptr;
  Return (*nvmlDeviceGetMemoryInfo)(Handle, Memory*) = nullptr;
  Return (*nvmlDeviceGetClockInfo)(Handle, unsigned, unsigned*) = nullptr;
  Return (*nvmlDeviceGetMaxClockInfo)(Handle, unsigned, unsigned*) = nullptr;
  Return (*nvmlDeviceGetPowerUsage)(Handle, unsigned*) = nullptr;
  Return (*nvmlDeviceGetEnforcedPowerLimit)(Handle, unsigned*) = nullptr;
  Return (*nvmlDeviceGetTemperature)(Handle, unsigned, unsigned*) = nullptr;
  Return (*nvmlDeviceGetTemperatureV)(Handle, Temperature*) = nullptr;
  Return (*nvmlDeviceGetCurrentClocksEventReasons)(Handle, unsigned long long*) = nullptr;
  Return (*nvmlDeviceGetCurrentClocksThrottleReasons)(Handle, unsigned long long*) = nullptr;
  Return (*nvmlDeviceGetCurrPcieLinkGeneration)(Handle, unsigned*) = nullptr;
  Return (*nvmlDeviceGetMaxPcieLinkGeneration)(Handle, unsigned*) = nullptr;
  Return (*nvmlDeviceGetCurrPcieLinkWidth)(Handle, unsigned*) = nullptr;
  Return (*nvmlDeviceGetMaxPcieLinkWidth)(Handle, unsigned*) = nullptr;
  Return (*nvmlDeviceGetNvLinkState)(Handle, unsigned, unsigned*) = nullptr;
  Return (*nvmlDeviceGetNvLinkVersion)(Handle, unsigned, unsigned*) = nullptr;
  Return (*nvmlDeviceGetNvLinkRemoteDeviceType)(Handle, unsigned, unsigned*) = nullptr;
  Return (*nvmlDeviceGetNvLinkRemotePciInfo_v2)(Handle, unsigned, PciInfo*) = nullptr;
  Return (*nvmlDeviceGetFieldValues)(Handle, int, FieldValue*) = nullptr;
  Return (*nvmlDeviceGetTotalEccErrors)(Handle, unsigned, unsigned, unsigned long long*) = nullptr;
  Return (*nvmlDeviceGetEccMode)(Handle, unsigned*, unsigned*) = nullptr;
  Return (*nvmlDeviceGetTotalEnergyConsumption)(Handle, unsigned long long*) = nullptr;  ///< mJ; Volta and newer
  Return (*nvmlDeviceGetViolationStatus)(Handle, unsigned, ViolationTime*) = nullptr;
  Return (*nvmlDeviceGetUtilizationRates)(Handle, Utilisation*) = nullptr;
  Return (*nvmlDeviceGetMigMode)(Handle, unsigned*, unsigned*) = nullptr;
  Return (*nvmlDeviceGetVirtualizationMode)(Handle, unsigned*) = nullptr;
  Return (*nvmlDeviceGetPersistenceMode)(Handle, unsigned*) = nullptr;
  Return (*nvmlDeviceGetComputeMode)(Handle, unsigned*) = nullptr;
  Return (*nvmlDeviceGetTopologyCommonAncestor)(Handle, Handle, unsigned*) = nullptr;
};

}  // namespace busbar::nvml::abi
