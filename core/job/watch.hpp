// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "core/group.hpp"
#include "core/job/guard/guard.hpp"
#include "core/job/prometheus.hpp"
#include "core/job/recorder.hpp"

namespace busbar {

/// What every rank of a program under mpirun does while cases are measured: it watches over the time, counts, and
/// writes what there is to write: the table and the record on rank 0, Prometheus' file on the first rank of each host.
class Watch {
 public:
  /// Collective. Opens the record, named after `what` where the user has not named it. Throws UsageError, the same on
  /// every rank, where it cannot be made. Everything that is referred to outlives this.
  Watch(Group& group, Guard& guard, const JobOptions& options, std::string program, const std::string& what,
        const std::string& id);

  /// Collective. `hosts`: of each rank, as a number. Throws UsageError as above for Prometheus' file, and where the
  /// record that is to be resumed is of another launch. Gives the exit code where that lacks nothing: this launch has
  /// nothing to do then.
  [[nodiscard]] std::optional<int> begin(const RunRecord& run, const std::vector<int>& hosts,
                                         const PlannedCases& planned);
  /// Whether a case of the plan is in the record already, by its number; the same on every rank.
  [[nodiscard]] bool kept(int index) const;
  /// Collective. The record cannot be written any further.
  [[nodiscard]] bool unwritable();

  /// `what` begins, which has --timeout from now on. A person at the terminal sees `where` in the run that is, how far
  /// it has come, how long they have waited, and `what`.
  void visit(const std::string& what, const std::string& where, const std::string& how_far = "");
  /// Where this rank is written down call by call.
  [[nodiscard]] Progress& progress() { return guard_.progress(); }
  /// This rank waits, for as long as it takes others that have their --timeout.
  void rest();
  void take(const CaseRecord& record);
  /// As Recorder::keep().
  void keep(std::span<const CaseRecord> unfinished);
  /// The screen; none on other ranks than 0.
  [[nodiscard]] Console* console() { return recorder_ ? &recorder_->console() : nullptr; }
  /// True: this rank knows that the run has to end.
  [[nodiscard]] bool interrupted() const;

  /// Collective. Ends the record and tells of what could not be written. `end`: what a program knows beside counts,
  /// status and time. Gives the exit code, the same on every rank.
  [[nodiscard]] int finish(EndRecord end);

 private:
  void write(const std::function<void()>& step);
  void keep_resumed(const RunRecord& run, const PlannedCases& planned);

  Group& group_;
  Guard& guard_;
  const JobOptions& options_;
  const std::string program_;
  const std::int64_t begin_ns_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();  ///< for people
  std::optional<Recorder> recorder_;
  std::optional<PrometheusFile> prometheus_;
  KeptCases kept_;  ///< empty: all are to be measured
  bool nothing_missing_ = false;
  EndRecord counted_;
};

}  // namespace busbar
