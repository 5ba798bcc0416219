// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "preflight/stages/options.hpp"

namespace busbar::preflight {

/// For --hosts: checks each host by remote shell, starts this program there with the mpirun in PATH (of any library in
/// core/mpi_library/mpi_library.hpp), and forwards its output. Ends mpirun if it is silent for longer than a stage's
/// limit. Returns the exit code. Throws UsageError; Error if --out cannot be written.
[[nodiscard]] int start_job(const PreflightOptions& options);

}  // namespace busbar::preflight
