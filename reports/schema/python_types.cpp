// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "core/record/field.hpp"
#include "reports/schema/schema_format.hpp"

/// Python module of TypedDicts and a record reader: `json.loads` of a line returns one of the types.
namespace busbar::schema::python {
namespace {

constexpr auto head =
    R"("""Types of busbar's records (JSON Lines) for Python 3.11 and later; written by `busbar schema --format python`."""

from __future__ import annotations

import json
from typing import Iterator, Literal, NotRequired, TypedDict

)";

constexpr auto foot = R"(

def read_record(path: str) -> Iterator[Launch | Run | Case | End]:
    """The lines of a record, in the order in which they were written. A last line that is cut off is left out."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.endswith("\n"):
                yield json.loads(line)
)";

/// CamelCase: gpu_telemetry becomes GpuTelemetry.
std::string class_name(const Part& part) {
  std::string name;
  bool begins = true;
  for (const char c : part.name) {
    if (c != '_') name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = c == '_';
  }
  return name;
}

std::string type_text(const Field& field, const ValueType& type) {
  const std::string null = type.nullable ? " | None" : "";
  switch (type.kind) {
    case Kind::text:
      return (field.literal.empty() ? "str" : fmt::format("Literal[\"{}\"]", field.literal)) + null;
    case Kind::boolean:
      return "bool" + null;
    case Kind::integer:
      return "int" + null;
    case Kind::number:
      return "float" + null;
    case Kind::list:
      return fmt::format("list[{}]", type_text(field, *type.element)) + null;
    case Kind::map:
      return fmt::format("dict[str, {}]", type_text(field, *type.element)) + null;
    case Kind::part:
      break;
  }
  return class_name(type.part()) + null;
}

bool is_keyword(std::string_view key) {
  static constexpr std::array<std::string_view, 6> words{"pass", "from", "in", "is", "class", "import"};
  return std::ranges::find(words, key) != words.end();
}

std::string member_type(const Field& field) {
  const std::string type = type_text(field, field.type);
  return field.added_later ? fmt::format("NotRequired[{}]", type) : type;
}

/// Call syntax, for structs with a key that is a Python keyword.
std::string as_call(const Part& part) {
  std::string out =
      fmt::format("\n# {}\n{} = TypedDict(\n    \"{}\",\n    {{\n", part.meaning, class_name(part), class_name(part));
  for (const Field& field : part.fields) out += fmt::format("        \"{}\": \"{}\",\n", field.key, member_type(field));
  return out + "    },\n)\n\n";
}

std::string as_class(const Part& part) {
  std::string out = fmt::format("\nclass {}(TypedDict):\n    \"\"\"{}\"\"\"\n\n", class_name(part), part.meaning);
  for (const Field& field : part.fields) out += fmt::format("    {}: {}\n", field.key, member_type(field));
  return out + "\n";
}

std::string write_all(const std::vector<const Part*>& lines) {
  std::string out = head;
  for (const Part* part : with_parts(lines)) {
    const bool has_keyword = std::ranges::any_of(part->fields, [](const Field& f) { return is_keyword(f.key); });
    out += has_keyword ? as_call(*part) : as_class(*part);
  }
  return out + foot;
}

}  // namespace
}  // namespace busbar::schema::python

namespace busbar {

extern const SchemaFormat python_types{.name = "python",
                                       .about = "types for Python 3.11 and later, and a function that reads records",
                                       .write = schema::python::write_all};

}  // namespace busbar
