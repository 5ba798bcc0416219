// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include <busbar/backend.h>

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

}  // namespace busbar
