// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/record/fwd.hpp"

namespace busbar::guarding {

/// Writes the end of a record whose writer is gone, behind its last whole line and the cases that the writer has left
/// beside it (core/journal/unfinished.hpp); a line that was cut off is cut away. `file` is open for writing. Nothing
/// where it is no regular file. Throws Error where it cannot be written.
void end_record(int file, const EndRecord& end);

}  // namespace busbar::guarding
