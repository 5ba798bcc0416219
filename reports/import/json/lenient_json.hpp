// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.hpp"

/// JSON as programs leave it that print it by hand: numbers that are none, and files that were cut off. For .cpp files
/// only.
namespace busbar {

struct LenientJson {
  nlohmann::json value;            ///< what is whole; null where nothing is
  std::optional<std::string> cut;  ///< why it is not all, fit to be quoted: "it ends in the middle of line 1"
  std::size_t not_numbers = 0;     ///< bare inf and nan, which became null
};

/// Reads one value. Of a text that is cut off or damaged, everything before that is kept: containers that are open
/// there are closed if they lie at most `keep_depth` deep (1: the outermost), and left out if they lie deeper, because
/// they are not whole. A value of a key or a list that the text ends in is left out too: it may be half of a number.
/// Nesting deeper than 32 and more than 50 million values count as damage. Never throws but for lack of memory.
[[nodiscard]] LenientJson parse_lenient(std::string_view text, std::size_t keep_depth);

/// The members of an object as a reader of untrusted input wants them: empty where a key is missing or its value is of
/// another kind. Anything but an object has no members.
class Members {
 public:
  explicit Members(const nlohmann::json& object) : object_(object) {}

  [[nodiscard]] const nlohmann::json* find(const char* key) const;
  [[nodiscard]] const nlohmann::json* list(const char* key) const;    ///< an array
  [[nodiscard]] const nlohmann::json* object(const char* key) const;  ///< an object
  [[nodiscard]] std::optional<std::string> text(const char* key) const;
  /// A finite number that is 0 or more.
  [[nodiscard]] std::optional<double> amount(const char* key) const;
  /// A whole number that is 0 or more; also one that is written with decimals.
  [[nodiscard]] std::optional<std::uint64_t> count(const char* key) const;
  [[nodiscard]] std::optional<int> small_count(const char* key) const;
  /// true, false, or these as words.
  [[nodiscard]] std::optional<bool> truth(const char* key) const;

 private:
  const nlohmann::json& object_;
};

/// The amount that a value holds, as Members::amount().
[[nodiscard]] std::optional<double> amount_of(const nlohmann::json&);

/// The first key of a text that is a JSON object, which tells whose output it is; empty for any other text.
[[nodiscard]] std::string_view first_json_key(std::string_view text);

}  // namespace busbar
