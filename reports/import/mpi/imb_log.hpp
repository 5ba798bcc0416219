// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/import/row_places.hpp"
#include "reports/import/text_lines.hpp"

/// A log of the Intel MPI Benchmarks, parsed without interpretation. Views are into the log.
namespace busbar {

struct ImbRow {
  int line = 0;
  std::vector<std::string_view> cells;  ///< one per column of the table; fewer before a failure
  std::vector<Span> places = {};
  std::string_view failure;  ///< why there is no value: "out-of-mem.; needed X= ..."
};

/// A table: one benchmark with one number of processes.
struct ImbTable {
  std::string_view benchmark;        ///< "Allreduce", without "Multi-"
  std::optional<int> processes;      ///< per group
  std::optional<int> groups;         ///< number of concurrent groups; empty: one
  int waiting = 0;                   ///< idle processes
  std::string_view mode;             ///< "AGGREGATE"; empty if there is none
  std::vector<std::string> columns;  ///< as printed: "#bytes", "t_avg[usec]"
  std::vector<ImbRow> rows;
  std::vector<Span> header = {};  ///< where the column names stand

  /// The cell of a row in a column; empty if there is none.
  [[nodiscard]] std::string_view cell(const ImbRow&, std::string_view column) const;
  [[nodiscard]] bool has(std::string_view column) const { return is_one_of(columns, column); }
};

/// Output of one program.
struct ImbProgram {
  int line = 0;                             ///< of its title, or 0
  std::string_view version, part;           ///< "2021.11", "MPI-1"; empty if not printed
  bool gpu = false;                         ///< built for GPUs
  std::vector<std::string_view> told = {};  ///< its lines about date, machine, kernel and MPI
  std::vector<std::string> argv = {};
  std::vector<ImbTable> tables = {};
  std::vector<int> torn_lines = {};
  bool finished = false;  ///< "# All processes entering MPI_Finalize"
  std::optional<std::string> abort = {};
  std::optional<int> exit_code = {};
};

/// Parses a header line into column names; empty for other lines.
[[nodiscard]] std::vector<std::string> imb_columns(std::string_view line);

/// True for the first line of a program's output: "#    Intel(R) MPI Benchmarks 2021.11, MPI-1 part".
[[nodiscard]] bool is_imb_title(std::string_view line);

/// Reads all lines and skips unknown ones. Throws only if memory runs out.
[[nodiscard]] std::vector<ImbProgram> read_imb_log(std::string_view text);

}  // namespace busbar
