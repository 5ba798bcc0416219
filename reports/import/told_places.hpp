// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"
#include "reports/import/importer.hpp"

namespace busbar {

/// Hosts of a case as the user told them, for logs that name none: --nodes is of all --ranks, so that of a case with
/// fewer only one host is known to be one. Throws UsageError where that is more hosts than ranks.
void tell_nodes(CaseKey&, const ImportRequest&);

/// For logs that name what they measured: throws UsageError where --collective is none of it.
void check_collective(const std::vector<CaseRecord>&, const ImportRequest&);

}  // namespace busbar
