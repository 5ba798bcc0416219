// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/ranks/group.hpp"
#include "preflight/contact/roll.hpp"

namespace busbar::preflight {

/// The control plane for a backend; no message waits longer than the stage's limit. If others do not answer, throws
/// Error, or Silence on rank 0 of the job. Does not support send() and receive().
class LimitedGroup final : public Group {
 public:
  /// All ranks of a job. `roll` must outlive this.
  explicit LimitedGroup(Roll& roll);
  /// This rank and `other`; the lower one is rank 0. Each exchange takes `limit_s` at most.
  LimitedGroup(Roll& roll, int other, double limit_s);

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  void barrier() override { (void)texts_(""); }
  void barrier_asleep() override { barrier(); }
  using Group::all_gather;
  [[nodiscard]] std::vector<double> all_gather(std::span<const double> mine) override;
  [[nodiscard]] std::vector<std::string> all_gather(const std::string& mine) override { return texts_(mine); }
  using Group::broadcast;
  [[nodiscard]] std::string broadcast(std::string text, int root) override;
  void max(std::span<double> values) override;
  void send(int to, double value) override;
  [[nodiscard]] double receive(int from) override;

 private:
  void do_abort(std::string_view why) noexcept override;

  Roll& roll_;
  int rank_, size_;
  std::function<std::vector<std::string>(const std::string& mine)> texts_;  ///< texts of all ranks, in rank order
};

}  // namespace busbar::preflight
