// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/case_record.hpp"
#include "reports/import/row_places.hpp"
#include "reports/import/text_lines.hpp"

/// The table of nccl-tests, parsed by header names and halves, not by counting words.
namespace busbar {

struct NcclColumn {
  std::string name;     ///< size, count, type, redop, root, time, algbw, busbw, wrong, error, i_min, ...
  int half = -1;        ///< 0 or 1 for columns of the left and right half, -1 for columns before both
  std::size_t end = 0;  ///< end of the name in the header line; values are right-aligned to it
};

/// Parsed header of a table.
struct NcclColumns {
  std::vector<NcclColumn> columns;  ///< without the timestamp column
  int halves = 0;                   ///< 1 or 2
  std::vector<bool> in_place = {};  ///< for each half
  bool cpu_time = false;            ///< time is CPU time (-C 1)
  bool per_iteration = false;       ///< has i_min and similar columns (-I 1)
  bool old_errors = false;          ///< has the largest difference ("error") instead of the number of wrong elements

  [[nodiscard]] bool has(std::string_view name) const {
    return std::ranges::find(columns, name, &NcclColumn::name) != columns.end();
  }
};

/// Parses a header line; empty for other lines. `above` is the preceding line with "out-of-place" and "in-place";
/// without these words the left half counts as out of place.
[[nodiscard]] std::optional<NcclColumns> nccl_columns(std::string_view line, std::string_view above);

/// Iterations of one half of a row, where available: seconds, each the maximum over GPUs and processes.
struct NcclSamples {
  std::vector<double> samples_s;
  std::vector<RankSummary> ranks;  ///< empty if a process has several ranks
};

/// One half of a row.
struct NcclHalf {
  bool in_place = false;
  Rounded time_us;
  std::optional<Rounded> algbw_GBps, busbw_GBps;  ///< empty if printed as inf or nan
  std::optional<double> wrong;                    ///< number of wrong elements or largest difference; empty for N/A
  std::optional<NcclSamples> samples = {};
};

struct NcclRow {
  int line = 0;
  std::uint64_t bytes = 0;
  std::optional<std::uint64_t> count;
  std::string type;               ///< as printed
  std::optional<std::string> op;  ///< as printed; empty for "none"
  std::optional<int> root;        ///< empty for -1
  std::vector<NcclHalf> halves;   ///< the complete ones
  std::vector<Span> cells = {};   ///< of text, where every column has a value
};

/// True for a line that starts like a table row: with two integers (size and count).
[[nodiscard]] bool looks_like_nccl_row(std::string_view line);

/// Parses such a line; empty if it is torn and has no complete half.
[[nodiscard]] std::optional<NcclRow> nccl_row(const NcclColumns&, const LogLine&);

}  // namespace busbar
