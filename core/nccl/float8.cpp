// SPDX-License-Identifier: Apache-2.0
// NCCL 2.24 and newer.
#include "core/nccl/float8.hpp"

namespace busbar {

ncclDataType_t nccl_float8(DType type) { return type == DType::f8e4m3 ? ncclFloat8e4m3 : ncclFloat8e5m2; }

}  // namespace busbar
