// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include <nccl.h>

#include "core/dtype.hpp"

namespace busbar {

/// NCCL's name for a type.
[[nodiscard]] ncclDataType_t nccl_type(DType type);

/// Of the library that is loaded: "2.28.9". Throws Error.
[[nodiscard]] std::string nccl_version();

}  // namespace busbar
