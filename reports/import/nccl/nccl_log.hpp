// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/method.hpp"
#include "reports/import/nccl/nccl_table.hpp"

/// What a log of nccl-tests says, as it says it; what follows from it is nccl_tests_text.cpp's business.
namespace busbar {

/// "#  Rank  0 Group  0 Pid  31225 on x3006c0s1b1n0 device  0 [0x07] NVIDIA A100-SXM4-40GB"
struct NcclRank {
  int rank = 0;
  int group = 0;
  std::string host;
  std::string bus;     ///< "0x07" or "0000:07:00"; empty where not told
  std::string device;  ///< empty where not told
};

/// How many ranks on how many hosts, of the job or of one group of it; empty where that differs or is unknown.
struct NcclLayout {
  int ranks = 0;
  std::optional<int> nodes;
  std::optional<int> ranks_per_node;
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
  std::optional<NcclLayout> layout;  ///< where numbers are told and no ranks are listed
  std::string collective;            ///< canonical name, where each row tells it
  std::optional<NcclColumns> columns;
  std::vector<NcclRow> rows;
  std::vector<int> torn_lines;  ///< start as a row and cannot be read
  std::optional<std::string> tests_version;
  std::optional<Method> method;  ///< where it is not the one that a log of nccl-tests implies
  bool blocking = false;
  bool device_samples = false;  ///< rows have times of their iterations, by CUDA events
  bool crashed = false;
  std::optional<std::string> out_of_bounds;  ///< "0 OK", "12 FAILED"
  std::optional<std::string> average;        ///< "1.524", "1.524 FAILED"
  std::optional<std::string> cut;            ///< why there are no closing lines, where the source tells
  std::vector<std::string> warnings, notes;  ///< of whoever read it, to be kept with the record
  int last_line = 0;                         ///< the last before the next job; of the whole log if there is none
};

/// A line of the log that is worth quoting.
struct Said {
  int line = 0;
  std::string text;
};

struct NcclLog {
  std::string tool = "nccl-tests", backend = "nccl";
  std::string decimals = "two";  ///< with how many it prints bandwidths; empty: with all that a double has
  std::vector<NcclJob> jobs;
  std::vector<Said> programs;                   ///< lines that name a *_perf program
  std::vector<std::string> argv;                ///< where the source has the words of the command line
  std::vector<Said> errors;                     ///< of nccl-tests itself
  std::vector<Said> aborts;                     ///< of the launcher, the batch system or the C library
  std::vector<Said> after;                      ///< other lines behind a closing line
  std::vector<std::string> libraries;           ///< "NCCL version 2.18.3+cuda12.2"; each once, the first few
  std::map<std::string, std::string> versions;  ///< of libraries, where numbers are told: {"nccl", "2.27.7"}
  std::map<std::string, std::string> environment;
  std::optional<int> exit_code;  ///< as the launcher gave it
};

/// Reads all lines. Never throws: what is not understood is left out.
[[nodiscard]] NcclLog read_nccl_log(std::string_view text);

}  // namespace busbar
