// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>

#include "core/machine/local_clock.hpp"
#include "workloads/exchange/exchange.hpp"

/// Helpers shared by all kinds of exchange.
namespace busbar {

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const { return seconds_since(begin_ns_); }

 private:
  std::int64_t begin_ns_ = steady_ns();
};

inline void divide(std::span<float> values, int by) {
  const float factor = 1.0F / static_cast<float>(by);
  for (float& v : values) v *= factor;
}

/// Collective over the reducer's ranks. Replaces `values` by their mean over the ranks.
inline void mean_of(Reducer& reducer, std::span<float> values) {
  reducer.sum(values);
  if (reducer.with_data()) divide(values, reducer.ranks());
}

/// The state that all kinds have.
class BucketExchange : public Exchange {
 public:
  BucketExchange(Reducer& reducer, std::span<float> gradients, std::vector<Bucket> buckets)
      : reducer_(reducer), gradients_(gradients), buckets_(std::move(buckets)) {}
  [[nodiscard]] double communicating_s() const override { return communicating_s_; }

 protected:
  [[nodiscard]] std::span<float> part(std::size_t bucket) const {
    return gradients_.subspan(buckets_[bucket].begin, buckets_[bucket].size());
  }

  Reducer& reducer_;
  const std::span<float> gradients_;
  const std::vector<Bucket> buckets_;
  double communicating_s_ = 0;
};

template <class Kind>
std::unique_ptr<Exchange> make_exchange(Reducer& reducer, std::span<float> gradients, std::vector<Bucket> buckets) {
  return std::make_unique<Kind>(reducer, gradients, std::move(buckets));
}

}  // namespace busbar
