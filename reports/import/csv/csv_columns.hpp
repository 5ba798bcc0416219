// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/import/csv/csv_reader.hpp"
#include "reports/import/text_lines.hpp"

/// Columns allowed in a table of published figures, and the cells of a row by column name.
namespace busbar {

enum class CsvKind {
  word,     ///< without blanks: fp32, nccl
  text,     ///< anything
  count,    ///< a whole number from 0
  size,     ///< bytes, or 64K: powers of 1024
  truth,    ///< true, false, yes, no
  figure,   ///< a number above 0
  ignored,  ///< follows from other columns
};

/// A known column. Several headers may map to one name, in different units.
struct CsvField {
  std::string_view header, name;
  CsvKind kind = CsvKind::word;
  double unit = 1;  ///< factor to the base unit of a figure
};

struct CsvColumn {
  std::string header;
  const CsvField* field = nullptr;  ///< null: a label
};

/// Content of the table.
enum class CsvSubject { collectives, trainings };

struct CsvColumns {
  CsvSubject subject = CsvSubject::collectives;
  std::vector<CsvColumn> columns;
  std::string sample = "sample";  ///< unit counted by a rate: image, sample, sequence
  [[nodiscard]] bool has(std::string_view name) const;
};

/// True for a header row that read_csv_columns() can parse or give a specific error for.
[[nodiscard]] bool is_csv_header(const CsvRow&);

/// Throws UsageError, naming `source` and the column, for repeated columns, figures in unknown units and missing
/// columns.
[[nodiscard]] CsvColumns read_csv_columns(std::string_view source, const CsvRow& header);

/// The non-empty cells of a row.
struct CsvValues {
  int line = 0;
  std::map<std::string_view, std::string> words;     ///< kinds word and text
  std::map<std::string_view, std::uint64_t> counts;  ///< kinds count and size
  std::map<std::string_view, bool> truths;
  std::map<std::string_view, Rounded> figures;  ///< in seconds, GB/s and samples per second
  std::map<std::string, std::string> labels;    ///< including empty ones

  [[nodiscard]] std::optional<std::string> word(std::string_view name) const { return find(words, name); }
  [[nodiscard]] std::optional<int> count(std::string_view name) const {
    const auto n = find(counts, name);
    return n ? std::optional(static_cast<int>(*n)) : std::nullopt;
  }
  [[nodiscard]] std::optional<Rounded> figure(std::string_view name) const { return find(figures, name); }

  template <class T>
  [[nodiscard]] static std::optional<T> find(const std::map<std::string_view, T>& cells, std::string_view name) {
    const auto at = cells.find(name);
    return at == cells.end() ? std::nullopt : std::optional(at->second);
  }
};

/// Throws Error, naming the column, if a cell does not have its column's kind, or if the row has more or fewer cells
/// than the header.
[[nodiscard]] CsvValues read_csv_values(const CsvColumns&, const CsvRow&);

/// Only the labels; accepts rows of any length.
[[nodiscard]] std::map<std::string, std::string> csv_labels(const CsvColumns&, const CsvRow&);

}  // namespace busbar
