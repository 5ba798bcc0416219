// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/backends/nccl/algorithms.hpp"
#include "bench/backends/nccl/reductions.hpp"
#include "core/nccl/communicator.hpp"

namespace busbar {

/// A communicator for each algorithm that is asked for: NCCL reads NCCL_ALGO and NCCL_PROTO when it makes one, CTA
/// policies are a part of its configuration, and windows belong to it.
class NcclCommunicators {
 public:
  struct Member {
    Member(Group& group, const NcclWords& of, const NcclCommunicator::Settings& settings)
        : words(of), comm(group, settings), reductions(group.rank()) {}
    Member(Member& parent, Group* group, int colour, const NcclCommunicator::Settings& settings)
        : words(parent.words), comm(parent.comm, group, colour, settings), reductions(comm.rank()) {}
    NcclWords words;  ///< parts of its name
    NcclCommunicator comm;
    NcclReductions reductions;
    std::string refusal;  ///< why it can no more be used; empty: it can
  };

  /// Collective. `algorithms` as BackendOptions has them. Throws Error, UsageError for what this NCCL is too old for.
  NcclCommunicators(Group& group, const std::vector<std::string>& algorithms,
                    const NcclCommunicator::Settings& settings);
  /// Splits each of the parents, which outlive this: Backend::split(). Throws Error.
  NcclCommunicators(NcclCommunicators& parents, Group* members, int colour);
  [[nodiscard]] Member& of(std::string_view algorithm);
  [[nodiscard]] auto begin() { return members_.begin(); }
  [[nodiscard]] auto end() { return members_.end(); }

 private:
  NcclCommunicator::Settings settings_;
  std::map<std::string, std::unique_ptr<Member>, std::less<>> members_;
};

}  // namespace busbar
