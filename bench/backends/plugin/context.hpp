// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "bench/backends/plugin/plugin.hpp"
#include "core/backend/backend.hpp"

namespace busbar {

/// A plug-in's state for the ranks of a group.
class PluginContext {
 public:
  /// Collective over the group, which must outlive the context. Throws Error if the plug-in fails, UsageError if it
  /// refuses the options.
  PluginContext(const Plugin&, Group&, const BackendOptions&);
  ~PluginContext();
  PluginContext(const PluginContext&) = delete;
  PluginContext& operator=(const PluginContext&) = delete;

  [[nodiscard]] const Plugin& plugin() const { return plugin_; }
  [[nodiscard]] void* handle() const { return handle_; }

  /// Throws Error with the plug-in's text if `code`, the result of its function `name`, is not 0.
  void check(int code, std::string_view name) const;
  /// The plug-in's fact; empty if it tells none.
  [[nodiscard]] std::string fact(const char* name) const;

 private:
  /// busbar_job::exchange.
  static int exchange(void* self, const void* mine, std::size_t bytes, void* all) noexcept;

  const Plugin plugin_;
  Group& group_;
  std::exception_ptr failed_;  ///< what an exchange threw
  std::vector<busbar_option> options_;
  const BackendOptions texts_;  ///< options_ and job_ point to its texts
  busbar_job job_{};
  void* handle_ = nullptr;
};

}  // namespace busbar
