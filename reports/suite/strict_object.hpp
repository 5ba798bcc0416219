// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.hpp"

namespace busbar::suite {

/// JSON of a text that people write. Throws UsageError "FILE:LINE: ..." for what is no JSON, and for a key that an
/// object has twice, of which nlohmann's parser alone would keep one.
[[nodiscard]] nlohmann::json parse_strictly(std::string_view text, const std::string& file);

/// An object of such a file: nothing but known keys, each of its type. Every function throws UsageError "FILE: PLACE:
/// what is wrong; what would be accepted", with PLACE as in `steps[2].nodes`.
class StrictObject {
 public:
  /// `file` and `place` are for messages; `place` is empty for the whole file. `json` outlives this.
  StrictObject(const nlohmann::json& json, std::string file, std::string place,
               std::initializer_list<std::string_view> known);

  [[nodiscard]] bool has(std::string_view key) const { return json_.contains(key); }
  /// The value of a key that has to be there.
  [[nodiscard]] const nlohmann::json& at(std::string_view key) const;
  /// Of a key that has to be there; not empty.
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::string text_or(std::string_view key, std::string otherwise) const;
  [[nodiscard]] bool flag_or(std::string_view key, bool otherwise) const;
  /// A whole number from `low` to `high`.
  [[nodiscard]] int count_or(std::string_view key, int otherwise, int low, int high) const;
  [[nodiscard]] std::vector<std::string> texts_or_none(std::string_view key) const;
  [[nodiscard]] std::map<std::string, std::string> names_or_none(std::string_view key) const;

  [[noreturn]] void wrong(std::string_view key, std::string_view what) const;
  [[nodiscard]] std::string place_of(std::string_view key) const;

 private:
  const nlohmann::json& json_;
  std::string file_, place_;
};

/// `value` on one line and not too long, for messages.
[[nodiscard]] std::string shown(const nlohmann::json& value);

}  // namespace busbar::suite
