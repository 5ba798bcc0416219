// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <charconv>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_words.hpp"
#include "core/record/parts.hpp"

namespace busbar {

/// A struct of a record as JSON text without names of people (core/base/privacy.hpp), byte for byte as nlohmann/json
/// writes it after remove_people(), but without building its document, which takes three times as long. What the user
/// wrote (`argv`, `environment`) and keys with paths need that document: with any of them, the text is not complete().
/// For .cpp files only.
class JsonText {
 public:
  void add(bool value) { text_ += value ? "true" : "false"; }
  void add(double value);
  /// Invalid UTF-8 is replaced, so that no host name or reason can make a record unwritable.
  void add(std::string_view value);
  void add(const std::string& value) { add(std::string_view(value)); }

  template <std::integral T>
    requires(!std::same_as<T, bool>)
  void add(T value) {
    std::array<char, 24> digits{};
    text_.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
  }
  template <HasWords T>
  void add(T value) {
    add(name(value));
  }
  template <HasPart T>
  void add(const T& value) {
    static const std::vector<const Field*> fields = fields_by_key(part_of(&value));
    append_part(*this, fields, &value);
  }
  template <class T>
  void add(const std::optional<T>& value) {
    if (value)
      add(*value);
    else
      text_ += "null";
  }
  template <class T>
  void add(const std::vector<T>& all) {
    text_ += '[';
    for (const T& value : all) {
      if (&value != &all.front()) text_ += ',';
      add(value);
    }
    text_ += ']';
  }
  template <class T>
  void add(const std::map<std::string, T>& all) {
    text_ += '{';
    for (const auto& [key, value] : all) {
      if (text_.back() != '{') text_ += ',';
      add_key(key);
      add(value);
    }
    text_ += '}';
  }

  /// Whose words the texts are: that decides what is removed from them.
  enum class Words { busbars, users_labels, users_commands };

  void begin_object() { text_ += '{'; }
  /// Writes a key of busbar's; its value must follow, then end_member().
  Words begin_member(std::string_view key);
  void end_member(Words outer) { words_ = outer; }
  void end_object() { text_ += '}'; }

  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  void add_key(std::string_view key);
  void add_quoted(std::string_view text);

  std::string text_;
  bool complete_ = true;
  Words words_ = Words::busbars;
};

}  // namespace busbar
