// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/import/text_lines.hpp"

/// What a log of the OSU micro-benchmarks says, as it says it. Views are into the log.
namespace busbar {

struct OsuRow {
  int line = 0;
  std::optional<std::uint64_t> size;     ///< empty in a table without sizes (barrier)
  std::vector<std::string_view> values;  ///< a cell a column of its table
};

/// A stretch of rows under one line of column names. With -T there is one for each datatype.
struct OsuTable {
  std::string_view type;             ///< "MPI_CHAR"; empty where no line says it
  std::vector<std::string> columns;  ///< lower case, without blanks: "avglatency(us)"; never "size"
  std::vector<OsuRow> rows;

  /// The cell of a row in a column, empty where there is none.
  [[nodiscard]] std::string_view cell(const OsuRow&, std::string_view column) const;
  [[nodiscard]] bool has(std::string_view column) const;
};

/// One program's output: a title and what follows it.
struct OsuProgram {
  std::string benchmark;     ///< of the title: "Allreduce Latency", "Bandwidth"
  std::string_view library;  ///< MPI, NCCL, RCCL
  std::string accelerator;   ///< CUDA, ROCM, OPENACC, MANAGED, "CUDA MANAGED"; empty: host memory
  std::string_view version;  ///< "7.4"; empty where not told
  std::string_view buffers;  ///< "Send Buffer on DEVICE (D) and Receive Buffer on DEVICE (D)"
  std::optional<int> pairs;
  std::string_view window;  ///< "64", "varied"
  std::vector<OsuTable> tables;
  std::vector<int> torn_lines = {};            ///< start as a row and cannot be read
  std::optional<std::string> wrong_data = {};  ///< its own "DATA VALIDATION ERROR"
  std::optional<std::string> abort = {};       ///< what a launcher or the C library says of its end
  std::optional<int> exit_code = {};
};

/// The names of a line of column names; empty where it is no such line.
[[nodiscard]] std::vector<std::string> osu_columns(std::string_view line);

/// True for a program's title: "# OSU MPI-CUDA Allreduce Latency Test v7.4".
[[nodiscard]] bool is_osu_title(std::string_view line);

/// Reads all lines. Never throws but for lack of memory: what is not understood is left out.
[[nodiscard]] std::vector<OsuProgram> read_osu_log(std::string_view text);

}  // namespace busbar
