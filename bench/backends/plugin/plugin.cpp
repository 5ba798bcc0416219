// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/plugin/plugin.hpp"

#include <cstddef>

#include <dlfcn.h>
#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar {
namespace {

/// Bytes of the first version's members that are not optional.
constexpr std::size_t least_size = offsetof(busbar_plugin, wait);

/// Name of the first function that must be there and is not; empty if all are.
std::string_view missing_function(const Plugin& plugin) {
  const busbar_plugin& t = plugin.table();
  if (t.library == nullptr) return "library";
  if (t.calls == nullptr) return "calls";
  if (t.open == nullptr) return "open";
  if (t.close == nullptr) return "close";
  if (t.error_text == nullptr) return "error_text";
  if (t.prepare == nullptr) return "prepare";
  if (t.start == nullptr) return "start";
  const int of_memory =
      (plugin.optional(&busbar_plugin::allocate) != nullptr) + (plugin.optional(&busbar_plugin::release) != nullptr) +
      (plugin.optional(&busbar_plugin::write) != nullptr) + (plugin.optional(&busbar_plugin::read) != nullptr);
  return of_memory % 4 == 0 ? "" : "one of allocate, release, write and read, which belong together";
}

}  // namespace

Plugin Plugin::load(const std::filesystem::path& file) {
  void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw UsageError(fmt::format("cannot be loaded: {}", ::dlerror()));
  const auto entry = reinterpret_cast<const busbar_plugin* (*)()>(::dlsym(handle, "busbar_backend"));
  if (entry == nullptr)
    throw UsageError(fmt::format("{} is no plug-in: it has no function busbar_backend", file.string()));
  const busbar_plugin* const table = entry();
  if (table == nullptr) throw UsageError(fmt::format("{}: busbar_backend() returns no table", file.string()));
  if (table->version != BUSBAR_BACKEND_VERSION)
    throw UsageError(fmt::format("{} was built for version {} of busbar/backend.h; this busbar has version {}",
                                 file.string(), table->version, BUSBAR_BACKEND_VERSION));
  if (table->size < least_size)
    throw UsageError(
        fmt::format("{} says that it is for version {} of busbar/backend.h, but its table has {} bytes "
                    "instead of at least {}: it is of another version",
                    file.string(), table->version, table->size, least_size));
  Plugin plugin(file.string(), table);
  if (const std::string_view missing = missing_function(plugin); !missing.empty())
    throw UsageError(fmt::format("{}: its table lacks {}", file.string(), missing));
  return plugin;
}

}  // namespace busbar
