// SPDX-License-Identifier: Apache-2.0
#include "workloads/exchange/buckets.hpp"

namespace busbar {
namespace {

/// Starts the reduction of a bucket when it is complete, and lets MPI go on with it whenever a layer is done: Open MPI
/// moves a non-blocking collective forward inside of MPI calls only.
class ByPolling final : public Exchange {
 public:
  ByPolling(Reducer& reducer, std::span<float> gradients, std::vector<Bucket> buckets)
      : reducer_(reducer), gradients_(gradients), buckets_(std::move(buckets)) {}

  void ready(std::size_t end) override {
    const Stopwatch watch;
    for (; started_ < buckets_.size() && buckets_[started_].end <= end; ++started_) {
      if (!under_way_) busy_ = Stopwatch();
      under_way_ = true;
      reducer_.start(part(gradients_, buckets_[started_]));
    }
    if (under_way_ && reducer_.poll()) done();
    times_.exposed_s += watch.seconds();
  }

  void finish() override {
    const Stopwatch watch;
    reducer_.wait();
    if (under_way_) done();
    divide(gradients_, reducer_.ranks());
    times_.exposed_s += watch.seconds();
    times_.reductions += buckets_.size();
    started_ = 0;
  }
  [[nodiscard]] const ExchangeTimes& times() const override { return times_; }

 private:
  void done() {
    times_.communicating_s += busy_.seconds();
    under_way_ = false;
  }

  Reducer& reducer_;
  std::span<float> gradients_;
  const std::vector<Bucket> buckets_;
  std::size_t started_ = 0;
  bool under_way_ = false;
  Stopwatch busy_;
  ExchangeTimes times_;
};

}  // namespace

extern const ExchangeKind by_polling{
    .name = "poll",
    .about = "each bucket when it is complete, non-blocking, looked after at layer borders",
    .make = &make_exchange<ByPolling>,
};

}  // namespace busbar
