// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/device.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/cuda/check.hpp"
#include "core/machine/host_name.hpp"
#include "core/ranks/thread_group.hpp"

namespace busbar::cuda {
namespace {

std::string uuid_of(const cudaDeviceProp& p) {
  std::string hex;
  for (const char byte : p.uuid.bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return fmt::format("GPU-{}-{}-{}-{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4), hex.substr(16, 4),
                     hex.substr(20));
}

/// Selects the device of this rank, which is number `place` of `ranks` on its host. `of_process`: ranks per process.
Device select_device(int place, int ranks, int of_process, bool share) {
  int driver = 0, count = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
    throw UsageError("no NVIDIA GPU here, or its driver is not loaded");
  if (const cudaError_t code = cudaGetDeviceCount(&count); code != cudaSuccess || count == 0)
    throw UsageError(fmt::format("no NVIDIA GPU can be used here: {}",
                                 code == cudaSuccess ? "none is visible" : cudaGetErrorString(code)));
  // A launcher may make only its own devices visible to each process: then use these.
  const bool own = count == of_process && ranks > count;
  if (of_process > count)
    throw UsageError(fmt::format("--gpus-per-rank {}: this host shows {}", of_process, plural(count, "GPU")));
  if (!share && !own && ranks > count)
    throw UsageError(fmt::format("{} ranks are on this host, which has {}; start one rank a GPU, or give --share-gpu",
                                 ranks, plural(count, "GPU")));
  Device device{.index = place % count};
  check(cudaSetDevice(device.index), "cudaSetDevice");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device.index), "cudaGetDeviceProperties");
  std::array<char, 32> bus{};
  check(cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), device.index), "cudaDeviceGetPCIBusId");
  device.name = properties.name;
  device.uuid = uuid_of(properties);
  device.bus = bus.data();
  device.compute_capability = properties.major * 10 + properties.minor;
  device.multiprocessors = properties.multiProcessorCount;
  device.memory_bytes = properties.totalGlobalMem;
  return device;
}

}  // namespace

Device choose_device(Group& group, bool share, std::optional<LocalPlace> place) {
  const auto hosts = group.all_gather(host_name());
  const auto me = static_cast<std::size_t>(group.rank());
  const auto here = [&](auto end) { return static_cast<int>(std::count(hosts.begin(), end, hosts[me])); };
  const LocalPlace own =
      place.value_or(LocalPlace{.place = here(hosts.begin() + group.rank()), .ranks = here(hosts.end())});
  Device device;
  const int of_process = ranks_of_process(group);
  const Verdict found = agree(group, attempt([&] { device = select_device(own.place, own.ranks, of_process, share); }));
  if (!found.ok()) throw UsageError(found.reason);

  const auto uuids = group.all_gather(device.uuid);
  std::vector<std::string> mapping;
  bool twice = false;
  for (std::size_t r = 0; r < uuids.size(); ++r) {
    mapping.push_back(fmt::format("rank {}: {} {}", r, hosts[r], uuids[r]));
    if (std::ranges::count(uuids, uuids[r]) < 2) continue;
    twice = true;
    device.shared = device.shared || r == me;
  }
  if (twice && !share)
    throw UsageError(fmt::format("two ranks came to the same GPU ({}): start one rank a GPU, or give --share-gpu",
                                 fmt::join(mapping, ", ")));
  return device;
}

}  // namespace busbar::cuda
