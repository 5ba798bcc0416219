// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.hpp"

/// JSON from programs that print it by hand: bare inf and nan, and truncated files. Include only in .cpp files.
namespace busbar {

struct LenientJson {
  nlohmann::json value;            ///< the complete parts; null if there are none
  std::optional<std::string> cut;  ///< why the value is incomplete, for messages: "it ends in the middle of line 1"
  std::size_t not_numbers = 0;     ///< number of bare inf and nan, replaced by null
};

/// Reads one value. Keeps everything before a truncation or error. Containers open at that point are closed if at most
/// `keep_depth` deep (1: the outermost), and dropped if deeper, as they are incomplete. A scalar at the very end of the
/// text is dropped too: it may be truncated. Nesting deeper than 32 and more than 50 million values count as errors.
/// Throws only if memory runs out.
[[nodiscard]] LenientJson parse_lenient(std::string_view text, std::size_t keep_depth);

/// Members of an untrusted object: empty if a key is missing or its value has another type. Anything but an object has
/// no members.
class Members {
 public:
  explicit Members(const nlohmann::json& object) : object_(object) {}

  [[nodiscard]] const nlohmann::json* find(const char* key) const;
  [[nodiscard]] const nlohmann::json* list(const char* key) const;    ///< an array
  [[nodiscard]] const nlohmann::json* object(const char* key) const;  ///< an object
  [[nodiscard]] std::optional<std::string> text(const char* key) const;
  /// A finite number that is 0 or more.
  [[nodiscard]] std::optional<double> amount(const char* key) const;
  /// An integer that is 0 or more, also if written with decimals.
  [[nodiscard]] std::optional<std::uint64_t> count(const char* key) const;
  [[nodiscard]] std::optional<int> small_count(const char* key) const;
  /// true or false, or these as strings.
  [[nodiscard]] std::optional<bool> truth(const char* key) const;

 private:
  const nlohmann::json& object_;
};

/// A JSON value as in Members::amount().
[[nodiscard]] std::optional<double> amount_of(const nlohmann::json&);

/// The text from its first character on that is no blank.
[[nodiscard]] std::string_view without_blanks(std::string_view text);

/// The first key of a JSON object, which identifies the tool that wrote it; empty for any other text.
[[nodiscard]] std::string_view first_json_key(std::string_view text);

}  // namespace busbar
