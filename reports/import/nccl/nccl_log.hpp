// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/method.hpp"
#include "reports/import/launch_lines.hpp"
#include "reports/import/nccl/nccl_table.hpp"

/// A log of nccl-tests, parsed without interpretation; nccl_runs.cpp interprets it.
namespace busbar {

/// "#  Rank  0 Group  0 Pid  31225 on x3006c0s1b1n0 device  0 [0x07] NVIDIA A100-SXM4-40GB"
struct NcclRank {
  int rank = 0;
  int group = 0;
  std::string process = {};       ///< its number on the host; empty if not printed
  std::optional<int> index = {};  ///< CUDA's number of its device
  std::string host;
  std::string bus;     ///< "0x07" or "0000:07:00"; empty if not printed
  std::string device;  ///< empty if not printed
};

/// Ranks and hosts of the job or of one of its groups; members that vary or are unknown are empty.
struct NcclLayout {
  int ranks = 0;
  std::optional<int> nodes;
  std::optional<int> ranks_per_node;
};

/// Settings from the line "# nThread 1 nGpus 1 minBytes ...".
struct NcclSettings {
  std::optional<int> threads, gpus;  ///< of a process; of a thread
  std::optional<int> warmup, iterations, aggregated, validation, graph;
};

/// One run of the program. Independent processes that write untagged lines to one log form one job, with `starts` above
/// 1.
struct NcclJob {
  std::string stream;  ///< the launcher's tag of its lines
  int first_line = 0;
  int starts = 0;       ///< number of opening lines
  std::string opening;  ///< the first of them
  int opened = 0;       ///< the line of the last of them
  int headers = 0;      ///< number of table headers
  int closings = 0;     ///< number of closing lines
  NcclSettings settings;
  std::vector<NcclRank> ranks;
  std::optional<NcclLayout> layout;  ///< set if numbers are stated but no ranks are listed
  std::string collective;            ///< canonical name, if each row states it
  std::optional<NcclColumns> columns;
  std::vector<NcclRow> rows;
  std::vector<int> torn_lines;  ///< look like rows but cannot be parsed, or do not fit the other rows
  std::vector<int> torn_ranks;  ///< lines of the list of ranks that cannot be parsed
  std::string concluded;        ///< collective that the last line of the run names; empty if there is none
  std::optional<std::string> tests_version;
  std::optional<Method> method;  ///< set if it differs from the default method of nccl-tests
  bool blocking = false;
  bool device_samples = false;  ///< rows have CUDA event times of their iterations
  bool crashed = false;
  std::optional<std::string> out_of_bounds;  ///< "0 OK", "12 FAILED"
  std::optional<std::string> average;        ///< "1.524", "1.524 FAILED"
  std::optional<std::string> cut;            ///< why there are no closing lines, if the source says so
  std::vector<std::string> warnings, notes;  ///< from the reader of the log, kept with the record
  int last_line = 0;                         ///< before the next job starts; the log's last line for the last job
};

/// A log line to quote.
struct Said {
  int line = 0;
  std::string text;
};

struct NcclLog {
  std::string tool = "nccl-tests", backend = "nccl";
  std::string decimals = "two";  ///< number of decimals of printed bandwidths; empty: full double precision
  std::vector<NcclJob> jobs;
  LaunchLines launch = {};                      ///< of text only
  std::vector<Said> programs;                   ///< lines that name a *_perf program
  std::vector<std::string> argv;                ///< if the source has the command line
  std::vector<Said> errors;                     ///< from nccl-tests
  std::vector<Said> aborts;                     ///< from the launcher, the batch system or the C library
  std::vector<Said> after;                      ///< other lines after a closing line
  std::vector<std::string> libraries;           ///< "NCCL version 2.18.3+cuda12.2"; unique, the first few
  std::map<std::string, std::string> versions;  ///< of libraries, from numeric versions: {"nccl", "2.27.7"}
  std::map<std::string, std::string> environment;
  std::optional<int> exit_code;  ///< as reported by the launcher
};

/// Reads all lines and skips unknown ones. Never throws.
[[nodiscard]] NcclLog read_nccl_log(std::string_view text);

}  // namespace busbar
