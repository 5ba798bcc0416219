// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nccl.h>

#include "bench/backends/nccl/algorithms.hpp"
#include "core/elements/redop.hpp"
#include "core/nccl/communicator.hpp"
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

/// One communicator per requested algorithm: NCCL reads NCCL_ALGO and NCCL_PROTO when it creates a communicator, whose
/// configuration includes the CTA policy, and which owns its windows.
class NcclCommunicators {
 public:
  struct Member {
    Member(Group& group, const NcclWords& of, const NcclCommunicator::Settings& settings)
        : words(of), comm(group, settings), reductions(group.rank()) {}
    Member(Member& parent, Group* group, int colour, const NcclCommunicator::Settings& settings)
        : words(parent.words), comm(parent.comm, group, colour, settings), reductions(comm.rank()) {}
    NcclWords words;  ///< the parsed algorithm
    NcclCommunicator comm;
    NcclReductions reductions;
    std::string refusal;  ///< why it is no longer usable; empty: it is usable
  };

  /// Collective over the group. `algorithms` as in BackendOptions. Throws Error; UsageError if NCCL is too old.
  NcclCommunicators(Group& group, const std::vector<std::string>& algorithms,
                    const NcclCommunicator::Settings& settings);
  /// Splits each communicator of `parents`, which must outlive this (Backend::split()). Throws Error.
  NcclCommunicators(NcclCommunicators& parents, Group* members, int colour);
  [[nodiscard]] Member& of(std::string_view algorithm);
  [[nodiscard]] auto begin() { return members_.begin(); }
  [[nodiscard]] auto end() { return members_.end(); }

 private:
  NcclCommunicator::Settings settings_;
  std::map<std::string, std::unique_ptr<Member>, std::less<>> members_;
};

}  // namespace busbar
