// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/record/fwd.hpp"

namespace busbar::guarding {

/// Completes a record whose writer is gone. Cuts an incomplete last line, then appends the unfinished cases that the
/// writer left beside it (core/journal/unfinished.hpp) and `end`. `file`: open for writing; ignored if not a regular
/// file. Throws Error if writing fails.
void end_record(int file, const EndRecord& end);

}  // namespace busbar::guarding
