// SPDX-License-Identifier: Apache-2.0
#include "core/record/json_text.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/json.hpp"
#include "core/base/privacy.hpp"
#include "core/record/field.hpp"

namespace busbar {

void JsonText::add(double value) {
  std::array<char, 64> digits{};
  if (std::isfinite(value))
    text_.append(digits.data(), nlohmann::detail::to_chars(digits.data(), digits.data() + digits.size(), value));
  else
    text_ += "null";
}

void JsonText::add(std::string_view value) {
  if (words_ == Words::users_commands) complete_ = false;
  if (words_ == Words::busbars && may_name_people(value))
    add_quoted(without_secrets(without_people(value, this_person())));
  else
    add_quoted(value);
}

void JsonText::add_quoted(std::string_view text) {
  const auto needs_escape = [](char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; };
  if (std::ranges::any_of(text, needs_escape)) {
    text_ += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return;
  }
  text_ += '"';
  text_ += text;
  text_ += '"';
}

void JsonText::add_key(std::string_view key) {
  if (words_ == Words::busbars && may_name_people(key)) complete_ = false;
  add_quoted(key);
  text_ += ':';
}

JsonText::Words JsonText::begin_member(std::string_view key) {
  if (text_.back() != '{') text_ += ',';
  text_ += '"';
  text_ += key;
  text_ += "\":";
  if (is_users_own(key)) return Words::users_labels;
  return is_users_command(key) && words_ == Words::busbars ? Words::users_commands : words_;
}

void JsonText::add_members(const std::vector<const Field*>& fields, const void* owner) {
  const Words outer = words_;
  text_ += '{';
  for (const Field* field : fields) {
    words_ = begin_member(field->key);
    if (field->append != nullptr)
      field->append(*this, owner);
    else
      add(field->literal);
    words_ = outer;
  }
  text_ += '}';
}

}  // namespace busbar
