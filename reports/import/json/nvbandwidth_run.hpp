// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/run_record.hpp"
#include "reports/import/importer.hpp"

/// Output of nvbandwidth, from its JSON or its text.
namespace busbar {

/// Most cells that are read.
inline constexpr std::size_t nvbandwidth_most_cells = 100'000;

/// Cells of a matrix; empty where there is no number. Rows may differ in length.
using NvbandwidthMatrix = std::vector<std::vector<std::optional<double>>>;

/// A numeric cell of a test's matrix.
struct NvbandwidthCell {
  std::string path;  ///< "GPU0<-GPU1", "CPU->GPU3", "GPU0<->GPU1 total"
  double value = 0;  ///< GB/s, or ns
};

struct NvbandwidthTest {
  std::string name, status;
  std::string description;  ///< of the test's last matrix
  std::optional<std::string> error;
  bool latency = false;            ///< cells are ns
  bool sums = false;               ///< some cells are sums over concurrent copies
  bool unknown_layout = false;     ///< the sum or the rows fit none: the number of stacked matrices is unknown
  std::optional<double> told_sum;  ///< as printed, if it fits no layout
  std::vector<NvbandwidthCell> cells;
  int columns = 0;  ///< of the matrix
};

/// Names the cells of a test's matrix by the description, which is that of its last matrix. `matrices` are stacked in
/// it: 1, or 3 of a bidirectional test, or 0 if their number is unknown.
void add_nvbandwidth_cells(NvbandwidthTest&, const NvbandwidthMatrix&, std::size_t matrices);

/// One run.
struct NvbandwidthOutput {
  std::vector<NvbandwidthTest> tests = {};
  std::optional<std::string> version = {}, revision = {};
  std::optional<int> cuda = {};  ///< 12080 for 12.8
  std::vector<Host> hosts = {};
  std::optional<std::string> warning = {}, error = {};  ///< its own, of the whole run
  std::optional<std::string> cut = {};                  ///< why the output is not whole
  std::vector<std::string> doubts = {};                 ///< warnings of its reader
};

/// Adds the GPU of "0: NVIDIA GB200 (00000008:06:00): (host)"; releases before 0.7 name no host, or no bus address.
void add_nvbandwidth_gpu(Host&, std::string_view text);

/// The record of a run.
[[nodiscard]] ImportedRun nvbandwidth_run(const ImportRequest&, const NvbandwidthOutput&);

}  // namespace busbar
