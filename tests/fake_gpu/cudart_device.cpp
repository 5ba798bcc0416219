// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>

#include "faults.hpp"
#include "runtime.hpp"

namespace fake_gpu {
namespace {

constexpr int multiprocessors = 16;

int major_version() { return static_cast<int>(setting("FAKE_GPU_SM", 90)) / 10; }
int minor_version() { return static_cast<int>(setting("FAKE_GPU_SM", 90)) % 10; }

void check_device(int device) { require(device >= 0 && device < device_count(), cudaErrorInvalidDevice); }

// Equal for the same device in all processes, so that two ranks on one device are detected.
cudaUUID_t uuid_of(int physical) {
  cudaUUID_t uuid = {};
  constexpr char name[] = "fake GPU device";
  std::memcpy(uuid.bytes, name, 15);
  uuid.bytes[15] = static_cast<char>(physical);
  return uuid;
}

cudaDeviceProp properties_of(int device) {
  cudaDeviceProp p = {};
  std::snprintf(p.name, sizeof p.name, "Fake GPU (host memory)");
  p.uuid = uuid_of(physical_device(device));
  p.totalGlobalMem = device_memory();
  p.sharedMemPerBlock = 48 * 1024;
  p.sharedMemPerBlockOptin = 227 * 1024;
  p.sharedMemPerMultiprocessor = 228 * 1024;
  p.reservedSharedMemPerBlock = 1024;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.maxThreadsPerBlock = 1024;
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  std::ranges::copy(std::initializer_list<int>{1024, 1024, 64}, p.maxThreadsDim);
  std::ranges::copy(std::initializer_list<int>{2147483647, 65535, 65535}, p.maxGridSize);
  p.totalConstMem = 65536;
  p.major = major_version();
  p.minor = minor_version();
  p.multiProcessorCount = multiprocessors;
  p.memoryBusWidth = 64;
  p.l2CacheSize = 1 << 20;
  p.pciBusID = physical_device(device) + 1;
  p.asyncEngineCount = 1;
  p.canMapHostMemory = p.unifiedAddressing = p.concurrentKernels = p.streamPrioritiesSupported = 1;
  return p;
}

// In kHz where it is a rate. Only what properties do not hold is looked up here.
const std::map<cudaDeviceAttr, int>& other_attributes() {
  static const auto* const all = new std::map<cudaDeviceAttr, int>{{cudaDevAttrClockRate, 1000000},
                                                                   {cudaDevAttrMemoryClockRate, 1000000},
                                                                   {cudaDevAttrComputeMode, 0},
                                                                   {cudaDevAttrKernelExecTimeout, 0},
                                                                   {cudaDevAttrMemoryPoolsSupported, 0},
                                                                   {cudaDevAttrCooperativeLaunch, 0},
                                                                   {cudaDevAttrGPUDirectRDMASupported, 0},
                                                                   {cudaDevAttrGpuOverlap, 1}};
  return *all;
}

std::map<cudaDeviceAttr, int> attributes_of(int device) {
  const auto p = properties_of(device);
  return {{cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
          {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
          {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
          {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
          {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
          {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
          {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
          {cudaDevAttrMaxSharedMemoryPerBlock, static_cast<int>(p.sharedMemPerBlock)},
          {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<int>(p.sharedMemPerBlockOptin)},
          {cudaDevAttrMaxSharedMemoryPerMultiprocessor, static_cast<int>(p.sharedMemPerMultiprocessor)},
          {cudaDevAttrTotalConstantMemory, static_cast<int>(p.totalConstMem)},
          {cudaDevAttrWarpSize, p.warpSize},
          {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
          {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
          {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
          {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
          {cudaDevAttrConcurrentKernels, p.concurrentKernels},
          {cudaDevAttrEccEnabled, p.ECCEnabled},
          {cudaDevAttrPciBusId, p.pciBusID},
          {cudaDevAttrPciDeviceId, p.pciDeviceID},
          {cudaDevAttrPciDomainId, p.pciDomainID},
          {cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
          {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
          {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
          {cudaDevAttrL2CacheSize, p.l2CacheSize},
          {cudaDevAttrComputeCapabilityMajor, p.major},
          {cudaDevAttrComputeCapabilityMinor, p.minor},
          {cudaDevAttrStreamPrioritiesSupported, p.streamPrioritiesSupported},
          {cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
          {cudaDevAttrIntegrated, p.integrated}};
}

int attribute_of(int device, cudaDeviceAttr attribute) {
  const auto of_device = attributes_of(device);
  if (const auto found = of_device.find(attribute); found != of_device.end()) return found->second;
  const auto found = other_attributes().find(attribute);
  require(found != other_attributes().end(), cudaErrorInvalidValue);
  return found->second;
}

}  // namespace
}  // namespace fake_gpu

using namespace fake_gpu;

extern "C" {

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return entry([&] {
    require(properties != nullptr);
    check_device(device);
    *properties = properties_of(device);
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return entry([&] {
    require(value != nullptr);
    check_device(device);
    *value = attribute_of(device, attribute);
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
  return entry([&] {
    require(text != nullptr && bytes > 12);
    check_device(device);
    std::snprintf(text, static_cast<std::size_t>(bytes), "0000:%02X:00.0", physical_device(device) + 1);
  });
}

cudaError_t cudaDriverGetVersion(int* version) {
  if (version == nullptr) return remember(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return entry([&] {
    require(can != nullptr);
    check_device(device);
    check_device(peer);
    *can = 0;
  });
}

cudaError_t cudaDeviceReset() {
  return entry([] {});
}
cudaError_t cudaSetDeviceFlags(unsigned int) {
  return entry([] {});
}

}  // extern "C"
