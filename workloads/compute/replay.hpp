// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/elements/memory_space.hpp"
#include "workloads/compute/compute.hpp"
#include "workloads/compute/device_time.hpp"
#include "workloads/networks/profile.hpp"

namespace busbar {

/// How to wait for an emulated device.
enum class Pace {
  sleep,  ///< sleeps, so that many devices can share few cores
  spin,   ///< busy-waits: exact, but needs one core per device
};

/// A device that takes time but computes nothing. Single-threaded.
class ReplayDevice {
 public:
  explicit ReplayDevice(Pace pace) : pace_(pace) {}
  /// Starts a phase, after the caller's work since the last phase.
  void begin();
  /// Returns when the device has computed for `us` more microseconds. The caller's work between calls in one phase
  /// overlaps with the device, as with a separate stream; the device waits for the caller only at begin().
  void compute(double us);

 private:
  Pace pace_;
  DeviceTime time_;
};

/// Number of floats that cover `elements` gradient elements of `element_bytes` each. Replayed gradients are stored as
/// fp32, so reducing them sends the profile's bytes (at most 3 more per gradient).
[[nodiscard]] std::size_t replay_floats(std::uint64_t elements, int element_bytes);

/// A training step that takes the time of a profile. The constructor fills gradients with a pattern; there are no
/// weights. forward(), backward() and update() are one phase each.
class ReplayCompute final : public Compute {
 public:
  /// Throws std::bad_alloc if memory runs out: gradients need the profile's gradient_bytes(). With `with_data` false,
  /// gradients have a size but no content.
  ReplayCompute(const Profile& profile, int rank, Pace pace = Pace::sleep, bool with_data = true);

  /// Names are "LAYER.N", with N the index of the gradient within its layer.
  [[nodiscard]] const std::vector<Stripe>& stripes() const override { return stripes_; }
  [[nodiscard]] std::span<float> weights() override { return {}; }
  [[nodiscard]] std::span<float> gradients() override { return gradients_; }

  /// Restores this rank's gradient pattern, because a reduction overwrites it with means.
  void reset() override;
  std::optional<double> forward() override;
  void backward(const Ready& ready) override;
  [[nodiscard]] std::optional<double> computed_s() const override { return backward_s_; }
  [[nodiscard]] bool with_data() const override { return with_data_; }
  /// Takes a share of the optimiser's time, in proportion to the floats in [begin, end).
  void update(std::size_t begin, std::size_t end) override;

  /// Gradient `index` of a rank: a small integer, so that sums over ranks are exact in fp32.
  [[nodiscard]] static float pattern(int rank, std::size_t index);
  /// Mean of gradient `index` over ranks 0 to `ranks` - 1, before rounding of the division.
  [[nodiscard]] static float mean_pattern(int ranks, std::size_t index);

 private:
  /// A backward event: its time and the end of its gradients, which is the previous event's end if it has none.
  struct Work {
    double us = 0;
    std::size_t end = 0;
  };
  int rank_;
  bool with_data_;
  double forward_us_, optimiser_us_, backward_s_ = 0;
  std::vector<Work> backward_;
  std::vector<Stripe> stripes_;
  std::unique_ptr<MemorySpace> memory_;
  Buffer buffer_;
  std::span<float> gradients_;  ///< view of buffer_
  ReplayDevice device_;
};

}  // namespace busbar
