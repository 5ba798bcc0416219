// SPDX-License-Identifier: Apache-2.0
#include "workloads/exchange/buckets.hpp"

namespace busbar {
namespace {

/// Reduces each bucket on the caller's thread as soon as it is complete, blocking. If the caller's time overlaps with
/// the device's (--compute replay), this acts as a separate stream: buckets are reduced one after the other while the
/// device keeps computing.
class ByCaller final : public BucketExchange {
 public:
  using BucketExchange::BucketExchange;

  void ready(std::size_t end) override {
    const Stopwatch watch;
    for (; reduced_ < buckets_.size() && buckets_[reduced_].end <= end; ++reduced_) mean_of(reducer_, part(reduced_));
    communicating_s_ += watch.seconds();
  }
  void finish() override { reduced_ = 0; }
  [[nodiscard]] bool beside_device() const override { return true; }

 private:
  std::size_t reduced_ = 0;
};

}  // namespace

extern const ExchangeKind by_caller{
    .name = "stream",
    .about = "each bucket when it is complete, on a stream beside the device (--compute cudnn, replay)",
    .make = &make_exchange<ByCaller>,
};

}  // namespace busbar
