// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/plugin/context.hpp"

#include <cstring>

#include <fmt/core.h>

namespace busbar {

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
