// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reports/import/importer.hpp"
#include "reports/import/nccl/nccl_log.hpp"

namespace busbar {

/// Record of one job of nccl-tests or rccl-tests, from any output format. Throws UsageError if the user must supply
/// missing information.
[[nodiscard]] ImportedRun nccl_run(const ImportRequest&, const NcclLog&, const NcclJob&);

}  // namespace busbar
