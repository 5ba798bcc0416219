// SPDX-License-Identifier: Apache-2.0
#include "workloads/exchange/buckets.hpp"

namespace busbar {
namespace {

class AfterBackward final : public Exchange {
 public:
  AfterBackward(Reducer& reducer, std::span<float> gradients, std::vector<Bucket> buckets)
      : reducer_(reducer), gradients_(gradients), buckets_(std::move(buckets)) {}

  void ready(std::size_t /*nothing happens before all are*/) override {}
  void finish() override {
    const Stopwatch watch;
    for (const Bucket& b : buckets_) mean_of(reducer_, part(gradients_, b));
    times_.exposed_s += watch.seconds();
    times_.communicating_s += watch.seconds();
    times_.reductions += buckets_.size();
  }
  [[nodiscard]] const ExchangeTimes& times() const override { return times_; }

 private:
  Reducer& reducer_;
  std::span<float> gradients_;
  const std::vector<Bucket> buckets_;
  ExchangeTimes times_;
};

}  // namespace

extern const ExchangeKind after_backward{
    .name = "none",
    .about = "all buckets after the backward pass",
    .make = &make_exchange<AfterBackward>,
};

}  // namespace busbar
