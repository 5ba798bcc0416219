// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "workloads/reducer/fusion.hpp"

namespace busbar {

/// What moves gradients between the ranks that train together. Every method but share() and poll() is collective: all
/// ranks call them in the same order, each from one thread at a time.
class Reducer {
 public:
  Reducer() = default;
  Reducer(const Reducer&) = delete;
  Reducer& operator=(const Reducer&) = delete;
  virtual ~Reducer() = default;

  [[nodiscard]] virtual int ranks() const = 0;
  /// False: values have a size and no content, for a simulation.
  [[nodiscard]] virtual bool with_data() const { return true; }
  /// Replaces `values` by their sum over ranks, the same bits on all of them; returns when it is done. Where ranks
  /// share the update of the weights, only this rank's share of them.
  virtual void sum(std::span<float> values) = 0;
  /// Begins to; nobody touches `values` until wait(), or until poll() says that all is done.
  virtual void start(std::span<float> values) = 0;
  /// Lets what was started go on; true if all of it is done. Not collective.
  [[nodiscard]] virtual bool poll() = 0;
  /// Returns when all that was started is done.
  virtual void wait() = 0;

  /// The part of a bucket whose weights this rank updates. Not collective.
  [[nodiscard]] virtual Bucket share(const Bucket& bucket) const { return bucket; }
  /// Gives the weights of a bucket to all ranks, each from who updated them.
  virtual void spread(std::span<float> /*weights*/) {}
};

}  // namespace busbar
