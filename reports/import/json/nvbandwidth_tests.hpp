// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// Tests in nvbandwidth's JSON, parsed without interpretation.
namespace busbar {

/// A numeric cell of a test's matrix.
struct NvbandwidthCell {
  std::string path;  ///< "GPU0<-GPU1", "CPU->GPU3", "GPU0<->GPU1 total"
  double value = 0;  ///< GB/s, or ns
};

struct NvbandwidthTest {
  std::string name, status;
  std::string description;  ///< of the test's last matrix
  std::optional<std::string> error;
  bool latency = false;      ///< cells are ns
  bool sums = false;         ///< some cells are sums over concurrent copies
  bool summed_rows = false;  ///< the sum fits no layout: the number of stacked matrices is unknown
  std::vector<NvbandwidthCell> cells;
  int columns = 0;  ///< of the matrix
};

/// Parses the value of "testcases". Never throws; non-numeric cells are left out.
[[nodiscard]] std::vector<NvbandwidthTest> read_nvbandwidth_tests(const nlohmann::json& testcases);

}  // namespace busbar
