// SPDX-License-Identifier: Apache-2.0
#include "core/nccl/types.hpp"

#include "core/nccl/check.hpp"

namespace busbar {
namespace {

// ncclFloat8e4m3 and ncclFloat8e5m2; headers before NCCL 2.24 lack these names.
constexpr auto float8_e4m3 = static_cast<ncclDataType_t>(10), float8_e5m2 = static_cast<ncclDataType_t>(11);

}  // namespace

ncclDataType_t nccl_type(DType type) {
  switch (type) {
    case DType::i8:
      return ncclInt8;
    case DType::i32:
      return ncclInt32;
    case DType::i64:
      return ncclInt64;
    case DType::u8:
      return ncclUint8;
    case DType::u32:
      return ncclUint32;
    case DType::u64:
      return ncclUint64;
    case DType::f16:
      return ncclFloat16;
    case DType::bf16:
      return ncclBfloat16;
    case DType::f8e4m3:
    case DType::f8e5m2:
      require_nccl(nccl_version(), first_with_float8, "fp8");
      return type == DType::f8e4m3 ? float8_e4m3 : float8_e5m2;
    case DType::f32:
      return ncclFloat32;
    case DType::f64:
      break;
  }
  return ncclFloat64;
}

NcclVersion nccl_version() {
  NcclVersion version;
  nccl_check(ncclGetVersion(&version.code), "ncclGetVersion");
  return version;
}

}  // namespace busbar
