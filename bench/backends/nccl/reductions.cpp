// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/nccl/reductions.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/elements/element.hpp"
#include "core/nccl/check.hpp"

namespace busbar {
namespace {

struct NativeOp {
  Op op;
  ncclRedOp_t nccl;
  const char* name;
};

constexpr std::array<NativeOp, 5> native_ops{{
    {Op::sum, ncclSum, "ncclSum"},
    {Op::prod, ncclProd, "ncclProd"},
    {Op::min, ncclMin, "ncclMin"},
    {Op::max, ncclMax, "ncclMax"},
    {Op::avg, ncclAvg, "ncclAvg"},
}};

}  // namespace

ncclRedOp_t NcclReductions::op(ncclComm_t comm, DType type, Op op) {
  const auto native = std::ranges::find(native_ops, op, &NativeOp::op);
  if (native != native_ops.end()) return native->nccl;
  if (const auto made = premultiplied_.find(type); made != premultiplied_.end()) return made->second;
  std::array<std::byte, 8> factor{};
  store(type, premultiplier(rank_), factor.data());
  ncclRedOp_t made{};
  nccl_check(ncclRedOpCreatePreMulSum(&made, factor.data(), nccl_type(type), ncclScalarHostImmediate, comm),
             "ncclRedOpCreatePreMulSum");
  return premultiplied_[type] = made;
}

std::string NcclReductions::describe(Op op) {
  const auto native = std::ranges::find(native_ops, op, &NativeOp::op);
  return native != native_ops.end() ? native->name : "ncclRedOpCreatePreMulSum, by 1 on even ranks and 2 on odd ones";
}

}  // namespace busbar
