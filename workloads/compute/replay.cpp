// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/replay.hpp"

#include <cmath>
#include <map>

#include <fmt/core.h>

#include "core/machine/local_clock.hpp"
#include "core/ranks/here.hpp"

namespace busbar {
namespace {

/// Returns the time at which it returns; `now` if the deadline has passed.
std::int64_t wait_until(std::int64_t deadline, std::int64_t now, Pace pace) {
  for (; now < deadline; now = steady_ns())
    wait_towards(deadline, pace == Pace::sleep ? Waiting::sleep : Waiting::spin);
  return now;
}

}  // namespace

void ReplayDevice::begin() { time_.begin(steady_ns()); }

void ReplayDevice::compute(double us) {
  const std::int64_t deadline = time_.add(std::llround(us * 1e3));
  const std::int64_t now = steady_ns();
  time_.waited(now, wait_until(deadline, now, pace_));
}

std::size_t replay_floats(std::uint64_t elements, int element_bytes) {
  return (elements * static_cast<std::uint64_t>(element_bytes) + sizeof(float) - 1) / sizeof(float);
}

ReplayCompute::ReplayCompute(const Profile& profile, int rank, Pace pace, bool with_data)
    : rank_(rank),
      with_data_(with_data),
      forward_us_(forward_s(profile) * 1e6),
      optimiser_us_(profile.optimiser_us),
      memory_(here::memory(with_data)),
      device_(pace) {
  std::size_t floats = 0;
  std::map<std::string, int> counted;
  for (const BackwardEvent& e : profile.backward) {
    for (const std::uint64_t elements : e.gradients) {
      const std::size_t size = replay_floats(elements, profile.element_bytes);
      stripes_.push_back(
          {.name = fmt::format("{}.{}", e.layer, counted[e.layer]++), .begin = floats, .elements = size});
      floats += size;
    }
    backward_.push_back({.us = e.us, .end = floats});
    backward_s_ += e.us * 1e-6;
  }
  buffer_ = memory_->allocate(floats * sizeof(float));
  gradients_ = {reinterpret_cast<float*>(buffer_.get()), floats};
  reset();
}

std::optional<double> ReplayCompute::forward() {
  device_.begin();
  device_.compute(forward_us_);
  return std::nullopt;
}

void ReplayCompute::backward(const Ready& ready) {
  device_.begin();
  std::size_t done = 0;
  for (const Work& work : backward_) {
    device_.compute(work.us);
    if (work.end == done) continue;
    ready(done, work.end);
    done = work.end;
  }
}

void ReplayCompute::update(std::size_t begin, std::size_t end) {
  device_.begin();
  if (!gradients_.empty())
    device_.compute(optimiser_us_ * static_cast<double>(end - begin) / static_cast<double>(gradients_.size()));
}

float ReplayCompute::pattern(int rank, std::size_t index) {
  return static_cast<float>(rank + 1) + static_cast<float>(index % 7);
}

float ReplayCompute::mean_pattern(int ranks, std::size_t index) {
  return static_cast<float>(ranks + 1) / 2 + static_cast<float>(index % 7);
}

void ReplayCompute::reset() {
  if (!with_data_) return;
  for (std::size_t i = 0; i < gradients_.size(); ++i) gradients_[i] = pattern(rank_, i);
}

}  // namespace busbar
