// SPDX-License-Identifier: Apache-2.0
#include "workloads/exchange/exchange.hpp"

#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/unit/thread_ranks.hpp"

namespace busbar::test {
namespace {

/// Sums over thread ranks. A started sum completes when waited for, or at the third poll.
class ThreadReducer : public Reducer {
 public:
  explicit ThreadReducer(Group& group) : group_(group) {}
  [[nodiscard]] int ranks() const override { return group_.size(); }
  void sum(std::span<float> values) override {
    const std::vector<double> mine(values.begin(), values.end());
    const auto all = group_.all_gather(std::span<const double>(mine));
    for (std::size_t i = 0; i < values.size(); ++i) {
      double total = 0;
      for (std::size_t from = i; from < all.size(); from += values.size()) total += all[from];
      values[i] = static_cast<float>(total);
    }
  }
  void start(std::span<float> values) override { started_.push_back(values); }
  [[nodiscard]] bool poll() override {
    if (++polls_ % 3 != 0) return started_.empty();
    wait();
    return true;
  }
  void wait() override {
    for (const auto& values : started_) sum(values);
    started_.clear();
  }

 private:
  Group& group_;
  std::vector<std::span<float>> started_;
  int polls_ = 0;
};

constexpr std::size_t size = 100;
const std::vector<Bucket> buckets{{0, 7}, {7, 60}, {60, 61}, {61, size}};

class Exchanges : public testing::TestWithParam<const ExchangeKind*> {};

TEST_P(Exchanges, AverageEveryGradientInEveryStep) {
  for (const int ranks : {1, 2, 3}) {
    run_ranks(ranks, [&](Group& group, Backend&) {
      ThreadReducer reducer(group);
      std::vector<float> gradients(size);
      const auto exchange = GetParam()->make(reducer, gradients, buckets);
      for (int step = 0; step < 5; ++step) {
        for (std::size_t end = 10; end <= size; end += 10) {
          for (std::size_t i = end - 10; i < end; ++i)
            gradients[i] = static_cast<float>(group.rank() + step) + static_cast<float>(i);
          exchange->ready(end);
        }
        exchange->finish();
        const float mean = static_cast<float>(ranks - 1) / 2;
        for (std::size_t i = 0; i < size; ++i)
          EXPECT_FLOAT_EQ(gradients[i], mean + static_cast<float>(step) + static_cast<float>(i)) << i;
      }
      EXPECT_GT(exchange->communicating_s(), 0);
    });
  }
}

/// Fails at the second bucket.
class Broken final : public ThreadReducer {
 public:
  using ThreadReducer::ThreadReducer;
  void sum(std::span<float> values) override {
    if (++calls_ == 2) throw std::runtime_error("the wire is cut");
    ThreadReducer::sum(values);
  }

 private:
  int calls_ = 0;
};

TEST_P(Exchanges, ForwardErrorsOfReductions) {
  run_ranks(2, [&](Group& group, Backend&) {
    Broken reducer(group);
    std::vector<float> gradients(size);
    const auto exchange = GetParam()->make(reducer, gradients, buckets);
    EXPECT_THROW(
        {
          exchange->ready(size);
          exchange->finish();
        },
        std::runtime_error);
  });
}

INSTANTIATE_TEST_SUITE_P(All, Exchanges, testing::ValuesIn(table<ExchangeKind>().begin(), table<ExchangeKind>().end()),
                         [](const auto& kind) { return std::string(kind.param->name); });

}  // namespace
}  // namespace busbar::test
