// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/compute/compute.hpp"

namespace busbar {

/// A stretch of the flat array of gradients that is reduced by one call.
struct Bucket {
  std::size_t begin = 0, end = 0;  ///< in floats
  [[nodiscard]] std::size_t size() const { return end - begin; }
  bool operator==(const Bucket&) const = default;
};

/// When a bucket is closed, in bytes on the wire.
struct FusionLimits {
  std::uint64_t first = 0, others = 0;
};

/// Fuses gradients in order of readiness as PyTorch's DistributedDataParallel does: a bucket takes gradients until it
/// has reached its limit, and is then closed, so buckets overshoot; the first has a limit of its own, so that
/// communication starts early (Li et al.: PyTorch Distributed, VLDB 2020). A limit of 0 closes after every gradient.
[[nodiscard]] std::vector<Bucket> fuse(const std::vector<Stripe>& gradients, std::size_t bytes_per_element,
                                       FusionLimits limits);

}  // namespace busbar
