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

/// Collective over the group. With --anonymise: an Anonymiser with rank 0's key on every rank; else empty. Call it
/// before anything is measured or written. Throws UsageError, the same on every rank, if rank 0 has no key.
[[nodiscard]] std::optional<Anonymiser> make_anonymiser(Group& group, const JobOptions& options,
                                                        std::string_view program);

/// Services of every rank while cases are measured: limits their time, counts them and writes results. Rank 0 writes
/// the table and the record, the first rank of each host the Prometheus file.
class Watch {
 public:
  /// Collective over the group. Opens the record; `what` is used in its default name. Throws UsageError, the same on
  /// every rank, if it cannot be created. References must outlive this. `anonymiser` filters all output; it learns the
  /// hosts in begin(). `verdict`: for the end of the record; null: none.
  Watch(Group& group, Guard& guard, const JobOptions& options, std::string program, const std::string& what,
        const std::string& id, std::optional<Anonymiser> anonymiser = {}, VerdictOf verdict = nullptr);

  /// Collective over the group. `hosts`: host number of each rank. Throws UsageError, as above, for the Prometheus
  /// file, or if the resumed record is of another launch. Returns the exit code if that record is already complete.
  [[nodiscard]] std::optional<int> begin(const RunRecord& run, const std::vector<int>& hosts,
                                         const PlannedCases& planned);
  /// True if the record already has this case of the plan; the same on every rank.
  [[nodiscard]] bool kept(int index) const;
  /// Collective over the group. True if the record can no longer be written.
  [[nodiscard]] bool unwritable();

  /// Collective over the group. Usual barrier time of earlier launches like this; empty: unknown.
  [[nodiscard]] std::optional<double> usual_barrier_s();

  /// Begins `what`, limited by --timeout. The progress line shows `where`, `how_far`, the elapsed time and `what`.
  void visit(const std::string& what, const std::string& where, const std::string& how_far = "");
  /// Sets the time limit of this launch in seconds, for the progress line.
  void limit_time(std::optional<double> seconds) { limit_s_ = seconds; }
  /// Position of this rank, updated call by call.
  [[nodiscard]] Progress& progress() { return guard_.progress(); }
  /// This rank waits without a limit for others, which have their --timeout.
  void rest();
  void add_case(const CaseRecord& record);
  /// As Recorder::keep().
  void keep(std::span<const CaseRecord> unfinished);
  /// True on rank 0, which has the display.
  [[nodiscard]] bool shows() const { return recorder_.has_value(); }
  /// Prints lines below the table's rows so far, on rank 0.
  void print_text(const std::string& lines);
  /// True if this rank knows that the run has to end.
  [[nodiscard]] bool interrupted() const;

  /// Collective over the group. Completes the record and reports failed writes. `end`: everything except counts, status
  /// and time. Returns the exit code, the same on every rank.
  [[nodiscard]] int finish(EndRecord end);

 private:
  void write(const std::function<void()>& step);
  void keep_resumed(const RunRecord& run, const PlannedCases& planned);
  void tell(const CaseRecord& record);
  [[nodiscard]] std::string shown(const std::string& text) const {
    return anonymiser_ ? anonymiser_->without_names(text) : text;
  }

  Group& group_;
  Guard& guard_;
  const JobOptions& options_;
  const std::string program_;
  std::optional<Anonymiser> anonymiser_;
  const std::int64_t begin_ns_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();  ///< for the progress line
  std::optional<Recorder> recorder_;
  std::optional<PrometheusFile> prometheus_;
  KeptCases kept_;  ///< empty: measure all
  bool nothing_missing_ = false;
  CaseCounts counted_;
  std::optional<double> limit_s_;
};

}  // namespace busbar
