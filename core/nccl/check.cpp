// SPDX-License-Identifier: Apache-2.0
#include "core/nccl/check.hpp"

#include <fmt/core.h>

namespace busbar {

void throw_nccl_error(ncclResult_t code, std::string_view what, ncclComm_t comm) {
  const std::string_view last = ncclGetLastError(comm);
  throw Error(fmt::format("{}: {}{}{}", what, ncclGetErrorString(code), last.empty() ? "" : ": ", last));
}

}  // namespace busbar
