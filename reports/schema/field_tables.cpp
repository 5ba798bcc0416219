// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/record/field.hpp"
#include "reports/schema/schema_format.hpp"

/// Tables of all keys for readers: docs/record_fields.md.
namespace busbar::schema::markdown {
namespace {

constexpr auto head = R"(# Every key of a record

What stands in each line of a record. [records.md](records.md) says how lines make a record, and what the words in it mean.
`busbar schema --format markdown` writes this page, `--format json-schema` the same for programs ([record.schema.json](record.schema.json)),
`--format python` types for Python.

"or null": not known, or it does not apply. "later": records of earlier versions may lack it.
)";

std::string link(const Part& part) { return fmt::format("[{0}](#{0})", part.name); }

std::string bounds(const Field& field) {
  if (field.least == field.most) return fmt::format(", {}", field.least);
  const bool high = std::isfinite(field.most);
  if (!std::isfinite(field.least)) return ", also negative";
  if (high && field.least_excluded) return fmt::format(", above {} and below {}", field.least, field.most);
  if (high) return fmt::format(", {} to {}", field.least, field.most);
  if (field.least_excluded) return fmt::format(", above {}", field.least);
  return field.least > 0 ? fmt::format(", from {}", field.least) : "";
}

std::string type_text(const Field& field, const ValueType& type) {
  switch (type.kind) {
    case Kind::text:
      return field.literal.empty() ? "text" : fmt::format("`{}`", field.literal);
    case Kind::boolean:
      return "true or false";
    case Kind::integer:
      return "integer" + bounds(field);
    case Kind::number:
      return "number" + bounds(field);
    case Kind::list:
      return "list of " + type_text(field, *type.element);
    case Kind::map:
      return "by name: " + type_text(field, *type.element);
    case Kind::part:
      break;
  }
  return link(type.part());
}

std::string row(const Field& field) {
  std::string meaning(field.meaning);
  if (const auto words = words_of(field); !words.empty())
    meaning += fmt::format(" One of `{}`.", fmt::join(words, "`, `"));
  return fmt::format("| `{}` | {}{}{} | {} |\n", field.key, type_text(field, field.type),
                     field.type.nullable ? " or null" : "", field.added_later ? ", later" : "", meaning);
}

std::string write_all(const std::vector<const Part*>& lines) {
  std::string out = head;
  for (const Part* part : with_parts(lines)) {
    out += fmt::format("\n## {}\n\n{}\n\n| key | type | meaning |\n|---|---|---|\n", part->name, part->meaning);
    for (const Field& field : part->fields) out += row(field);
  }
  return out;
}

}  // namespace
}  // namespace busbar::schema::markdown

namespace busbar {

extern const SchemaFormat field_tables{
    .name = "markdown", .about = "a table a struct (docs/record_fields.md)", .write = schema::markdown::write_all};

}  // namespace busbar
