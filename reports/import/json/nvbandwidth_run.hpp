// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/run_record.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/json/nvbandwidth_tests.hpp"

namespace busbar {

/// Output of nvbandwidth, from its JSON or its text.
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
