// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/json.hpp"
#include "core/record/field.hpp"
#include "reports/schema/schema_format.hpp"

/// JSON list of the single values of a record, for readers that make tables of records (python/busbar): those with a
/// CSV column first, in the order and with the names of that file. All others are named by the path of their keys. Rows
/// of a case's lists follow: each is a table of its own.
namespace busbar::schema::columns {
namespace {

using Json = nlohmann::ordered_json;

struct Leaf {
  std::string name;
  std::string_view line;  ///< type of the record line, or name of the struct of a list
  std::vector<std::string> path;
  const Field* field;
  std::string_view type;
  std::string meaning;
  bool needed;    ///< a line without it is damaged
  int place = 0;  ///< in CSV; 0: none
};

/// Parts to walk through from a line to a leaf.
struct Walk {
  std::string_view line;
  std::vector<std::string> path;
  bool needed = true;
  const Field* interval = nullptr;  ///< field that holds the interval that is walked through
};

/// Structs in lists of a case that tables are made of.
constexpr std::array<std::string_view, 2> rows_of_cases{"round", "rank_summary"};

bool is_row(std::string_view name) { return std::ranges::find(rows_of_cases, name) != rows_of_cases.end(); }

/// Empty if the value is not a single cell of a table: a list of structs, of numbers or of lists.
std::string_view type_name(const Field& field) {
  switch (field.type.kind) {
    case Kind::text:
      return "text";
    case Kind::boolean:
      return "boolean";
    case Kind::integer:
      return "integer";
    case Kind::number:
      return "number";
    case Kind::map:
      return "map";
    case Kind::list:
      if (field.columns[0].place > 0) return "length";
      return field.type.element->kind == Kind::text ? "texts" : "";
    case Kind::part:
      break;
  }
  return "";
}

/// The column of `key` of an interval, or of a field itself; nullptr if it has none.
const Column* column_of(const Field& owner, std::string_view key) {
  const auto found =
      std::ranges::find_if(owner.columns, [&](const Column& c) { return c.place > 0 && c.member == key; });
  return found == owner.columns.end() ? nullptr : found;
}

std::string path_name(const Walk& walk) {
  const std::string keys = fmt::format("{}", fmt::join(walk.path, "."));
  return walk.line == "case" || is_row(walk.line) ? keys : fmt::format("{}.{}", walk.line, keys);
}

Leaf make_leaf(const Field& field, const Walk& walk) {
  const Column* column = walk.interval ? column_of(*walk.interval, field.key) : column_of(field, "");
  const std::string of = walk.interval ? std::string(walk.interval->meaning) + " " : "";
  return {.name = column ? std::string(column->name) : path_name(walk),
          .line = walk.line,
          .path = walk.path,
          .field = &field,
          .type = type_name(field),
          .meaning = of + std::string(field.meaning),
          .needed = walk.needed,
          .place = column ? column->place : 0};
}

void add_leaves(std::vector<Leaf>& all, const Part& part, const Walk& above) {
  for (const Field& field : part.fields) {
    if (!field.literal.empty()) continue;
    Walk walk = above;
    walk.path.emplace_back(field.key);
    walk.needed = above.needed && field.needed;
    if (field.type.kind == Kind::part) {
      if (field.type.part().name == "interval") walk.interval = &field;
      add_leaves(all, field.type.part(), walk);
    } else if (!type_name(field).empty()) {
      all.push_back(make_leaf(field, walk));
    }
  }
}

std::string line_of(const Leaf& leaf) {
  Json out{{"name", leaf.name}, {"line", leaf.line}, {"path", leaf.path}, {"type", leaf.type}};
  if (leaf.needed) out["needed"] = true;
  if (const auto words = words_of(*leaf.field); !words.empty()) out["words"] = words;
  if (leaf.place > 0) out["csv"] = leaf.place;
  out["meaning"] = leaf.meaning;
  return out.dump();
}

std::string write_all(const std::vector<const Part*>& lines) {
  std::vector<Leaf> all;
  for (const Part* part : lines) add_leaves(all, *part, {.line = part->name, .path = {}});
  for (const Part* part : with_parts(lines))
    if (is_row(part->name)) add_leaves(all, *part, {.line = part->name, .path = {}});
  const auto order = [](const Leaf& leaf) { return leaf.place > 0 ? leaf.place : std::numeric_limits<int>::max(); };
  std::ranges::stable_sort(all, {}, order);
  std::vector<std::string> rows;
  for (const Leaf& leaf : all) rows.push_back(line_of(leaf));
  return fmt::format("[\n{}\n]\n", fmt::join(rows, ",\n"));
}

}  // namespace
}  // namespace busbar::schema::columns

namespace busbar {

extern const SchemaFormat column_list{.name = "columns",
                                      .about = "the single values of a record, as columns of a table (JSON)",
                                      .write = schema::columns::write_all};

}  // namespace busbar
