// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nccl.h>

#include "core/elements/dtype.hpp"
#include "core/nccl/version.hpp"

namespace busbar {

/// NCCL's name for a type. Throws Unsupported where the NCCL that is loaded has none.
[[nodiscard]] ncclDataType_t nccl_type(DType type);

/// Of the library that is loaded. Throws Error.
[[nodiscard]] NcclVersion nccl_version();

}  // namespace busbar
