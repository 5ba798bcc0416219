// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/bucket_overlap.hpp"

#include <algorithm>
#include <cmath>

namespace busbar::predict {

std::vector<GradientBucket> gradient_buckets(const std::vector<Gradient>& gradients, std::uint64_t bytes_per_element,
                                             FusionLimits limits) {
  std::vector<GradientBucket> all;
  auto last = gradients.begin();
  std::size_t end = 0;
  for (const Bucket& bucket : fuse(gradients, bytes_per_element, limits)) {
    GradientBucket& one = all.emplace_back();
    one.bytes = static_cast<double>(bucket.size() * bytes_per_element);
    for (; end < bucket.end; ++last) {
      end += last->elements;
      one.ready = last->ready;
    }
  }
  return all;
}

std::vector<Gradient> equal_gradients(double elements) {
  constexpr int pieces = 100;
  std::vector<Gradient> all;
  double before = 0;
  for (int i = 1; i <= pieces; ++i) {
    const double up_to = std::round(elements * i / pieces);
    all.push_back({.name = {}, .elements = static_cast<std::uint64_t>(up_to - before), .ready = i / double{pieces}});
    before = up_to;
  }
  return all;
}

double exposed_exchange_s(std::span<const GradientBucket> buckets, std::span<const double> times_s, double backward_s) {
  double end_s = 0;
  for (std::size_t i = 0; i < buckets.size(); ++i) end_s = std::max(end_s, buckets[i].ready * backward_s) + times_s[i];
  return std::max(0.0, end_s - backward_s);
}

Span exposed_exchange_s(std::span<const GradientBucket> buckets, const std::vector<Span>& times_s, double backward_s) {
  Span exposed_s;
  for (double Span::* const limit : {&Span::value, &Span::low, &Span::high}) {
    std::vector<double> some;
    for (const Span& time_s : times_s) some.push_back(time_s.*limit);
    exposed_s.*limit = exposed_exchange_s(buckets, some, backward_s);
  }
  return exposed_s;
}

}  // namespace busbar::predict
