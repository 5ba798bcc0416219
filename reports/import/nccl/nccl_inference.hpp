// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reports/import/nccl/nccl_log.hpp"

namespace busbar {

/// The collectives of nccl-tests that a job on `ranks` ranks can be of: by whether its rows have a reduction and a
/// root, and by busbw/algbw.
[[nodiscard]] std::vector<std::string> collectives_of_rows(const NcclJob&, int ranks);

/// What speaks against a collective in the rows: "no row has a root". Empty if nothing does.
[[nodiscard]] std::string contradiction_of_rows(const NcclJob&, std::string_view collective);

}  // namespace busbar
