// SPDX-License-Identifier: Apache-2.0
#include "workloads/train/replica.hpp"

#include <algorithm>

#include "core/machine/local_clock.hpp"

namespace busbar {

StepTimes& StepTimes::operator+=(const StepTimes& more) {
  for (const auto part : parts_of_step) this->*part += more.*part;
  return *this;
}

Replica::Replica(Compute& compute, int micro_batches, Reducer* reducer, const ExchangeKind& kind,
                 std::vector<Bucket> buckets)
    : compute_(compute), micro_batches_(micro_batches), reducer_(reducer), buckets_(std::move(buckets)) {
  if (reducer_ != nullptr) exchange_ = kind.make(*reducer_, compute_.gradients(), buckets_);
  if (micro_batches_ > 1 && compute_.with_data()) sum_.resize(compute_.gradients().size());
}

std::span<float> Replica::state() {
  if (!compute_.with_data()) return {};
  return parameters();
}

std::span<float> Replica::parameters() {
  return compute_.weights().empty() ? compute_.gradients() : compute_.weights();
}

/// Each gradient is nonzero on one rank only, so sums are exact in any type and for any number of ranks.
std::optional<Replica::Wrong> Replica::verify(int rank) {
  if (!exchange_ || !compute_.with_data()) return std::nullopt;
  const auto ranks = static_cast<std::size_t>(reducer_->ranks()), me = static_cast<std::size_t>(rank);
  const auto value = [](std::size_t i) { return static_cast<float>(1 + i % 7); };
  const std::span<float> gradients = compute_.gradients();
  for (std::size_t i = 0; i < gradients.size(); ++i) gradients[i] = i % ranks == me ? value(i) : 0;
  exchange_->ready(gradients.size());
  exchange_->finish();
  const float factor = 1.0F / static_cast<float>(ranks);
  for (const Bucket& bucket : buckets_) {
    const Bucket mine = reducer_->share(bucket);
    for (std::size_t i = mine.begin; i < mine.end; ++i)
      if (gradients[i] != value(i) * factor)
        return Wrong{.index = i, .found = gradients[i], .expected = value(i) * factor};
  }
  return std::nullopt;
}

/// After the last micro-batch, the gradients are means over all of them.
void Replica::add_up(std::size_t begin, std::size_t end, int micro_batch) {
  const std::span<float> gradients = compute_.gradients();
  const bool first = micro_batch == 0, last = micro_batch + 1 == micro_batches_;
  const float factor = 1.0F / static_cast<float>(micro_batches_);
  for (std::size_t i = begin; i < end; ++i) {
    const float sum = first ? gradients[i] : sum_[i] + gradients[i];
    (last ? gradients[i] : sum_[i]) = last ? sum * factor : sum;
  }
}

void Replica::backward(StepTimes& times, int micro_batch) {
  const std::int64_t begin_ns = steady_ns();
  double exchange_s = 0;
  compute_.backward([&](std::size_t begin, std::size_t end) {
    if (!sum_.empty()) add_up(begin, end, micro_batch);
    if (!exchange_ || micro_batch + 1 < micro_batches_) return;
    const std::int64_t ready_ns = steady_ns();
    exchange_->ready(end);
    exchange_s += seconds_since(ready_ns);
  });
  const double took_s = seconds_since(begin_ns);
  double computed_s = took_s - exchange_s;
  if (exchange_ && exchange_->beside_device())
    computed_s = std::min(took_s, compute_.computed_s().value_or(computed_s));
  times.backward_s += computed_s;
  times.exposed_s += took_s - computed_s;
}

void Replica::update(StepTimes& times) {
  const std::int64_t begin_ns = steady_ns();
  if (!exchange_) {
    compute_.update(0, compute_.gradients().size());
  } else {
    for (const Bucket& bucket : buckets_) {
      const Bucket mine = reducer_->share(bucket);
      compute_.update(mine.begin, mine.end);
    }
  }
  times.optimiser_s += seconds_since(begin_ns);
  if (!exchange_) return;
  const std::int64_t spread_ns = steady_ns();
  for (const Bucket& bucket : buckets_) reducer_->spread(parameters().subspan(bucket.begin, bucket.size()));
  const double spread_s = seconds_since(spread_ns);
  times.exposed_s += spread_s;
  times.communicating_s += spread_s;
}

StepTimes Replica::step() {
  StepTimes times;
  const std::int64_t begin_ns = steady_ns();
  const double communicated_s = exchange_ ? exchange_->communicating_s() : 0;
  loss_.reset();
  for (int m = 0; m < micro_batches_; ++m) {
    const std::int64_t forward_ns = steady_ns();
    const auto loss = compute_.forward();
    if (loss) loss_ = loss_.value_or(0) + *loss / micro_batches_;
    times.forward_s += seconds_since(forward_ns);
    backward(times, m);
  }
  if (exchange_) {
    const std::int64_t finish_ns = steady_ns();
    exchange_->finish();
    times.exposed_s += seconds_since(finish_ns);
    times.communicating_s += exchange_->communicating_s() - communicated_s;
  }
  update(times);
  times.step_s = seconds_since(begin_ns);
  return times;
}

}  // namespace busbar
