// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include <gmock/gmock.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/record/fields/member_field.hpp"
#include "reports/schema/schema_format.hpp"
#include "tests/unit/catch_error.hpp"

namespace busbar::test {
namespace {

using busbar::from_json, busbar::to_json;  // where nlohmann/json looks for those of the structs below
using ::testing::HasSubstr;

enum class Colour { red, green };
constexpr auto words_of(Colour) { return std::to_array<std::string_view>({"red", "green"}); }

struct Leaf {
  std::string name;
  std::optional<int> size;
};

struct Line {
  std::string id;
  Colour colour = Colour::red;
  std::vector<Leaf> leaves;
  std::map<std::string, double> weights;
  std::optional<double> added_s;
};

std::size_t count_of(const Line& line) { return line.leaves.size(); }

constexpr Field leaf_fields[] = {
    field<&Leaf::name>("name", "Of the leaf.").must_be_there(),
    field<&Leaf::size>("size", "In whole steps.").at_least(1),
};
constexpr Part leaf_part{"leaf", "Of a line.", leaf_fields};
const Part& part_of(const Leaf* /*type*/) { return leaf_part; }

constexpr Field line_fields[] = {
    constant("record", "line", "Which record this is."),
    field<&Line::id>("id", "Its own.").not_empty().must_be_there(),
    field<&Line::colour>("colour", "Of the line."),
    field<&Line::leaves>("leaves", "In order."),
    derived<Line, count_of>("count", "How many leaves."),
    field<&Line::weights>("weights", "By name."),
    field<&Line::added_s>("added_s", "A key that was added.").later(),
};
constexpr Part line_part{"line", "A line of this test.", line_fields};
const Part& part_of(const Line* /*type*/) { return line_part; }

std::string written(std::string_view format) { return try_find<SchemaFormat>(format)->write({&line_part}); }

TEST(RecordFields, AreReadBack) {
  const Line line{.id = "x",
                  .colour = Colour::green,
                  .leaves = {{.name = "a", .size = 2}},
                  .weights = {{"w", 0.5}},
                  .added_s = 1.5};
  nlohmann::json j;
  busbar::to_json(j, line);
  EXPECT_EQ(j, (nlohmann::json{{"record", "line"},
                               {"id", "x"},
                               {"colour", "green"},
                               {"leaves", {{{"name", "a"}, {"size", 2}}}},
                               {"count", 1},
                               {"weights", {{"w", 0.5}}},
                               {"added_s", 1.5}}));
  Line back;
  busbar::from_json(j, back);
  nlohmann::json again;
  busbar::to_json(again, back);
  EXPECT_EQ(again, j);
}

TEST(RecordFields, KeepTheirValueIfMissing) {
  Line line{.colour = Colour::green, .added_s = 1};
  busbar::from_json(nlohmann::json{{"id", "x"}}, line);
  EXPECT_EQ(line.colour, Colour::green);
  EXPECT_EQ(line.added_s, 1);
  EXPECT_THROW(busbar::from_json(nlohmann::json::object(), line), nlohmann::json::out_of_range);
}

TEST(RecordFields, NameTheKeyOfAnUnknownWord) {
  Line line;
  EXPECT_EQ(catch_error<Error>([&] { busbar::from_json(nlohmann::json{{"id", "x"}, {"colour", "blue"}}, line); }),
            "colour: unknown word 'blue'; known: red, green");
}

TEST(RecordFields, PutAnAddedKeyIntoSchemaTablesAndTypes) {
  const auto schema = nlohmann::json::parse(written("json-schema"))["definitions"]["line"];
  EXPECT_EQ(schema["properties"]["added_s"], nlohmann::json::parse(R"({"description": "A key that was added.",
      "type": ["number", "null"], "minimum": 0})"));
  EXPECT_EQ(schema["required"], (nlohmann::json{"record", "id", "colour", "leaves", "count", "weights"}));
  EXPECT_THAT(written("markdown"), HasSubstr("| `added_s` | number or null, later | A key that was added. |\n"));
  EXPECT_THAT(written("python"), HasSubstr("    added_s: NotRequired[float | None]\n"));
}

TEST(RecordFields, GiveANestedStructItsOwnTable) {
  const auto definitions = nlohmann::json::parse(written("json-schema"))["definitions"];
  EXPECT_EQ(definitions["line"]["properties"]["leaves"]["items"]["$ref"], "#/definitions/leaf");
  EXPECT_EQ(definitions["leaf"]["properties"]["size"]["minimum"], 1);
  EXPECT_THAT(written("markdown"), HasSubstr("| `leaves` | list of [leaf](#leaf) | In order. |\n"));
  EXPECT_THAT(written("python"), HasSubstr("    leaves: list[Leaf]\n"));
}

TEST(RecordFields, DescribeEachKeyOnce) {
  std::set<std::string_view> names;
  for (const Part* part : with_parts(schema::lines())) {
    EXPECT_TRUE(names.insert(part->name).second) << part->name << " stands twice";
    std::set<std::string_view> keys;
    for (const Field& field : part->fields) {
      EXPECT_TRUE(keys.insert(field.key).second) << part->name << "." << field.key << " stands twice";
      EXPECT_TRUE(field.meaning.ends_with('.')) << part->name << "." << field.key << ": " << field.meaning;
    }
  }
}

/// Spreadsheets go by the places of columns: none is given twice, none is left out.
TEST(RecordFields, NumberColumnsOfCsvConsecutively) {
  std::map<int, std::string_view> columns;
  for (const Part* part : with_parts(schema::lines()))
    for (const Field& field : part->fields)
      for (const Column& column : field.columns)
        if (column.place > 0) {
          EXPECT_TRUE(columns.emplace(column.place, column.name).second) << column.name << " has the place of another";
        }
  ASSERT_FALSE(columns.empty());
  EXPECT_EQ(columns.begin()->first, 1);
  EXPECT_EQ(columns.rbegin()->first, static_cast<int>(columns.size()));
}

}  // namespace
}  // namespace busbar::test
