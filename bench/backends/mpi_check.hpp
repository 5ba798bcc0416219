// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <source_location>
#include <string_view>

#include <fmt/core.h>
#include <mpi.h>

#include "core/error.hpp"

namespace busbar {

/// Throws Error with MPI's own text where `code` is not MPI_SUCCESS. It only ever is on communicators that return
/// errors (MPI_ERRORS_RETURN).
inline void mpi_check(int code, std::string_view what, std::source_location at = std::source_location::current()) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  std::string_view file = at.file_name();
  file.remove_prefix(file.rfind('/') + 1);
  throw Error(
      fmt::format("{}: {} ({}:{})", what, std::string_view(text, static_cast<std::size_t>(length)), file, at.line()));
}

}  // namespace busbar
