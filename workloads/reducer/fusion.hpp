// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/compute/compute.hpp"

namespace busbar {

/// A contiguous range of the flat gradient array, reduced by one call.
struct Bucket {
  std::size_t begin = 0, end = 0;  ///< in floats
  [[nodiscard]] std::size_t size() const { return end - begin; }
  bool operator==(const Bucket&) const = default;
};

/// Size at which a bucket is closed, in bytes on the wire.
struct FusionLimits {
  std::uint64_t first = 0, others = 0;
};

/// Fuses gradients into buckets in order of readiness, like PyTorch's DistributedDataParallel. A bucket is closed once
/// it has reached its limit, so buckets overshoot. The first bucket has its own limit, so that communication starts
/// early (Li et al.: PyTorch Distributed, VLDB 2020). A limit of 0 makes one bucket per gradient.
[[nodiscard]] std::vector<Bucket> fuse(const std::vector<Stripe>& gradients, std::size_t bytes_per_element,
                                       FusionLimits limits);

}  // namespace busbar
