// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nccl.h>

#include "core/elements/dtype.hpp"
#include "core/nccl/version.hpp"

namespace busbar {

/// NCCL's type for `type`. Throws Unsupported if the loaded NCCL lacks it.
[[nodiscard]] ncclDataType_t nccl_type(DType type);

/// Version of the loaded library. Throws Error.
[[nodiscard]] NcclVersion nccl_version();

}  // namespace busbar
