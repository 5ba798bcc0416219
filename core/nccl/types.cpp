// SPDX-License-Identifier: Apache-2.0
#include "core/nccl/types.hpp"

#include <array>

#include "core/nccl/check.hpp"

namespace busbar {
namespace {

// ncclFloat8e4m3 and ncclFloat8e5m2; headers before NCCL 2.24 lack these names.
constexpr auto float8_e4m3 = static_cast<ncclDataType_t>(10), float8_e5m2 = static_cast<ncclDataType_t>(11);

}  // namespace

ncclDataType_t nccl_type(DType type) {
  // In the order of DType.
  static constexpr std::array<ncclDataType_t, dtypes.size()> types{ncclInt8,    ncclInt32,   ncclInt64,   ncclUint8,
                                                                   ncclUint32,  ncclUint64,  ncclFloat16, ncclBfloat16,
                                                                   ncclFloat32, ncclFloat64, float8_e4m3, float8_e5m2};
  if (is_fp8(type)) require_nccl(nccl_version(), first_with_float8, "fp8");
  return types[static_cast<std::size_t>(type)];
}

NcclVersion nccl_version() {
  NcclVersion version;
  nccl_check(ncclGetVersion(&version.code), "ncclGetVersion");
  return version;
}

}  // namespace busbar
