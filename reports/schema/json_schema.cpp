// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/core.h>

#include "core/base/build_info.hpp"
#include "core/base/json.hpp"
#include "core/record/field.hpp"
#include "reports/schema/schema_format.hpp"

/// JSON Schema, draft 7. It rejects unknown keys: it tests busbar's own output.
namespace busbar::schema::json {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto about =
    "One line of a busbar journal (JSON Lines): a run record, then a case record for each case, then an end record. A "
    "launch that resumed the run is a second such group behind the first; a case of it takes the place of an earlier "
    "one with the same index. A record of several launches (busbar repeat) has a launch record in front of each. "
    "docs/records.md explains it in words. This schema is what busbar writes; a reader should skip keys that it does "
    "not know.";

std::string_view type_name(Kind kind) {
  switch (kind) {
    case Kind::text:
      return "string";
    case Kind::boolean:
      return "boolean";
    case Kind::integer:
      return "integer";
    case Kind::number:
      return "number";
    case Kind::list:
      return "array";
    case Kind::map:
    case Kind::part:
      break;
  }
  return "object";
}

/// Integers without a decimal point.
Json number(double value) {
  if (value == std::trunc(value)) return static_cast<std::int64_t>(value);
  return value;
}

void add_bounds(Json& schema, const Field& field) {
  if (field.least == field.most) {
    schema["const"] = number(field.least);
    return;
  }
  if (std::isfinite(field.least)) schema[field.least_excluded ? "exclusiveMinimum" : "minimum"] = number(field.least);
  if (std::isfinite(field.most)) schema[field.most_excluded ? "exclusiveMaximum" : "maximum"] = number(field.most);
}

void add_form(Json& schema, const Field& field) {
  if (field.form != nullptr) schema["pattern"] = field.form->pattern;
  if (field.longest > 0) schema["maxLength"] = field.longest;
}

/// Adds the type of a value to `schema`. Bounds and forms apply to the elements of lists and maps.
void add_type(Json& schema, const Field& field, const ValueType& type) {
  if (type.kind == Kind::part) {
    const Json part{{"$ref", fmt::format("#/definitions/{}", type.part().name)}};
    if (type.nullable)
      schema["anyOf"] = Json::array({part, {{"type", "null"}}});
    else if (schema.empty())
      schema = part;
    else
      schema["allOf"] = Json::array({part});  // draft 7 ignores siblings of $ref
    return;
  }
  if (!field.literal.empty()) {
    schema["const"] = field.literal;
    return;
  }
  if (Json words = words_of(field); type.kind == Kind::text && !words.empty()) {
    if (type.nullable) words.push_back(nullptr);
    schema["enum"] = std::move(words);
    return;
  }
  schema["type"] = type.nullable ? Json::array({type_name(type.kind), "null"}) : Json(type_name(type.kind));
  if (type.kind == Kind::integer || type.kind == Kind::number) add_bounds(schema, field);
  if (type.kind == Kind::text) add_form(schema, field);
  if (field.filled && &type == &field.type) schema[type.kind == Kind::list ? "minItems" : "minLength"] = 1;
  if (type.element == nullptr) return;
  if (field.keys_form != nullptr) schema["propertyNames"] = Json{{"pattern", field.keys_form->pattern}};
  add_type(schema[type.kind == Kind::list ? "items" : "additionalProperties"], field, *type.element);
}

Json schema_of(const Field& field) {
  Json schema{{"description", field.meaning}};
  add_type(schema, field, field.type);
  return schema;
}

Json schema_of(const Part& part) {
  Json properties = Json::object(), required = Json::array();
  for (const Field& field : part.fields) {
    properties[std::string(field.key)] = schema_of(field);
    if (!field.added_later) required.push_back(field.key);
  }
  return {{"description", part.meaning},
          {"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

/// Prints on one line what fits in 120 columns.
void print(std::string& out, const Json& value, std::size_t indent, std::size_t before) {
  constexpr std::size_t width = 120;
  const std::string line = value.dump();
  if (!value.is_structured() || value.empty() || before + line.size() < width) {
    out += line;
    return;
  }
  const bool keys = value.is_object();
  out += keys ? '{' : '[';
  std::string_view between = "\n";
  for (const auto& [key, member] : value.items()) {
    out += between;
    const std::string start = std::string(indent + 2, ' ') + (keys ? Json(key).dump() + ": " : "");
    out += start;
    print(out, member, indent + 2, start.size());
    between = ",\n";
  }
  out += "\n" + std::string(indent, ' ') + (keys ? '}' : ']');
}

std::string write_all(const std::vector<const Part*>& lines) {
  Json all{{"$schema", "http://json-schema.org/draft-07/schema#"},
           {"$id", fmt::format("urn:busbar:record:{}", schema_version)},
           {"title", "busbar record"},
           {"description", about},
           {"type", "object"}};
  Json names = Json::array(), which = Json::array(), definitions = Json::object();
  for (const Part* line : lines) {
    names.push_back(line->name);
    which.push_back({{"if", {{"properties", {{"record", {{"const", line->name}}}}}}},
                     {"then", {{"$ref", fmt::format("#/definitions/{}", line->name)}}}});
  }
  for (const Part* part : with_parts(lines)) definitions[std::string(part->name)] = schema_of(*part);
  all["properties"] = {{"record", {{"enum", std::move(names)}}}};
  all["required"] = Json::array({"record"});
  all["allOf"] = std::move(which);
  all["definitions"] = std::move(definitions);
  std::string out;
  print(out, all, 0, 0);
  return out + "\n";
}

}  // namespace
}  // namespace busbar::schema::json

namespace busbar {

extern const SchemaFormat json_schema{
    .name = "json-schema", .about = "JSON Schema, draft 7 (docs/record.schema.json)", .write = schema::json::write_all};

}  // namespace busbar
