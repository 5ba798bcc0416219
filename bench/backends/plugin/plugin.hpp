// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <busbar/backend.h>

#include "core/backend/backend.hpp"

namespace busbar {

/// A loaded plug-in: its file, for messages, and its table, which has all functions that are not optional and stays
/// valid until the program ends.
class Plugin {
 public:
  /// Throws UsageError if the file cannot be loaded, is no plug-in, or is for another version of the interface.
  static Plugin load(const std::filesystem::path& file);

  /// The table's member, or null if the plug-in was built before there was one.
  template <class Member>
  [[nodiscard]] Member optional(Member busbar_plugin::* member) const {
    const auto* begin = reinterpret_cast<const char*>(table_);
    const auto* end = reinterpret_cast<const char*>(&(table_->*member)) + sizeof(Member);
    return end - begin <= static_cast<std::ptrdiff_t>(table_->size) ? table_->*member : Member{};
  }
  [[nodiscard]] const busbar_plugin& table() const { return *table_; }
  [[nodiscard]] std::string_view library() const { return table_->library; }
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  Plugin(std::string file, const busbar_plugin* table) : file_(std::move(file)), table_(table) {}

  std::string file_;
  const busbar_plugin* table_;
};

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
