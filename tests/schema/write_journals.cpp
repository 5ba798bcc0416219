// SPDX-License-Identifier: Apache-2.0
// write_journals FULL EMPTY: one journal with every key set, and one with every key empty that can be, made from the
// tables of core/record/fields/. Each record is read and written once on its way: what comes back has to be the same.
#include <cmath>
#include <cstdio>
#include <fstream>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/journal/journal.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/field.hpp"
#include "core/record/launch_record.hpp"
#include "core/record/run_record.hpp"

namespace {

using namespace busbar;
using nlohmann::json;

enum class Filled { all, nothing };

json object_of(const Part& part, Filled filled);

double number_of(const Field& field) {
  if (!std::isfinite(field.least)) return -1;
  return std::isfinite(field.most) ? (field.least + field.most) / 2 : field.least + 1;
}

json text_of(const Field& field) {
  if (!field.literal.empty()) return field.literal;
  if (const auto words = words_of(field); !words.empty()) return words.front();
  return field.form != nullptr ? field.form->example : field.key;
}

json value_of(const Field& field, const ValueType& type, Filled filled) {
  if (filled == Filled::nothing && type.nullable) return nullptr;
  switch (type.kind) {
    case Kind::text:
      return text_of(field);
    case Kind::boolean:
      return true;
    case Kind::integer:
      return static_cast<std::int64_t>(number_of(field));
    case Kind::number:
      return number_of(field);
    case Kind::list:
      if (filled == Filled::nothing && !field.filled && type.element->kind != Kind::part) return json::array();
      return json::array({value_of(field, *type.element, filled)});
    case Kind::map: {
      if (filled == Filled::nothing) return json::object();
      const std::string name(field.keys_form != nullptr ? field.keys_form->example : "a name");
      return {{name, value_of(field, *type.element, filled)}};
    }
    case Kind::part:
      break;
  }
  return object_of(type.part(), filled);
}

json object_of(const Part& part, Filled filled) {
  json object = json::object();
  for (const Field& field : part.fields) object[std::string(field.key)] = value_of(field, field.type, filled);
  return object;
}

/// What follows from other keys is as these say.
void expect_same(const Part& part, const json& given, const json& back) {
  for (const Field& field : part.fields) {
    const std::string key(field.key);
    if (field.read != nullptr && given.at(key) != back.at(key))
      throw Error(fmt::format("{}.{}: {} comes back as {}", part.name, key, given.at(key).dump(), back.at(key).dump()));
  }
}

template <class Record>
std::string line_of(Filled filled) {
  const Part& part = part_of(static_cast<const Record*>(nullptr));
  json given = object_of(part, filled);
  if (given.contains("simulation") && !given["simulation"].is_null()) given["origin"] = "simulated";
  const auto record = given.get<Record>();
  expect_same(part, given, record);
  return to_line(record) + "\n";
}

void write_journal(const char* path, Filled filled) {
  std::ofstream(path) << line_of<LaunchRecord>(filled) << line_of<RunRecord>(filled) << line_of<CaseRecord>(filled)
                      << line_of<EndRecord>(filled);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    write_journal(argv[1], Filled::all);
    write_journal(argv[2], Filled::nothing);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "write_journals: %s\n", e.what());
    return 1;
  }
}
