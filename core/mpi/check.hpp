// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <source_location>
#include <string_view>

#include <mpi.h>

#include "core/base/error.hpp"

namespace busbar {

/// Throws the Error of a call that did not succeed. Kept out of line, away from the timed path.
[[noreturn]] void throw_mpi_error(int code, std::string_view what, const std::source_location& at);

/// Throws Error with MPI's own text where `code` is not MPI_SUCCESS. It only ever is on communicators that return
/// errors (MPI_ERRORS_RETURN).
inline void mpi_check(int code, std::string_view what,
                      const std::source_location& at = std::source_location::current()) {
  if (code != MPI_SUCCESS) [[unlikely]]
    throw_mpi_error(code, what, at);
}

}  // namespace busbar
