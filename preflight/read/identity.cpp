// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <fmt/core.h>

#include "core/base/build_info.hpp"
#include "core/files/kernel_files.hpp"
#include "core/machine/host_name.hpp"
#include "core/ranks/launcher.hpp"
#include "preflight/read/read.hpp"

namespace busbar::preflight {
namespace {

/// Result of `function(int*)` in library `file`, which is opened as NVML is (core/nvml/abi.hpp), without
/// initialisation and without its headers. The library stays loaded, since NCCL starts threads.
std::optional<int> asked(const char* file, const char* function) {
  void* const library = ::dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  const auto ask = reinterpret_cast<int (*)(int*)>(::dlsym(library, function));
  int number = 0;
  if (ask == nullptr || ask(&number) != 0 || number <= 0) return std::nullopt;
  return number;
}

/// Version of the libnccl.so.2 that the dynamic loader finds: "2.28.9"; empty: none. Source: NCCL API, ncclGetVersion.
/// Its number is major * 10000 + minor * 100 + patch since 2.9, and major * 1000 + ... before.
std::optional<std::string> nccl_version() {
  const auto number = asked("libnccl.so.2", "ncclGetVersion");
  if (!number) return std::nullopt;
  const int major = *number < 10'000 ? 1'000 : 10'000;
  return fmt::format("{}.{}.{}", *number / major, *number % major / 100, *number % 100);
}

/// Newest CUDA version that the driver supports, from libcuda.so.1: "12.4"; empty: no driver. Source: CUDA Driver API,
/// cuDriverGetVersion, 1000 * major + 10 * minor.
std::optional<std::string> cuda_driver_version() {
  const auto number = asked("libcuda.so.1", "cuDriverGetVersion");
  if (!number) return std::nullopt;
  return fmt::format("{}.{}", *number / 1000, *number % 1000 / 10);
}

}  // namespace

Identity read_identity() {
  return {.rank = launch_rank(),
          .host = host_name(),
          .machine = facts::line("/proc/sys/kernel/random/boot_id").value_or(""),
          .network = facts::link_name("/proc/self/ns/net").value_or(""),
          .launched = launch_size(),
          .place_here = local_launch_rank(),
          .world = launch_size().value_or(1),
          .interfaces = facts::entries("/sys/class/net"),
          .environment = read_environment()};
}

Versions read_versions() {
  return {.build = fmt::format("{} ({})", version(), git_revision()),
          .mpi = {},
          .nccl = nccl_version(),
          .cuda = cuda_driver_version()};
}

}  // namespace busbar::preflight
