// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/nccl/types.hpp"

#include <array>
#include <cstddef>

#include "core/element.hpp"
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

ncclRedOp_t NcclReductions::op(ncclComm_t comm, DType type, Op op) {
  switch (op) {
    case Op::sum:
      return ncclSum;
    case Op::prod:
      return ncclProd;
    case Op::min:
      return ncclMin;
    case Op::max:
      return ncclMax;
    case Op::avg:
      return ncclAvg;
    case Op::mulsum:
      break;
  }
  if (const auto made = premultiplied_.find(type); made != premultiplied_.end()) return made->second;
  std::array<std::byte, 8> factor{};
  store(type, premultiplier(rank_), factor.data());
  ncclRedOp_t made{};
  nccl_check(ncclRedOpCreatePreMulSum(&made, factor.data(), nccl_type(type), ncclScalarHostImmediate, comm),
             "ncclRedOpCreatePreMulSum");
  return premultiplied_[type] = made;
}

std::string NcclReductions::describe(Op op) {
  switch (op) {
    case Op::sum:
      return "ncclSum";
    case Op::prod:
      return "ncclProd";
    case Op::min:
      return "ncclMin";
    case Op::max:
      return "ncclMax";
    case Op::avg:
      return "ncclAvg";
    case Op::mulsum:
      break;
  }
  return "ncclRedOpCreatePreMulSum, by 1 on even ranks and 2 on odd ones";
}

}  // namespace busbar
