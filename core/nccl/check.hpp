// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include <nccl.h>

#include "core/base/error.hpp"

namespace busbar {

/// Throws the Error of a call that did not succeed, with NCCL's own text and its last message.
[[noreturn]] void throw_nccl_error(ncclResult_t code, std::string_view what, ncclComm_t comm = nullptr);

/// Throws Error where `code` is not ncclSuccess. For calls that take no communicator; NcclCommunicator::await() is for
/// the others.
inline void nccl_check(ncclResult_t code, std::string_view what) {
  if (code != ncclSuccess) [[unlikely]]
    throw_nccl_error(code, what);
}

}  // namespace busbar
