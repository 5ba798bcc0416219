// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reports/import/importer.hpp"
#include "reports/import/nccl/nccl_log.hpp"

namespace busbar {

/// The record of one job of nccl-tests or rccl-tests, whatever form its output had. Throws UsageError where something
/// is missing that only the user can say.
[[nodiscard]] ImportedRun nccl_run(const ImportRequest&, const NcclLog&, const NcclJob&);

}  // namespace busbar
