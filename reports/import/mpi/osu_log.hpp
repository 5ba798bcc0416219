// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/import/row_places.hpp"
#include "reports/import/text_lines.hpp"

/// A log of the OSU micro-benchmarks, parsed without interpretation. Views are into the log.
namespace busbar {

struct OsuRow {
  int line = 0;
  std::optional<std::uint64_t> size;     ///< empty in a table without sizes (barrier)
  std::vector<std::string_view> values;  ///< one cell per column of the table
  std::vector<Span> places = {};         ///< of all cells, the size's too
};

/// Rows under one header line. -T prints a table per datatype.
struct OsuTable {
  std::string_view type;             ///< "MPI_CHAR"; empty if not printed
  std::vector<std::string> columns;  ///< lower case, without blanks: "avglatency(us)"; never "size"
  std::vector<OsuRow> rows;
  std::vector<Span> header = {};  ///< where the column names stand

  /// The cell of a row in a column; empty if there is none.
  [[nodiscard]] std::string_view cell(const OsuRow&, std::string_view column) const;
  [[nodiscard]] bool has(std::string_view column) const { return is_one_of(columns, column); }
};

/// Output of one program: a title and the lines after it.
struct OsuProgram {
  int line = 0;              ///< of its title
  std::string benchmark;     ///< from the title: "Allreduce Latency", "Bandwidth"
  std::string_view library;  ///< MPI, NCCL, RCCL
  std::string accelerator;   ///< CUDA, ROCM, OPENACC, MANAGED, "CUDA MANAGED"; empty: host memory
  std::string_view version;  ///< "7.4"; empty if not printed
  std::string_view buffers;  ///< "Send Buffer on DEVICE (D) and Receive Buffer on DEVICE (D)"
  std::optional<int> pairs;
  std::string_view window;  ///< "64", "varied"
  std::vector<OsuTable> tables;
  std::vector<int> torn_lines = {};            ///< look like rows but cannot be parsed, or do not fit their table
  std::optional<std::string> wrong_data = {};  ///< OSU's "DATA VALIDATION ERROR" line
  std::optional<std::string> abort = {};       ///< abort message of a launcher or the C library
  std::optional<int> exit_code = {};
};

/// Parses a header line into column names; empty for other lines.
[[nodiscard]] std::vector<std::string> osu_columns(std::string_view line);

/// True for the title of a program: "# OSU MPI-CUDA Allreduce Latency Test v7.4".
[[nodiscard]] bool is_osu_title(std::string_view line);

/// Reads all lines and skips unknown ones. Throws only if memory runs out.
[[nodiscard]] std::vector<OsuProgram> read_osu_log(std::string_view text);

}  // namespace busbar
