// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "core/job/guard/guard.hpp"
#include "core/job/prometheus.hpp"
#include "core/job/recorder.hpp"
#include "core/journal/anonymiser.hpp"
#include "core/ranks/group.hpp"
#include "core/record/end_record.hpp"
#include "core/record/fwd.hpp"
#include "core/record/status.hpp"

namespace busbar {

/// Collective. Where --anonymise asks for it, what makes aliases, with rank 0's key on every rank. To be called before
/// anything is measured or written. Throws UsageError, the same on every rank, where rank 0 has no key.
[[nodiscard]] std::optional<Anonymiser> make_anonymiser(Group& group, const JobOptions& options,
                                                        std::string_view program);

/// What every rank of a program under mpirun does while cases are measured: it watches over the time, counts, and
/// writes what there is to write: the table and the record on rank 0, Prometheus' file on the first rank of each host.
class Watch {
 public:
  /// Collective. Opens the record, named after `what` where the user has not named it. Throws UsageError, the same on
  /// every rank, where it cannot be made. Everything that is referred to outlives this. `anonymiser`: all that is shown
  /// and written goes through it; it learns the hosts in begin(). `verdict`: for the end of the record; null: none.
  Watch(Group& group, Guard& guard, const JobOptions& options, std::string program, const std::string& what,
        const std::string& id, std::optional<Anonymiser> anonymiser = {}, VerdictOf verdict = nullptr);

  /// Collective. `hosts`: of each rank, as a number. Throws UsageError as above for Prometheus' file, and where the
  /// record that is to be resumed is of another launch. Gives the exit code where that lacks nothing: this launch has
  /// nothing to do then.
  [[nodiscard]] std::optional<int> begin(const RunRecord& run, const std::vector<int>& hosts,
                                         const PlannedCases& planned);
  /// Whether a case of the plan is in the record already, by its number; the same on every rank.
  [[nodiscard]] bool kept(int index) const;
  /// Collective. The record cannot be written any further.
  [[nodiscard]] bool unwritable();

  /// Collective. What a barrier usually took in earlier launches like this one; empty: not known.
  [[nodiscard]] std::optional<double> usual_barrier_s();

  /// `what` begins, which has --timeout from now on. A person at the terminal sees `where` in the run that is, how far
  /// it has come, how long they have waited, and `what`.
  void visit(const std::string& what, const std::string& where, const std::string& how_far = "");
  /// Seconds that this launch may take, for the line that says how far it is.
  void limit_time(std::optional<double> seconds) { limit_s_ = seconds; }
  /// Where this rank is written down call by call.
  [[nodiscard]] Progress& progress() { return guard_.progress(); }
  /// This rank waits, for as long as it takes others that have their --timeout.
  void rest();
  void add_case(const CaseRecord& record);
  /// As Recorder::keep().
  void keep(std::span<const CaseRecord> unfinished);
  /// This rank has a screen: rank 0.
  [[nodiscard]] bool shows() const { return recorder_.has_value(); }
  /// Lines under the table's rows so far, where there is a screen.
  void text(const std::string& lines);
  /// True: this rank knows that the run has to end.
  [[nodiscard]] bool interrupted() const;

  /// Collective. Ends the record and tells of what could not be written. `end`: what a program knows beside counts,
  /// status and time. Gives the exit code, the same on every rank.
  [[nodiscard]] int finish(EndRecord end);

 private:
  void write(const std::function<void()>& step);
  void keep_resumed(const RunRecord& run, const PlannedCases& planned);
  void tell(const CaseRecord& record);
  [[nodiscard]] std::string shown(const std::string& text) const {
    return anonymiser_ ? anonymiser_->text(text) : text;
  }

  Group& group_;
  Guard& guard_;
  const JobOptions& options_;
  const std::string program_;
  std::optional<Anonymiser> anonymiser_;
  const std::int64_t begin_ns_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();  ///< for people
  std::optional<Recorder> recorder_;
  std::optional<PrometheusFile> prometheus_;
  KeptCases kept_;  ///< empty: all are to be measured
  bool nothing_missing_ = false;
  CaseCounts counted_;
  std::optional<double> limit_s_;
};

}  // namespace busbar
