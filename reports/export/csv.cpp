// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/json.hpp"
#include "core/grades/grade.hpp"
#include "core/record/field.hpp"
#include "core/record/run.hpp"
#include "reports/export/exporter.hpp"
#include "reports/text/escape.hpp"

/// CSV with one row per case: the keys of core/record/fields/ that have a column, with units in the names, and the
/// grade. Quoted as in
/// RFC 4180 but with "\n" line ends; cells are empty for unknown or inapplicable values.
namespace busbar {
namespace {

/// Cells of a row; the index is Column::place - 1.
using Row = std::vector<std::string>;

std::string pairs(const nlohmann::json& map) {
  std::string all;
  for (const auto& [key, value] : map.items())
    all += fmt::format("{}{}={}", all.empty() ? "" : " ", key, value.get_ref<const std::string&>());
  return all;
}

std::string cell(const nlohmann::json& value) {
  if (value.is_string()) return report::escape_csv(value.get<std::string>());
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  if (value.is_object()) return report::escape_csv(pairs(value));
  if (value.is_array()) return value.empty() ? "" : std::to_string(value.size());
  return value.is_null() ? "" : value.dump();
}

void put(Row& row, const Column& column, std::string text) {
  const auto place = static_cast<std::size_t>(column.place);
  row.resize(std::max(row.size(), place));
  row[place - 1] = std::move(text);
}

void put_all(Row& row, const Field& field, const nlohmann::json& value) {
  for (const Column& column : field.columns) {
    if (column.place == 0) break;
    const bool of_member = !column.member.empty() && !value.is_null();
    put(row, column, cell(of_member ? value.at(std::string(column.member)) : value));
  }
}

/// Writes the cells of a struct. `object`: null if the record has none.
void put_part(Row& row, const Part& part, const nlohmann::json& object) {
  for (const Field& field : part.fields) {
    const nlohmann::json& value = object.is_null() ? object : object.at(std::string(field.key));
    put_all(row, field, value);
    if (field.type.kind == Kind::part) put_part(row, field.type.part(), value);
  }
}

/// Like put_part(), but converts only fields with a column to JSON: samples are long.
template <class T>
void put_record(Row& row, const T& record) {
  for (const Field& field : part_of(&record).fields) {
    const bool is_part = field.type.kind == Kind::part;
    if (!is_part && field.columns[0].place == 0) continue;
    nlohmann::json value;
    field.write(value, &record);
    put_all(row, field, value);
    if (is_part) put_part(row, field.type.part(), value);
  }
}

void put_names(Row& row, const Part& part) {
  for (const Field& field : part.fields) {
    for (const Column& column : field.columns)
      if (column.place > 0) put(row, column, std::string(column.name));
    if (field.type.kind == Kind::part) put_names(row, field.type.part());
  }
}

/// "contention; width": naive readers split at commas, even quoted ones.
std::string with_semicolons(std::string doubts) {
  std::ranges::replace(doubts, ',', ';');
  return doubts;
}

std::string line_of(const Row& row) { return fmt::format("{}\n", fmt::join(row, ",")); }

std::string write_csv(const Run& run, const ExportOptions&) {
  Row names, head;
  put_names(names, part_of(&run.head));
  put_names(names, part_of(static_cast<const CaseRecord*>(nullptr)));
  put_record(head, run.head);
  const std::size_t fields = names.size();
  names.insert(names.end(), {"grade", "doubts"});
  std::string all = line_of(names);
  const Grader grader(run);
  for (const CaseRecord& c : run.cases) {
    Row row = head;
    put_record(row, c);
    row.resize(fields);
    const auto graded = grader.grade_case(c);
    row.push_back(graded ? text_of(graded->grade) : "");
    row.push_back(graded ? with_semicolons(graded->doubts()) : "");
    all += line_of(row);
  }
  return all;
}

}  // namespace

extern const Exporter csv{
    .name = "csv",
    .about = "one row a case, for spreadsheets and data frames",
    .write = write_csv,
};

}  // namespace busbar
