// SPDX-License-Identifier: Apache-2.0
#include "core/record/field.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"

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

static const Part* part_in(const ValueType& type) {
  if (type.part != nullptr) return &type.part();
  return type.element != nullptr ? part_in(*type.element) : nullptr;
}

static void add_parts(std::vector<const Part*>& all, const Part* part) {
  if (part == nullptr || std::ranges::find(all, part) != all.end()) return;
  all.push_back(part);
  for (const Field& field : part->fields) add_parts(all, part_in(field.type));
}

std::vector<const Part*> with_parts(const std::vector<const Part*>& some) {
  std::vector<const Part*> all;
  for (const Part* part : some) add_parts(all, part);
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

std::vector<const Field*> fields_by_key(const Part& part) {
  std::vector<const Field*> all;
  for (const Field& field : part.fields) all.push_back(&field);
  std::ranges::sort(all, {}, &Field::key);
  return all;
}

void read_part(const nlohmann::json& value, const Part& part, const std::vector<const Field*>& fields, void* owner) {
  static const nlohmann::json::object_t no_members;
  const auto& members = value.is_object() ? value.get_ref<const nlohmann::json::object_t&>() : no_members;
  auto member = members.begin();  // both are sorted: faster than to find each key
  for (const Field* field : fields) {
    while (member != members.end() && member->first < field->key) ++member;
    const bool found = member != members.end() && member->first == field->key;
    if (found && field->read != nullptr) read_field(member->second, *field, owner);
    if (!found && field->needed && field->read != nullptr)
      static_cast<void>(value.at(std::string(field->key)));  // throws and names the key
  }
  if (part.after_reading != nullptr) part.after_reading(owner);
}

}  // namespace busbar
