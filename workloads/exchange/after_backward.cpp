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
    communicating_s_ += watch.seconds();
  }
  [[nodiscard]] double communicating_s() const override { return communicating_s_; }

 private:
  Reducer& reducer_;
  std::span<float> gradients_;
  const std::vector<Bucket> buckets_;
  double communicating_s_ = 0;
};

}  // namespace

extern const ExchangeKind after_backward{
    .name = "none",
    .about = "all buckets after the backward pass",
    .make = &make_exchange<AfterBackward>,
};

}  // namespace busbar
