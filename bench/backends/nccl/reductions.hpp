// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

#include <nccl.h>

#include "core/elements/redop.hpp"
#include "core/nccl/types.hpp"

namespace busbar {

/// Maps busbar's operations to NCCL's, for one communicator.
class NcclReductions {
 public:
  explicit NcclReductions(int rank) : rank_(rank) {}
  /// `comm` must be the same in every call. Throws Error.
  [[nodiscard]] ncclRedOp_t op(ncclComm_t comm, DType type, Op op);
  /// For the record: "ncclSum", or the factor of a premultiplied sum.
  [[nodiscard]] static std::string describe(Op op);

 private:
  int rank_;
  std::map<DType, ncclRedOp_t> premultiplied_;  // freed with the communicator
};

}  // namespace busbar
