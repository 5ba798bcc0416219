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

/// A stretch of a flat array of floats: the gradient of one parameter, and where that parameter lies.
struct Stripe {
  std::string name;
  std::size_t begin = 0, elements = 0;  ///< in floats
};

/// What a training step computes, whoever computes it. One rank's; no method is collective.
///
/// Weights, gradients and momenta are flat arrays of the same layout: stripes in the order in which backward makes
/// gradients ready, so that neighbouring gradients are reduced by one call without being copied together. The order of
/// elements inside a stripe is the engine's own, the same on all ranks that run the same engine on the same processor.
class Compute {
 public:
  /// Called when gradients [begin, end) of the flat array are final, in order and without gaps.
  using Ready = std::function<void(std::size_t begin, std::size_t end)>;

  Compute() = default;
  Compute(const Compute&) = delete;
  Compute& operator=(const Compute&) = delete;
  virtual ~Compute() = default;

  [[nodiscard]] virtual const std::vector<Stripe>& stripes() const = 0;
  /// Empty where only the time of computing is replayed.
  [[nodiscard]] virtual std::span<float> weights() = 0;
  [[nodiscard]] virtual std::span<float> gradients() = 0;

  /// The mean loss over the batch; empty where nothing is computed.
  virtual std::optional<double> forward() = 0;
  /// After forward(). The gradients of the mean loss.
  virtual void backward(const Ready& ready) = 0;
  /// Seconds that the device computed in the last backward(), where what `ready` did meanwhile went on beside it;
  /// empty: as long as it took without `ready`.
  [[nodiscard]] virtual std::optional<double> computed_s() const { return std::nullopt; }
  /// False: gradients have a size and no content, for a simulation.
  [[nodiscard]] virtual bool with_data() const { return true; }
  /// Makes weights what they were at first, and forgets all momenta. Where only time is replayed, gradients.
  virtual void reset() = 0;
  /// Changes weights [begin, end) by their gradients, which are means over the ranks by now.
  virtual void update(std::size_t begin, std::size_t end) = 0;
};

}  // namespace busbar
