// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/case_record.hpp"
#include "reports/import/text_lines.hpp"

/// The table that nccl-tests prints: read by the names in its header and by halves, never by counting words.
namespace busbar {

struct NcclColumn {
  std::string name;     ///< size, count, type, redop, root, time, algbw, busbw, wrong, error, i_min, ...
  int half = -1;        ///< 0 or 1 for the columns of the left and right half, -1 for those before
  std::size_t end = 0;  ///< where the name ends in the header's line; values are right-aligned to it
};

/// What a table's header says.
struct NcclColumns {
  std::vector<NcclColumn> columns;  ///< without the timestamp column
  int halves = 0;                   ///< 1 or 2
  std::vector<bool> in_place = {};  ///< of each half
  bool cpu_time = false;            ///< time is CPU time (-C 1)
  bool per_iteration = false;       ///< has i_min and so on (-I 1)
  bool old_errors = false;          ///< holds the largest difference ("error"), not the number of wrong elements
};

/// The header behind the line of names, or nothing if the line is no such line. `above` is the line before it, which
/// says "out-of-place" and "in-place"; where it does not, the left half is taken as out of place.
[[nodiscard]] std::optional<NcclColumns> nccl_columns(std::string_view line, std::string_view above);

/// The iterations of one half of a row, where a source has them: seconds, each the largest over GPUs and processes.
struct NcclSamples {
  std::vector<double> samples_s;
  std::vector<RankSummary> ranks;  ///< empty where a process has several ranks
};

/// One half of a row.
struct NcclHalf {
  bool in_place = false;
  Rounded time_us;
  std::optional<Rounded> algbw_GBps, busbw_GBps;  ///< empty where printed as inf or nan
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
  std::vector<NcclHalf> halves;   ///< those that are there and whole
};

/// True for a line that starts as a row of the table does: two whole numbers (size and count).
[[nodiscard]] bool looks_like_nccl_row(std::string_view line);

/// The row of such a line; nothing where it is torn and has no whole half.
[[nodiscard]] std::optional<NcclRow> nccl_row(const NcclColumns&, const LogLine&);

}  // namespace busbar
