// SPDX-License-Identifier: Apache-2.0
#include "workloads/exchange/buckets.hpp"

namespace busbar {
namespace {

/// Starts the reduction of each complete bucket and polls MPI after each layer: Open MPI progresses non-blocking
/// collectives only inside MPI calls.
class ByPolling final : public BucketExchange {
 public:
  using BucketExchange::BucketExchange;

  void ready(std::size_t end) override {
    for (; started_ < buckets_.size() && buckets_[started_].end <= end; ++started_) {
      if (!under_way_) busy_ = Stopwatch();
      under_way_ = true;
      reducer_.start(part(started_));
    }
    if (under_way_ && reducer_.poll()) done();
  }

  void finish() override {
    reducer_.wait();
    if (under_way_) done();
    divide(gradients_, reducer_.ranks());
    started_ = 0;
  }

 private:
  void done() {
    communicating_s_ += busy_.seconds();
    under_way_ = false;
  }

  std::size_t started_ = 0;
  bool under_way_ = false;
  Stopwatch busy_;
};

}  // namespace

extern const ExchangeKind by_polling{
    .name = "poll",
    .about = "each bucket when it is complete, non-blocking, looked after at layer borders",
    .make = &make_exchange<ByPolling>,
};

}  // namespace busbar
