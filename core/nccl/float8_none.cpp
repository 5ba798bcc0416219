// SPDX-License-Identifier: Apache-2.0
// NCCL 2.18 to 2.23.
#include <fmt/core.h>

#include "core/error.hpp"
#include "core/nccl/float8.hpp"

namespace busbar {

ncclDataType_t nccl_float8(DType /*type*/) {
  throw Unsupported(
      fmt::format("busbar was built with NCCL {}.{}, which has no fp8 (2.24 has)", NCCL_MAJOR, NCCL_MINOR));
}

}  // namespace busbar
