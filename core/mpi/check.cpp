// SPDX-License-Identifier: Apache-2.0
#include "core/mpi/check.hpp"

#include <fmt/core.h>

namespace busbar {

void throw_mpi_error(int code, std::string_view what, const std::source_location& at) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  std::string_view file = at.file_name();
  file.remove_prefix(file.rfind('/') + 1);
  throw Error(
      fmt::format("{}: {} ({}:{})", what, std::string_view(text, static_cast<std::size_t>(length)), file, at.line()));
}

}  // namespace busbar
