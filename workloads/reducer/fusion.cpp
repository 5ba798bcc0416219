// SPDX-License-Identifier: Apache-2.0
#include "workloads/reducer/fusion.hpp"

namespace busbar {

std::vector<Bucket> fuse(const std::vector<Stripe>& gradients, std::size_t bytes_per_element, FusionLimits limits) {
  std::vector<Bucket> buckets;
  bool open = false;
  for (const Stripe& g : gradients) {
    if (!open) buckets.push_back({.begin = g.begin, .end = g.begin});
    Bucket& bucket = buckets.back();
    bucket.end = g.begin + g.elements;
    open = bucket.size() * bytes_per_element < (buckets.size() == 1 ? limits.first : limits.others);
  }
  return buckets;
}

}  // namespace busbar
