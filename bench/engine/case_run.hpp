// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "bench/engine/arrival.hpp"
#include "bench/engine/sampler.hpp"
#include "core/job/ranks.hpp"
#include "core/machine/contention.hpp"
#include "core/record/case_record.hpp"
#include "core/sampling/stop_rules.hpp"

namespace busbar {

/// The second call of an alternating case, on this rank.
struct SecondSpec {
  SecondSpec(const Case& first, Layout its_layout, MemorySpace& memory, const Pattern& data)
      : spec(first), layout(its_layout), checker(memory, spec, data) {
    spec.count = first.second_count;
  }
  SecondSpec(const SecondSpec&) = delete;
  SecondSpec& operator=(const SecondSpec&) = delete;

  Case spec;
  Layout layout;
  Checker checker;  ///< refers to spec
};

/// State of a case on one rank while rounds are measured, and the record made from it. Every rank keeps what is equal
/// on all ranks; only rank 0 keeps raw samples.
class CaseRun {
 public:
  /// `timer_step_s`: resolution of the clock. References must outlive this object.
  CaseRun(const Case& spec, CaseRecord record, Layout layout, Checker checker, double timer_step_s);

  const Case& spec;
  CaseRecord record;
  Layout layout;
  Checker checker;
  std::unique_ptr<SecondSpec> second;  ///< set if the case alternates two kinds of teams
  std::optional<WindowLength> window;  ///< set for Cadence::synchronised
  TelemetryMeter telemetry{nullptr};   ///< reads this rank's GPU
  int warmup_calls = 0;                ///< calls before the first sample
  int repeat = 0;                      ///< calls per sample; 0: not yet decided
  double alone_s = 0;                  ///< with work: duration of the call alone, for the next visit; 0: unknown
  double cycle_s = 0;                  ///< last batch: duration of one sample with all overhead, slowest rank

  /// Adds a round. `at_s`: its start, since the start of the run; `wall_s`: duration of the visit.
  void add(const Batch& mine, const Combined& all, const Usage& usage, double at_s, double wall_s, bool keep_samples);

  /// Notes a visit that is not added because its samples waited for CPUs: the reason if no other visit is added.
  void leave_out_waits() { only_waits_ = true; }

  /// Input for the stop rules. `now_s`: since the start of the run; `left_s`: until sampling has to end.
  [[nodiscard]] Sampling sampling(double now_s, double left_s) const;
  [[nodiscard]] std::uint64_t taken() const { return taken_; }
  /// Duration of the last visit; 0: none yet.
  [[nodiscard]] double visit_s() const { return visit_s_; }
  [[nodiscard]] bool wrong() const { return wrong_; }
  /// This rank has seen wrong data.
  [[nodiscard]] bool wrong_here() const { return checker.wrong() || (second && second->checker.wrong()); }
  /// Successive rounds without a valid sample.
  [[nodiscard]] int missed() const { return missed_; }

  struct Conclusion {
    EndedBy ended_by;
    std::span<const StopRule> rules;
    double confidence = 0.95;  ///< confidence level of the interval
    std::size_t keep = 0;      ///< maximum number of raw samples in the record
    double clock_error_s = 0;  ///< error of global times
    bool check = true;         ///< results were checked
    bool costs = false;        ///< Batch::costs were recorded
    SampleClock clock = SampleClock::host;
    const Ranks& ranks;
    std::span<const Team* const> kinds;  ///< of teams that the case calls, in order
  };
  /// Collective over the group. The record of the case so far: complete on rank 0; on other ranks only key, status and
  /// check are valid.
  [[nodiscard]] CaseRecord conclude(Group&, const Conclusion&);

 private:
  [[nodiscard]] std::string why_no_sample(EndedBy) const;
  void fill(Group&, const Conclusion&);
  void set_check(Group&, const Conclusion&);
  void note_alone(const Combined&);
  void summarise_times();
  void summarise_ranks(Group&, const Conclusion&);
  void summarise_samples(const Conclusion&);
  void summarise_teams(Group&, const Conclusion&);
  void summarise_kinds(const Conclusion&);
  void summarise_arrival(Group&, const Conclusion&);

  double step_s_;
  std::vector<Round> rounds_;
  std::vector<double> medians_s_;
  std::vector<double> other_medians_s_;         ///< by the other clock, one per round
  std::vector<OverlapRound> overlap_;           ///< with work; one per round
  std::vector<GatedTimes> gated_medians_;       ///< medians of each part, one per round
  std::vector<std::vector<double>> samples_s_;  ///< one row per round; rank 0 only
  struct KindRounds {
    std::vector<double> slowest_s, team_s;  ///< as KindTimes: medians, one per round
  };
  std::vector<KindRounds> kinds_;
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
