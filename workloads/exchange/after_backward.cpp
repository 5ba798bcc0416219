// SPDX-License-Identifier: Apache-2.0
#include "workloads/exchange/buckets.hpp"

namespace busbar {
namespace {

class AfterBackward final : public BucketExchange {
 public:
  using BucketExchange::BucketExchange;

  void ready(std::size_t /*nothing happens before all are*/) override {}
  void finish() override {
    const Stopwatch watch;
    for (std::size_t i = 0; i < buckets_.size(); ++i) mean_of(reducer_, part(i));
    communicating_s_ += watch.seconds();
  }
};

}  // namespace

extern const ExchangeKind after_backward{
    .name = "none",
    .about = "all buckets after the backward pass",
    .make = &make_exchange<AfterBackward>,
};

}  // namespace busbar
