// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/plugin/plugin.hpp"

#include <cstddef>
#include <cstring>

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

PluginContext::PluginContext(const Plugin& plugin, Group& group, const BackendOptions& options)
    : plugin_(plugin), group_(group), texts_(options) {
  for (const auto& [key, value] : texts_.plugin_options)
    options_.push_back({.key = key.c_str(), .value = value.c_str()});
  const LocalPlace local = options.place.value_or(LocalPlace{});
  job_ = {.size = sizeof(busbar_job),
          .rank = group.rank(),
          .ranks = group.size(),
          .local_rank = local.place,
          .local_ranks = local.ranks,
          .memory = texts_.memory ? texts_.memory->c_str() : nullptr,
          .timeout_s = options.timeout_s,
          .options = options_.data(),
          .number_of_options = options_.size(),
          .exchange = exchange,
          .channel = this};
  const int code = plugin_.table().open(&job_, &handle_);
  if (code == BUSBAR_UNSUPPORTED)
    throw UsageError(
        fmt::format("{} cannot run here: {}", plugin_.library(), plugin_.table().error_text(handle_, code)));
  check(code, "open");
}

PluginContext::~PluginContext() { plugin_.table().close(handle_); }

void PluginContext::check(int code, std::string_view name) const {
  if (code == 0) return;
  if (failed_) std::rethrow_exception(failed_);
  const char* text = plugin_.table().error_text(handle_, code);
  throw Error(
      fmt::format("{}: {}: {} (code {})", plugin_.library(), name, text == nullptr ? "no reason given" : text, code));
}

std::string PluginContext::fact(const char* name) const {
  const auto told = plugin_.optional(&busbar_plugin::fact);
  const char* text = told == nullptr ? nullptr : told(handle_, name);
  return text == nullptr ? "" : text;
}

int PluginContext::exchange(void* self, const void* mine, std::size_t bytes, void* all) noexcept {
  auto& context = *static_cast<PluginContext*>(self);
  try {
    const auto texts = context.group_.all_gather(std::string(static_cast<const char*>(mine), bytes));
    auto* to = static_cast<char*>(all);
    for (const std::string& text : texts) {
      if (text.size() != bytes)
        throw Error(fmt::format("{}: ranks exchange {} and {} bytes", context.plugin_.library(), bytes, text.size()));
      std::memcpy(to, text.data(), bytes);
      to += bytes;
    }
    return 0;
  } catch (...) {
    context.failed_ = std::current_exception();
    return 1;
  }
}

}  // namespace busbar
