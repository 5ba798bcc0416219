// SPDX-License-Identifier: Apache-2.0
// A library in NVML's place that has hardly any of its functions, as old drivers lack those that came later.
#include "core/nvml/abi.hpp"

using namespace busbar::nvml::abi;

namespace {
char place;
}

extern "C" {

Return nvmlInit_v2() { return success; }
Return nvmlDeviceGetCount_v2(unsigned* out) {
  *out = 1;
  return success;
}
Return nvmlDeviceGetHandleByIndex_v2(unsigned, Handle* out) {
  *out = reinterpret_cast<Handle>(&place);
  return success;
}
Return nvmlDeviceGetTemperatureV(Handle, Temperature* out) {
  if (out->version != 0x100000CU) return 25;
  out->temperature_C = 44;
  return success;
}
Return nvmlDeviceGetCurrentClocksThrottleReasons(Handle, unsigned long long* out) {
  *out = 0x4;
  return success;
}

}  // extern "C"
