// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reports/import/csv/csv_reader.hpp"
#include "reports/import/text_lines.hpp"

/// Which columns a table of published figures may have, and the cells of its rows by their names.
namespace busbar {

enum class CsvKind {
  word,     ///< without blanks: fp32, nccl
  text,     ///< anything
  count,    ///< a whole number from 0
  size,     ///< bytes, or 64K: powers of 1024
  truth,    ///< true, false, yes, no
  figure,   ///< a number above 0
  ignored,  ///< follows from the others
};

/// A column that has a meaning. Several headers may stand for one name, in different units.
struct CsvField {
  std::string_view header, name;
  CsvKind kind = CsvKind::word;
  double unit = 1;  ///< what a figure is multiplied by
};

struct CsvColumn {
  std::string header;
  const CsvField* field = nullptr;  ///< null: a label
};

/// What the table is of.
enum class CsvSubject { collectives, trainings };

struct CsvColumns {
  CsvSubject subject = CsvSubject::collectives;
  std::vector<CsvColumn> columns;
  std::string sample = "sample";  ///< what a rate counts: image, sample, sequence
  [[nodiscard]] bool has(std::string_view name) const;
};

/// True for the first row of a table that read_csv_columns() reads, or says what is wrong with.
[[nodiscard]] bool is_csv_header(const CsvRow&);

/// Throws UsageError, naming `source` and the column, for one that stands twice, a figure in a unit that is not known,
/// and where columns are missing.
[[nodiscard]] CsvColumns read_csv_columns(std::string_view source, const CsvRow& header);

/// The cells of a row that are not empty.
struct CsvValues {
  int line = 0;
  std::map<std::string_view, std::string> words;     ///< of kinds word and text
  std::map<std::string_view, std::uint64_t> counts;  ///< of kinds count and size
  std::map<std::string_view, bool> truths;
  std::map<std::string_view, Rounded> figures;  ///< in SI units: seconds, but GB/s
  std::map<std::string, std::string> labels;    ///< empty ones too

  [[nodiscard]] const std::string* word(std::string_view name) const;
  [[nodiscard]] std::optional<int> count(std::string_view name) const;
  [[nodiscard]] std::optional<Rounded> figure(std::string_view name) const;
};

/// Throws Error, which names the column, where a cell is not what its column holds, or the row has more or fewer cells
/// than the header.
[[nodiscard]] CsvValues read_csv_values(const CsvColumns&, const CsvRow&);

/// The labels alone, of however odd a row.
[[nodiscard]] std::map<std::string, std::string> csv_labels(const CsvColumns&, const CsvRow&);

}  // namespace busbar
