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
  const Words outer = words_;
  if (is_users_own(key)) words_ = Words::users_labels;
  if (is_users_command(key) && outer == Words::busbars) words_ = Words::users_commands;
  return outer;
}

void append_part(JsonText& text, const std::vector<const Field*>& fields, const void* owner) {
  text.begin_object();
  for (const Field* field : fields) {
    const JsonText::Words outer = text.begin_member(field->key);
    if (field->append != nullptr)
      field->append(text, owner);
    else
      text.add(field->literal);
    text.end_member(outer);
  }
  text.end_object();
}

}  // namespace busbar
