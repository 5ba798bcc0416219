// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/import/nccl_table.hpp"

/// What a log of nccl-tests says, as it says it; what follows from it is nccl_tests_text.cpp's business.
namespace busbar {

/// "#  Rank  0 Group  0 Pid  31225 on x3006c0s1b1n0 device  0 [0x07] NVIDIA A100-SXM4-40GB"
struct NcclRank {
  int rank = 0;
  int group = 0;
  std::string host;
  std::string bus;  ///< "0x07" or "0000:07:00"
  std::string device;
};

/// The line "# nThread 1 nGpus 1 minBytes ...".
struct NcclSettings {
  std::optional<int> warmup, iterations, aggregated, validation, graph;
};

/// One start of the program. Where several processes that do not know of each other write unmarked lines into one log,
/// they are one job here, with `starts` above 1.
struct NcclJob {
  std::string stream;  ///< the launcher's mark of its lines
  int first_line = 0;
  int starts = 0;    ///< how often its first line stands there
  int closings = 0;  ///< and its last one
  NcclSettings settings;
  std::vector<NcclRank> ranks;
  std::optional<NcclColumns> columns;
  std::vector<NcclRow> rows;
  std::vector<int> torn_lines;  ///< start as a row and cannot be read
  std::optional<std::string> tests_version;
  bool blocking = false;
  bool crashed = false;
  std::optional<std::string> out_of_bounds;  ///< "0 OK", "12 FAILED"
  std::optional<std::string> average;        ///< "1.524", "1.524 FAILED"
  int last_line = 0;                         ///< the last before the next job; of the whole log if there is none
};

/// A line of the log that is worth quoting.
struct Said {
  int line = 0;
  std::string text;
};

struct NcclLog {
  std::vector<NcclJob> jobs;
  std::vector<Said> programs;          ///< lines that name a *_perf program
  std::vector<Said> errors;            ///< of nccl-tests itself
  std::vector<Said> aborts;            ///< of the launcher, the batch system or the C library
  std::vector<Said> after;             ///< other lines behind a closing line
  std::vector<std::string> libraries;  ///< "NCCL version 2.18.3+cuda12.2"; each once
  std::map<std::string, std::string> environment;
  std::optional<int> exit_code;  ///< as the launcher gave it
};

/// Reads all lines. Never throws: what is not understood is left out.
[[nodiscard]] NcclLog read_nccl_log(std::string_view text);

}  // namespace busbar
