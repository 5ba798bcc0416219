// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <source_location>
#include <string_view>

#include <mpi.h>

#include "core/base/error.hpp"

namespace busbar {

/// Throws Error for a failed call. Out of line, to keep it away from the timed path.
[[noreturn]] void throw_mpi_error(int code, std::string_view what, const std::source_location& at);

/// Throws Error with MPI's message unless `code` is MPI_SUCCESS. Requires a communicator with MPI_ERRORS_RETURN; others
/// never return an error.
inline void mpi_check(int code, std::string_view what,
                      const std::source_location& at = std::source_location::current()) {
  if (code != MPI_SUCCESS) [[unlikely]]
    throw_mpi_error(code, what, at);
}

}  // namespace busbar
