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
  sleep,  ///< leaving the core to others, so that many devices share few cores
  spin,   ///< keeping the core: exact, for a core each
};

/// A device that takes time and computes nothing. Of one thread.
class ReplayDevice {
 public:
  explicit ReplayDevice(Pace pace) : pace_(pace) {}
  /// A phase begins, behind what the caller did since the last one.
  void begin();
  /// Returns when the device has computed for `us` more. What the caller does between two calls of one phase goes on
  /// beside the device, as on a stream of its own; the device waits for the caller at begin() alone.
  void compute(double us);
  /// The most that a wait has overshot, in seconds. Milliseconds mean that the devices are too many for the cores.
  [[nodiscard]] double worst_late_s() const { return static_cast<double>(worst_late_ns_) * 1e-9; }

 private:
  Pace pace_;
  DeviceTime time_;
  std::int64_t worst_late_ns_ = 0;
};

/// Floats that take at least as many bytes as `elements` of a gradient of `element_bytes` each: how a replayed gradient
/// is held, so that reducing it as fp32 puts the profile's bytes on the wire (up to 3 bytes more a gradient).
[[nodiscard]] std::size_t replay_floats(std::uint64_t elements, int element_bytes);

/// A training step that takes the time of a profile. Gradients are made at construction and hold a pattern; there are
/// no weights. forward(), backward() and update() are a phase each.
class ReplayCompute final : public Compute {
 public:
  /// Throws std::bad_alloc where memory is lacking: gradients take the profile's gradient_bytes().
  /// `with_data` false: they have their size and no content.
  ReplayCompute(const Profile& profile, int rank, Pace pace = Pace::sleep, bool with_data = true);

  /// Named "LAYER.N", N counting through the gradients of a layer.
  [[nodiscard]] const std::vector<Stripe>& stripes() const override { return stripes_; }
  [[nodiscard]] std::span<float> weights() override { return {}; }
  [[nodiscard]] std::span<float> gradients() override { return gradients_; }

  /// Gives the gradients this rank's pattern again, as a reduction leaves means there.
  void reset() override;
  std::optional<double> forward() override;
  void backward(const Ready& ready) override;
  [[nodiscard]] std::optional<double> computed_s() const override { return backward_s_; }
  [[nodiscard]] bool with_data() const override { return with_data_; }
  /// Takes the optimiser's time in proportion to the floats in [begin, end).
  void update(std::size_t begin, std::size_t end) override;

  /// Gradient `index` of a rank, a small whole number: sums over ranks are exact in fp32.
  [[nodiscard]] static float pattern(int rank, std::size_t index);
  /// What gradient `index` is when it is the mean over ranks 0 to `ranks` - 1, but for the rounding of the division.
  [[nodiscard]] static float mean_pattern(int ranks, std::size_t index);

  /// For whoever replays the events of a profile itself, with communication between them.
  [[nodiscard]] ReplayDevice& device() { return device_; }

 private:
  /// A backward event: its time, and where its gradients end; no gradients, where the one in front of it ends.
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
  std::span<float> gradients_;  ///< in it
  ReplayDevice device_;
};

}  // namespace busbar
