// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdlib>

#include <dlfcn.h>
#include <fmt/core.h>

#include "core/files/kernel_files.hpp"
#include "core/nvml/device.hpp"
#include "core/record/telemetry.hpp"
#include "preflight/read/read.hpp"

/// Declarations from the CUDA Driver API: CUDA Toolkit Documentation, CUDA Driver API, modules 6.2 (initialisation) and
/// 6.5 (device management). Creates no context, so it uses no GPU memory.
namespace busbar::preflight {
namespace {

constexpr int attribute_dma_buf = 124;  // CUdevice_attribute

struct Uuid {
  unsigned char bytes[16];
};

class Driver {
 public:
  Driver() : library_(::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {
    find("cuInit", init_);
    find("cuDeviceGetCount", count_);
    find("cuDeviceGet", get_);
    find("cuDeviceGetUuid_v2", uuid_);
    find("cuDeviceGetPCIBusId", bus_);
    find("cuDeviceCanAccessPeer", can_access_);
    find("cuDeviceGetAttribute", attribute_);
    usable_ = complete_ && init_(0) == 0;
  }
  [[nodiscard]] bool usable() const { return usable_; }
  [[nodiscard]] int count() const {
    int n = 0;
    return count_(&n) == 0 ? n : 0;
  }
  [[nodiscard]] std::optional<bool> attribute(int what, int device) const {
    int value = 0;
    if (attribute_(&value, what, device) != 0) return std::nullopt;
    return value != 0;
  }
  [[nodiscard]] bool reaches(int device, int other) const {
    int can = 0;
    return can_access_(&can, device, other) != 0 || can != 0;  // an error does not count as missing access
  }
  [[nodiscard]] int device(int index) const {
    int device = index;
    get_(&device, index);
    return device;
  }
  [[nodiscard]] std::optional<std::string> uuid(int device) const {
    Uuid u{};
    if (uuid_(&u, device) != 0) return std::nullopt;
    std::string text = "GPU-";
    for (std::size_t i = 0; i < 16; ++i)
      text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", u.bytes[i]);
    return text;
  }
  [[nodiscard]] std::optional<std::string> bus(int device) const {
    std::array<char, 32> text{};
    if (bus_(text.data(), static_cast<int>(text.size()), device) != 0) return std::nullopt;
    return text.data();
  }

 private:
  template <class F>
  void find(const char* name, F& function) {
    function = library_ == nullptr ? nullptr : reinterpret_cast<F>(::dlsym(library_, name));
    complete_ = complete_ && function != nullptr;
  }
  void* library_;
  bool complete_ = true, usable_ = false;
  int (*init_)(unsigned) = nullptr;
  int (*count_)(int*) = nullptr;
  int (*get_)(int*, int) = nullptr;
  int (*uuid_)(Uuid*, int) = nullptr;
  int (*bus_)(char*, int, int) = nullptr;
  int (*can_access_)(int*, int, int) = nullptr;
  int (*attribute_)(int*, int, int) = nullptr;
};

/// Index of the rank's GPU among `visible`, chosen as in busbar-bench and most launch scripts.
int own_index(int place, int visible) { return place % visible; }

GpuOfRank by_driver(const Driver& driver, int place) {
  GpuOfRank gpu{.how = "CUDA driver", .visible = driver.count()};
  if (*gpu.visible == 0) {
    gpu.problem = "CUDA reports no GPU for this rank";
    return gpu;
  }
  const int index = own_index(place, *gpu.visible), device = driver.device(index);
  gpu.uuid = driver.uuid(device);
  gpu.bus = driver.bus(device);
  gpu.dma_buf = driver.attribute(attribute_dma_buf, device);
  for (int other = 0; other < *gpu.visible; ++other)
    if (other != index && !driver.reaches(device, driver.device(other))) gpu.no_peer_access.push_back(other);
  return gpu;
}

/// Devices that CUDA_VISIBLE_DEVICES makes visible, by NVML index or UUID; CUDA stops at the first invalid word.
std::vector<nvml::Device> visible_devices(const nvml::Device::Lib& library) {
  std::vector<nvml::Device> all;
  const char* const set = std::getenv("CUDA_VISIBLE_DEVICES");
  if (set == nullptr) {
    for (unsigned i = 0; i < library->devices(); ++i)
      if (auto device = nvml::Device::by_index(library, i)) all.push_back(*device);
    return all;
  }
  for (const std::string_view word : facts::split(set, ',')) {
    const auto number = facts::to_number(facts::trimmed(word));
    const bool known = number && *number >= 0 && *number < library->devices();
    auto device = known     ? nvml::Device::by_index(library, static_cast<unsigned>(*number))
                  : !number ? nvml::Device::by_uuid(library, std::string(facts::trimmed(word)))
                            : std::nullopt;
    if (!device) break;
    all.push_back(*device);
  }
  return all;
}

GpuOfRank by_nvml(const nvml::Device::Lib& library, int place) {
  GpuOfRank gpu{.how = "CUDA_VISIBLE_DEVICES and NVML order"};
  const auto visible = visible_devices(library);
  gpu.visible = static_cast<int>(visible.size());
  if (visible.empty()) {
    gpu.problem = "CUDA_VISIBLE_DEVICES hides all GPUs from this rank";
    return gpu;
  }
  const nvml::Device& own = visible[static_cast<std::size_t>(own_index(place, *gpu.visible))];
  gpu.uuid = own.uuid();
  gpu.bus = own.bus();
  return gpu;
}

void add_state(GpuOfRank& gpu, const nvml::Device& device) {
  const GpuReading now = device.read();
  for (const ClockReason& reason : clock_reasons())
    if (reason.throttles && now.clock_reasons && (*now.clock_reasons & reason.bit) != 0)
      gpu.throttled_by.emplace_back(reason.word);
  gpu.ecc_uncorrected = now.ecc_uncorrected;
}

}  // namespace

GpuOfRank read_gpu(int place) {
  const auto nvml = nvml::Library::open();
  const Driver driver;
  if (!nvml.library && !driver.usable()) return {.problem = nvml.problem};
  GpuOfRank gpu = driver.usable() ? by_driver(driver, place) : by_nvml(nvml.library, place);
  if (!gpu.uuid || !nvml.library) return gpu;
  if (const auto device = nvml::Device::by_uuid(nvml.library, *gpu.uuid)) add_state(gpu, *device);
  return gpu;
}

}  // namespace busbar::preflight
