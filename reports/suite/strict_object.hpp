// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.hpp"

namespace busbar::suite {

/// Parses hand-written JSON. Throws UsageError "FILE:LINE: ..." for invalid JSON, and "FILE: ..." for duplicate keys,
/// which nlohmann's parser would accept.
[[nodiscard]] nlohmann::json parse_strictly(std::string_view text, const std::string& file);

/// An object in such a file that allows only known keys of the right type. Errors are UsageError "FILE: PLACE: problem;
/// accepted values", with PLACE like `steps[2].nodes`.
class StrictObject {
 public:
  /// `file` and `place` are for messages; `place` is empty for the whole file. `json` must outlive this object.
  StrictObject(const nlohmann::json& json, std::string file, std::string place,
               std::initializer_list<std::string_view> known);

  [[nodiscard]] bool has(std::string_view key) const { return json_.contains(key); }
  /// The value of a required key.
  [[nodiscard]] const nlohmann::json& at(std::string_view key) const;
  /// A required, non-empty string.
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::string text_or(std::string_view key, std::string otherwise) const;
  [[nodiscard]] bool flag_or(std::string_view key, bool otherwise) const;
  /// An integer from `low` to `high`.
  [[nodiscard]] int count_or(std::string_view key, int otherwise, int low, int high) const;
  [[nodiscard]] std::vector<std::string> texts_or_none(std::string_view key) const;
  [[nodiscard]] std::map<std::string, std::string> names_or_none(std::string_view key) const;

  [[noreturn]] void wrong(std::string_view key, std::string_view what) const;
  [[nodiscard]] std::string place_of(std::string_view key) const;

 private:
  const nlohmann::json& json_;
  std::string file_, place_;
};

/// `value` on one line, shortened, for messages.
[[nodiscard]] std::string shown(const nlohmann::json& value);

}  // namespace busbar::suite
