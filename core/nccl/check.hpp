// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include <nccl.h>

#include "core/base/error.hpp"

namespace busbar {

/// Throws Error for a failed call, with NCCL's text and its last message.
[[noreturn]] void throw_nccl_error(ncclResult_t code, std::string_view what, ncclComm_t comm = nullptr);

/// Throws Error unless `code` is ncclSuccess. For calls without a communicator; others use NcclCommunicator::await().
inline void nccl_check(ncclResult_t code, std::string_view what) {
  if (code != ncclSuccess) [[unlikely]]
    throw_nccl_error(code, what);
}

}  // namespace busbar
