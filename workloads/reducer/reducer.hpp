// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "workloads/networks/fusion.hpp"

namespace busbar {

/// Reduces gradients over the ranks that train together. All methods except share() and poll() are collective: all
/// ranks call them in the same order, each from one thread at a time.
class Reducer {
 public:
  Reducer() = default;
  Reducer(const Reducer&) = delete;
  Reducer& operator=(const Reducer&) = delete;
  virtual ~Reducer() = default;

  [[nodiscard]] virtual int ranks() const = 0;
  /// False: values have a size but no content (simulation).
  [[nodiscard]] virtual bool with_data() const { return true; }
  /// Replaces `values` by their sum over the ranks, bitwise identical on all ranks. Blocking. If ranks share the weight
  /// update, only this rank's share of `values` is valid.
  virtual void sum(std::span<float> values) = 0;
  /// Starts sum(). Do not touch `values` until wait() returns or poll() returns true.
  virtual void start(std::span<float> values) = 0;
  /// Progresses pending reductions; true if all are done. Not collective.
  [[nodiscard]] virtual bool poll() = 0;
  /// Waits for all pending reductions.
  virtual void wait() = 0;

  /// The part of a bucket whose weights this rank updates. Not collective.
  [[nodiscard]] virtual Bucket share(const Bucket& bucket) const { return bucket; }
  /// Sends each rank's updated share of a bucket's weights to all ranks.
  virtual void spread(std::span<float> /*weights*/) {}
};

}  // namespace busbar
