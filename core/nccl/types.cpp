// SPDX-License-Identifier: Apache-2.0
#include "core/nccl/types.hpp"

#include <fmt/core.h>

#include "core/nccl/check.hpp"

namespace busbar {

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
      return ncclFloat8e4m3;
    case DType::f8e5m2:
      return ncclFloat8e5m2;
    case DType::f32:
      return ncclFloat32;
    case DType::f64:
      break;
  }
  return ncclFloat64;
}

std::string nccl_version() {
  int version = 0;
  nccl_check(ncclGetVersion(&version), "ncclGetVersion");
  return fmt::format("{}.{}.{}", version / 10000, version % 10000 / 100, version % 100);
}

}  // namespace busbar
