// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/import/text_lines.hpp"

/// What a log of the Intel MPI Benchmarks says, as it says it. Views are into the log.
namespace busbar {

struct ImbRow {
  int line = 0;
  std::vector<std::string_view> cells;  ///< one a column of its table, or fewer before a failure
  std::string_view failure;             ///< "out-of-mem.; needed X= ...": why there is no value
};

/// A table: one benchmark on one number of processes.
struct ImbTable {
  std::string_view benchmark;        ///< "Allreduce", without "Multi-"
  std::optional<int> processes;      ///< of each group
  std::optional<int> groups;         ///< that ran at the same time; empty: there is one
  int waiting = 0;                   ///< processes that took no part
  std::string_view mode;             ///< "AGGREGATE"; empty where there is none
  std::vector<std::string> columns;  ///< as printed: "#bytes", "t_avg[usec]"
  std::vector<ImbRow> rows;

  /// The cell of a row in a column, empty where there is none.
  [[nodiscard]] std::string_view cell(const ImbRow&, std::string_view column) const;
  [[nodiscard]] bool has(std::string_view column) const;
};

/// One start of a program.
struct ImbProgram {
  std::string_view version, part;           ///< "2021.11", "MPI-1"; empty where not told
  bool gpu = false;                         ///< built for GPUs
  std::vector<std::string_view> told = {};  ///< its lines about date, machine, kernel and MPI
  std::vector<std::string> argv = {};
  std::vector<ImbTable> tables = {};
  std::vector<int> torn_lines = {};
  bool finished = false;  ///< "# All processes entering MPI_Finalize"
  std::optional<std::string> abort = {};
  std::optional<int> exit_code = {};
};

/// The names of a line of column names; empty where it is no such line.
[[nodiscard]] std::vector<std::string> imb_columns(std::string_view line);

/// True for the first line of a program's output: "#    Intel(R) MPI Benchmarks 2021.11, MPI-1 part".
[[nodiscard]] bool is_imb_title(std::string_view line);

/// Reads all lines. Never throws but for lack of memory: what is not understood is left out.
[[nodiscard]] std::vector<ImbProgram> read_imb_log(std::string_view text);

}  // namespace busbar
