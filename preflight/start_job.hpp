// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "preflight/options.hpp"

namespace busbar::preflight {

/// Without a launcher, with hosts: asks each host by the remote shell, starts the mpirun of PATH, of any library of the
/// table (core/mpi_library.hpp), with this program on them, hands on what it says, and ends it when it says nothing for
/// longer than a stage may take. Gives the exit code. Throws UsageError, or Error where --out cannot be written.
[[nodiscard]] int start_job(const Options& options);

}  // namespace busbar::preflight
