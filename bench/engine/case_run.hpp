// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/engine/arrival.hpp"
#include "bench/engine/sampler.hpp"
#include "core/job/ranks.hpp"
#include "core/machine/contention.hpp"
#include "core/record/case_record.hpp"
#include "core/sampling/stop_rules.hpp"

namespace busbar {

/// A case on its way through the rounds, on one rank: what was sampled so far, and the record that is made of it.
/// What is the same on every rank is kept on every rank, but for the raw samples, which only rank 0 keeps.
class CaseRun {
 public:
  /// `timer_step_s`: steps of the clock. All that is referred to outlives this.
  CaseRun(const Case& spec, CaseRecord record, Layout layout, Checker checker, double timer_step_s);

  const Case& spec;
  CaseRecord record;
  Layout layout;
  Checker checker;
  std::optional<WindowLength> window;  ///< of Cadence::synchronised
  TelemetryMeter telemetry{nullptr};   ///< of this rank's GPU
  int warmup_calls = 0;                ///< before its first sample
  int repeat = 0;                      ///< calls timed as one; 0: not decided yet
  double cycle_s = 0;                  ///< of the last batch: one sample with everything around it, slowest rank

  /// Takes in a round. `at_s`: when it began, since the start of the run; `wall_s`: all of it.
  void add(const Batch& mine, const Combined& all, const Usage& usage, double at_s, double wall_s, bool keep_samples);

  /// A visit that is not taken in: its samples waited for CPUs. Says so where no other visit follows.
  void leave_out_waits() { only_waits_ = true; }

  /// As the stop rules want it. `now_s` since the start of the run, `left_s` until sampling has to end.
  [[nodiscard]] Sampling sampling(double now_s, double left_s) const;
  [[nodiscard]] std::uint64_t taken() const { return taken_; }
  /// What the last visit took; 0: there was none.
  [[nodiscard]] double visit_s() const { return visit_s_; }
  [[nodiscard]] bool wrong() const { return wrong_; }
  /// Rounds in a row without a valid sample.
  [[nodiscard]] int missed() const { return missed_; }

  struct Conclusion {
    EndedBy ended_by;
    std::span<const StopRule> rules;
    double confidence = 0.95;  ///< of the interval
    std::size_t keep = 0;      ///< most raw samples for the record
    double clock_error_s = 0;  ///< of global times
    bool check = true;         ///< results were looked at
    bool costs = false;        ///< Batch::costs were taken
    SampleClock clock = SampleClock::host;
    const Ranks& ranks;
  };
  /// Collective. What the case has come to, now: the whole record on rank 0; on other ranks key, status and check are
  /// right.
  [[nodiscard]] CaseRecord conclude(Group&, const Conclusion&);

 private:
  [[nodiscard]] std::string why_no_sample(EndedBy) const;
  void fill(Group&, const Conclusion&);
  void set_check(Group&, const Conclusion&);
  void summarise_ranks(Group&, const Conclusion&);
  void summarise_samples(const Conclusion&);
  void summarise_arrival(Group&, const Conclusion&);

  double step_s_;
  std::vector<Round> rounds_;
  std::vector<double> medians_s_;
  std::vector<double> other_medians_s_;                       ///< by the clock that the samples are not read from
  std::vector<GatedTimes> gated_medians_;                     ///< of each part, a batch each
  std::vector<std::vector<double>> samples_s_;                ///< a row a round; rank 0
  std::vector<double> own_min_s_, own_median_s_, own_max_s_;  ///< by round
  Arrivals arrivals_;
  std::vector<double> skew_s_, transfer_s_;  ///< medians by round
  std::uint64_t taken_ = 0, invalid_ = 0;
  double spent_s_ = 0, visit_s_ = 0;
  int missed_ = 0;
  bool wrong_ = false, only_waits_ = false;
  Costs costs_;
  Usage usage_;
};

}  // namespace busbar
