// SPDX-License-Identifier: Apache-2.0
#include "core/record/field.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar {

std::vector<std::string> words_of(const Field& field) {
  std::vector<std::string> all(field.type.words.begin(), field.type.words.end());
  for (std::string_view rest = field.words; !rest.empty();) {
    const auto end = std::min(rest.find('|'), rest.size());
    all.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return all;
}

void write_part(nlohmann::json& value, const Part& part, const void* owner) {
  value = nlohmann::json::object();
  for (const Field& field : part.fields) {
    auto& member = value[std::string(field.key)];
    if (field.write != nullptr)
      field.write(member, owner);
    else
      member = field.literal;
  }
}

/// Prefixes errors in the value with its key.
static void read_field(const nlohmann::json& value, const Field& field, void* owner) {
  try {
    field.read(value, owner);
  } catch (const Error& e) {
    throw Error(fmt::format("{}: {}", field.key, e.what()));
  }
}

void read_part(const nlohmann::json& value, const Part& part, void* owner) {
  for (const Field& field : part.fields) {
    if (field.read == nullptr) continue;
    if (const auto found = value.find(field.key); found != value.end())
      read_field(*found, field, owner);
    else if (field.needed)
      static_cast<void>(value.at(std::string(field.key)));  // throws and names the key
  }
  if (part.after_reading != nullptr) part.after_reading(owner);
}

}  // namespace busbar
