// SPDX-License-Identifier: Apache-2.0
#include "workloads/exchange/buckets.hpp"

namespace busbar {
namespace {

/// Starts the reduction of each complete bucket and polls MPI after each layer: Open MPI progresses non-blocking
/// collectives only inside MPI calls.
class ByPolling final : public Exchange {
 public:
  ByPolling(Reducer& reducer, std::span<float> gradients, std::vector<Bucket> buckets)
      : reducer_(reducer), gradients_(gradients), buckets_(std::move(buckets)) {}

  void ready(std::size_t end) override {
    for (; started_ < buckets_.size() && buckets_[started_].end <= end; ++started_) {
      if (!under_way_) busy_ = Stopwatch();
      under_way_ = true;
      reducer_.start(part(gradients_, buckets_[started_]));
    }
    if (under_way_ && reducer_.poll()) done();
  }

  void finish() override {
    reducer_.wait();
    if (under_way_) done();
    divide(gradients_, reducer_.ranks());
    started_ = 0;
  }
  [[nodiscard]] double communicating_s() const override { return communicating_s_; }

 private:
  void done() {
    communicating_s_ += busy_.seconds();
    under_way_ = false;
  }

  Reducer& reducer_;
  std::span<float> gradients_;
  const std::vector<Bucket> buckets_;
  std::size_t started_ = 0;
  bool under_way_ = false;
  Stopwatch busy_;
  double communicating_s_ = 0;
};

}  // namespace

extern const ExchangeKind by_polling{
    .name = "poll",
    .about = "each bucket when it is complete, non-blocking, looked after at layer borders",
    .make = &make_exchange<ByPolling>,
};

}  // namespace busbar
