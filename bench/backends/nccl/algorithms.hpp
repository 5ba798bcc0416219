// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace busbar {

/// What NCCL is told to use, taken apart: "ring/simple+zero" is algorithm ring, protocol simple, CTA policy zero. Empty
/// parts, and the algorithm "*", are NCCL's choice. Algorithms are those of NCCL_ALGO and two words of our own.
struct NcclWords {
  std::string_view algorithm, protocol, cta_policy;

  explicit NcclWords(std::string_view text);
  /// Buffers are symmetric windows of the communicator (NCCL documentation, "Window Registration").
  [[nodiscard]] bool symmetric() const { return algorithm == "symmetric"; }
  /// Exchanges by groups of sends and receives, as before NCCL 2.28 had calls of its own for them.
  [[nodiscard]] bool grouped() const { return algorithm == "grouped"; }
  /// For NCCL_ALGO; empty: it is left as it is.
  [[nodiscard]] std::string_view value_of_nccl_algo() const;
};

/// Throws Unsupported where NCCL has no such algorithm for the collective, as it would else end the communicator. Names
/// that are not known here are left to NCCL. Source: NCCL documentation, NCCL_ALGO and "Window Registration";
/// ncclTopoTuneModel in its sources.
void require_algorithm(std::string_view collective, const NcclWords& words);

}  // namespace busbar
