// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"
#include "reports/import/importer.hpp"

namespace busbar {

/// Sets the hosts of a case from --nodes, for logs that name none. --nodes applies to all --ranks; a case with fewer
/// ranks gets its hosts only for --nodes 1. Throws UsageError if there are more hosts than ranks.
void tell_nodes(CaseKey&, const ImportRequest&);

/// For logs that name their collectives: throws UsageError if --collective is not among them.
void check_collective(const std::vector<CaseRecord>&, const ImportRequest&);

}  // namespace busbar
