// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nccl.h>

#include "core/dtype.hpp"

namespace busbar {

/// The name of a type of 8-bit floats in the NCCL that this is built with: float8.cpp from 2.24 on, float8_none.cpp for
/// those before, which have none. CMake chooses. Throws Unsupported.
[[nodiscard]] ncclDataType_t nccl_float8(DType type);

}  // namespace busbar
