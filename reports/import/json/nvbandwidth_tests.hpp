// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// What nvbandwidth's JSON says of each test, as it says it.
namespace busbar {

/// A cell of a test's matrix that holds a number.
struct NvbandwidthCell {
  std::string path;  ///< "GPU0<-GPU1", "CPU->GPU3", "GPU0<->GPU1 total"
  double value = 0;  ///< GB/s, or ns
};

struct NvbandwidthTest {
  std::string name, status;
  std::string description;  ///< of its last matrix
  std::optional<std::string> error;
  bool latency = false;      ///< cells are ns
  bool sums = false;         ///< some of the cells are sums over copies at the same time
  bool summed_rows = false;  ///< the matrix does not give its sum: its rows are of no known number of matrices
  std::vector<NvbandwidthCell> cells;
  int columns = 0;  ///< of the matrix
};

/// Of the value of "testcases". Never throws: cells that are no numbers are left out.
[[nodiscard]] std::vector<NvbandwidthTest> read_nvbandwidth_tests(const nlohmann::json& testcases);

}  // namespace busbar
