// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace busbar {

/// A contiguous range of the flat gradient array, reduced by one call.
struct Bucket {
  std::size_t begin = 0, end = 0;  ///< in elements
  [[nodiscard]] std::size_t size() const { return end - begin; }
  bool operator==(const Bucket&) const = default;
};

/// Size at which a bucket is closed, in bytes on the wire.
struct FusionLimits {
  std::uint64_t first = 0, others = 0;
};

/// Those of PyTorch's DistributedDataParallel, and of busbar-train.
inline constexpr FusionLimits usual_fusion{.first = std::uint64_t{1} << 20U, .others = std::uint64_t{25} << 20U};

/// Fuses gradients (anything with `elements`), in order of readiness and without gaps, into buckets, like PyTorch's
/// DistributedDataParallel. A bucket is closed once it has reached its limit, so buckets overshoot. The first bucket
/// has its own limit, so that communication starts early (Li et al.: PyTorch Distributed, VLDB 2020). A limit of 0
/// makes one bucket per gradient.
template <class Gradients>
[[nodiscard]] std::vector<Bucket> fuse(const Gradients& gradients, std::size_t bytes_per_element, FusionLimits limits) {
  std::vector<Bucket> buckets;
  bool open = false;
  std::size_t end = 0;
  for (const auto& gradient : gradients) {
    if (!open) buckets.push_back({.begin = end, .end = end});
    Bucket& bucket = buckets.back();
    bucket.end = end += gradient.elements;
    open = bucket.size() * bytes_per_element < (buckets.size() == 1 ? limits.first : limits.others);
  }
  return buckets;
}

}  // namespace busbar
