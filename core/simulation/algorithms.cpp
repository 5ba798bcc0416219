// SPDX-License-Identifier: Apache-2.0
#include "core/mpi/algorithms.hpp"

#include "core/base/error.hpp"

/// SMPI has no tool interface. Its algorithms are settings of SimGrid.
namespace busbar {
namespace {

[[noreturn]] void refuse_algorithms() {
  throw UsageError("--algorithm: a simulation has one per launch, set by --cfg=smpi/allreduce:lr and the like");
}

}  // namespace

std::unique_ptr<MpiAlgorithms> MpiAlgorithms::make(const Communicator&) { refuse_algorithms(); }

std::vector<std::pair<std::string, std::string>> variables_for_algorithms(std::span<const std::string_view> /*calls*/,
                                                                          std::span<const std::string> algorithms) {
  if (!algorithms.empty()) refuse_algorithms();
  return {};
}

std::pair<std::string, std::vector<MpiAlgorithmNames>> algorithms_of_library() { return {}; }

}  // namespace busbar
