// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reports/import/nccl/nccl_log.hpp"

namespace busbar {

/// Moves rows that do not fit the others of their table to `torn_lines`: two writers mixed their lines, or bytes were
/// lost or overwritten. Such rows can have the right number of cells.
void drop_odd_rows(NcclJob&);

}  // namespace busbar
