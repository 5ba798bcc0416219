// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/nccl/reductions.hpp"

#include <array>
#include <cstddef>

#include "core/elements/element.hpp"
#include "core/nccl/check.hpp"

namespace busbar {

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
