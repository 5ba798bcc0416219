// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace busbar {

/// Parses what NCCL should use: "ring/simple+zero" is algorithm ring, protocol simple, CTA policy zero. Empty parts and
/// the algorithm "*" leave the choice to NCCL. Algorithms are those of NCCL_ALGO and two words of busbar's own.
struct NcclWords {
  std::string_view algorithm, protocol, cta_policy;

  explicit NcclWords(std::string_view text);
  /// Buffers are symmetric windows of the communicator (NCCL documentation, "Window Registration").
  [[nodiscard]] bool symmetric() const { return algorithm == "symmetric"; }
  /// Uses groups of sends and receives, even if NCCL has a call of its own (2.28).
  [[nodiscard]] bool grouped() const { return algorithm == "grouped"; }
  /// Value for NCCL_ALGO; empty: leave the variable as it is.
  [[nodiscard]] std::string_view value_of_nccl_algo() const;
};

/// Throws Unsupported if NCCL does not have this algorithm for the collective, since NCCL itself would end the
/// communicator. Unknown names pass: NCCL decides. Source: NCCL documentation, NCCL_ALGO and "Window Registration";
/// ncclTopoTuneModel in its sources.
void require_algorithm(std::string_view collective, const NcclWords& words);

}  // namespace busbar
