// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

#include <nccl.h>

#include "core/elements/redop.hpp"
#include "core/nccl/types.hpp"

namespace busbar {

/// NCCL's operations for ours, of one communicator.
class NcclReductions {
 public:
  explicit NcclReductions(int rank) : rank_(rank) {}
  /// `comm` is the same each time. Throws Error.
  [[nodiscard]] ncclRedOp_t op(ncclComm_t comm, DType type, Op op);
  /// "ncclSum", or what a premultiplied sum multiplies by.
  [[nodiscard]] static std::string describe(Op op);

 private:
  int rank_;
  std::map<DType, ncclRedOp_t> premultiplied_;  // freed with the communicator
};

}  // namespace busbar
