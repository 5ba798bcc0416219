// SPDX-License-Identifier: Apache-2.0
#include "preflight/read/libraries.hpp"

#include <dlfcn.h>
#include <fmt/core.h>

namespace busbar::preflight {
namespace {

/// Result of `function(int*)` in library `file`. The library stays loaded, since NCCL starts threads.
std::optional<int> asked(const char* file, const char* function) {
  void* const library = ::dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  const auto ask = reinterpret_cast<int (*)(int*)>(::dlsym(library, function));
  int number = 0;
  if (ask == nullptr || ask(&number) != 0 || number <= 0) return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::string> nccl_version() {
  const auto number = asked("libnccl.so.2", "ncclGetVersion");
  if (!number) return std::nullopt;
  const int major = *number < 10'000 ? 1'000 : 10'000;
  return fmt::format("{}.{}.{}", *number / major, *number % major / 100, *number % 100);
}

std::optional<std::string> cuda_driver_version() {
  const auto number = asked("libcuda.so.1", "cuDriverGetVersion");
  if (!number) return std::nullopt;
  return fmt::format("{}.{}", *number / 1000, *number % 1000 / 10);
}

}  // namespace busbar::preflight
