// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// Tests of nvbandwidth, from its JSON or its text.
namespace busbar {

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

/// The sum of its numeric cells.
[[nodiscard]] double sum_of_cells(const NvbandwidthTest&);

/// Parses the value of "testcases". Never throws; non-numeric cells are left out.
[[nodiscard]] std::vector<NvbandwidthTest> read_nvbandwidth_tests(const nlohmann::json& testcases);

}  // namespace busbar
