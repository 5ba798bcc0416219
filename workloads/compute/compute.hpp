// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace busbar {

/// A named range of the flat arrays: one parameter, its gradient and its momentum.
struct Stripe {
  std::string name;
  std::size_t begin = 0, elements = 0;  ///< in floats
};

/// The compute side of a training step on one rank. No method is collective.
///
/// Weights, gradients and momenta are flat arrays with the same layout: stripes in the order in which backward produces
/// gradients. Neighbouring gradients can therefore be reduced by one call without copying. Each engine chooses the
/// order of elements inside a stripe; it is the same on all ranks with the same engine and processor type.
class Compute {
 public:
  /// Called in order and without gaps when gradients [begin, end) of the flat array are final.
  using Ready = std::function<void(std::size_t begin, std::size_t end)>;

  Compute() = default;
  Compute(const Compute&) = delete;
  Compute& operator=(const Compute&) = delete;
  virtual ~Compute() = default;

  [[nodiscard]] virtual const std::vector<Stripe>& stripes() const = 0;
  /// Empty if the engine only replays compute times.
  [[nodiscard]] virtual std::span<float> weights() = 0;
  [[nodiscard]] virtual std::span<float> gradients() = 0;

  /// Returns the mean loss over the batch; empty if nothing is computed.
  virtual std::optional<double> forward() = 0;
  /// Call after forward(). Computes the gradients of the mean loss.
  virtual void backward(const Ready& ready) = 0;
  /// Device compute time of the last backward() in seconds, if `ready` ran concurrently with the device. Empty: compute
  /// time is the duration of backward() minus the time in `ready`.
  [[nodiscard]] virtual std::optional<double> computed_s() const { return std::nullopt; }
  /// False: gradients have a size but no content (simulation).
  [[nodiscard]] virtual bool with_data() const { return true; }
  /// Restores the initial weights and clears all momenta. A replay restores its gradients instead.
  virtual void reset() = 0;
  /// Updates weights [begin, end) from their gradients, which must already be means over the ranks.
  virtual void update(std::size_t begin, std::size_t end) = 0;
};

}  // namespace busbar
