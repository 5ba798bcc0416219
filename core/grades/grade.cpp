// SPDX-License-Identifier: Apache-2.0
#include "core/grades/grade.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/settling.hpp"
#include "core/record/status.hpp"
#include "core/statistics/interval.hpp"

namespace busbar {
namespace {

using Reasons = std::vector<GradeReason>;

constexpr double noise_b = 0.05, noise_c = 0.20;  ///< of CPU time, lost on the worst rank before the first case
constexpr double modes_c = 1.2;                   ///< slow rounds over fast rounds
constexpr double missed_b = 0.1, missed_c = 0.5;  ///< of the samples
constexpr double far_checks_b = 0.25;             ///< of the checks that found ranks on distant CPUs

double percent(double share) { return 100 * share; }

void add_noise(const RunRecord& run, Reasons& all) {
  double most = 0;
  for (const Noise& noise : run.noise) most = std::max(most, noise.stolen_share);
  if (most >= noise_b)
    all.push_back({.doubt = Doubt::noise,
                   .at_most = most >= noise_c ? Grade::c : Grade::b,
                   .text = fmt::format("OS noise took {:.0f} % of a rank's CPU time", percent(most))});
}

void add_settling(const Settling& s, Reasons& all) {
  const double far = s.looks > 0 ? static_cast<double>(s.far) / static_cast<double>(s.looks) : 0;
  if (far >= far_checks_b)
    all.push_back({.doubt = Doubt::settling,
                   .at_most = Grade::b,
                   .text = fmt::format("{:.0f} % of checks found ranks on distant CPUs", percent(far))});
}

void add_end(const EndRecord& end, Reasons& all) {
  if (end.settling) add_settling(*end.settling, all);
  if (end.over_earlier && end.over_earlier->is_far())
    all.push_back({.doubt = Doubt::unusual_launch,
                   .at_most = Grade::c,
                   .text = fmt::format("this launch took {:.2f} times as long as {} earlier ones",
                                       end.over_earlier->ratio, end.over_earlier->launches)});
}

void add_check(const Check& check, Reasons& all) {
  if (check.state == CheckState::failed)
    all.push_back({.doubt = Doubt::check, .at_most = Grade::d, .text = "the data was wrong"});
  if (check.state == CheckState::off)
    all.push_back({.doubt = Doubt::check, .at_most = Grade::b, .text = "the data was not checked"});
}

/// The interval for later launches includes the effect of contention, so a narrow one limits the damage.
void add_contention(const CaseRecord& c, Reasons& all) {
  if (!c.contention || !c.contention->contended()) return;
  const bool narrow = c.interval_of_launches_s && relative_half_width(*c.interval_of_launches_s) <= widest_c;
  all.push_back({.doubt = Doubt::contention,
                 .at_most = narrow ? Grade::c : Grade::d,
                 .text = fmt::format("CPU contention: {}", fmt::join(c.contention->reasons, "; "))});
}

Grade grade_of_width(double half_width) {
  if (half_width <= widest_a) return Grade::a;
  if (half_width <= widest_b) return Grade::b;
  return half_width <= widest_c ? Grade::c : Grade::d;
}

void add_width(const CaseRecord& c, Reasons& all) {
  const auto& interval = c.interval_of_launches_s ? c.interval_of_launches_s : c.interval_s;
  if (!interval) {
    all.push_back({.doubt = Doubt::no_interval,
                   .at_most = c.status == Status::ok ? Grade::b : Grade::c,
                   .text = c.status == Status::ok ? "no interval is known" : "too few rounds for an interval"});
    return;
  }
  const double width = relative_half_width(*interval);
  if (const Grade at_most = grade_of_width(width); at_most != Grade::a)
    all.push_back({.doubt = Doubt::width,
                   .at_most = at_most,
                   .text = fmt::format("interval +-{:.2g} %{}", percent(width),
                                       c.interval_of_launches_s ? " for later launches" : "")});
}

bool is_drift(const std::string& remark) {
  return remark.find("times rose") != std::string::npos || remark.find("times fell") != std::string::npos ||
         remark.find("warm-up had not ended") != std::string::npos;
}

void add_rounds(const CaseRecord& c, Reasons& all) {
  if (c.modes && c.modes->low.median_s > 0) {
    const double apart = c.modes->high.median_s / c.modes->low.median_s;
    all.push_back({.doubt = Doubt::bimodal,
                   .at_most = apart >= modes_c ? Grade::c : Grade::b,
                   .text = fmt::format("bimodal: slow rounds take {:.2f} times as long as fast ones", apart)});
  }
  if (const auto remark = std::ranges::find_if(c.remarks, is_drift); remark != c.remarks.end())
    all.push_back({.doubt = Doubt::drift, .at_most = Grade::b, .text = *remark});
  if (c.invalid_samples && c.samples_taken && *c.invalid_samples > 0) {
    const auto missed = static_cast<double>(*c.invalid_samples);
    const double share = missed / (missed + static_cast<double>(*c.samples_taken));
    if (share >= missed_b)
      all.push_back({.doubt = Doubt::missed_windows,
                     .at_most = share >= missed_c ? Grade::c : Grade::b,
                     .text = fmt::format("{:.0f} % of the samples missed their window", percent(share))});
  }
}

void add_case(const CaseRecord& c, Reasons& all) {
  add_contention(c, all);
  add_width(c, all);
  add_rounds(c, all);
  if (c.throttled.value_or(false))
    all.push_back({.doubt = Doubt::throttled, .at_most = Grade::c, .text = "a GPU was throttled"});
}

}  // namespace

Grader::Grader(const RunRecord& run, const EndRecord* end) : simulated_(is_simulated(run)) {
  if (simulated_) {
    of_run_.push_back({.doubt = Doubt::simulated, .at_most = Grade::c, .text = "simulated, not measured"});
    return;
  }
  if (std::ranges::any_of(run.hosts, [](const Host& host) { return host.lab.has_value(); }))
    of_run_.push_back({.doubt = Doubt::lab, .at_most = Grade::b, .text = "lab: the links are emulated"});
  if (run.method.shared_gpu.value_or(false))
    of_run_.push_back({.doubt = Doubt::shared_gpu, .at_most = Grade::c, .text = "ranks shared a GPU"});
  if (!run.method.launch_spread || run.method.launch_spread->launches == 0)
    of_run_.push_back({.doubt = Doubt::one_launch,
                       .at_most = Grade::b,
                       .text = "one launch; how much launches differ here is not known"});
  add_noise(run, of_run_);
  if (end != nullptr) add_end(*end, of_run_);
}

Grader::Grader(const Run& run) : Grader(run.head, run.end ? &*run.end : nullptr) {}

std::optional<CaseGrade> Grader::grade_case(const CaseRecord& c) const {
  if (!c.time_s) return std::nullopt;
  CaseGrade graded{.reasons = of_run_};
  add_check(c.check, graded.reasons);
  if (!simulated_) add_case(c, graded.reasons);
  std::ranges::stable_sort(graded.reasons, std::ranges::greater{}, &GradeReason::at_most);
  if (!graded.reasons.empty()) graded.grade = graded.reasons.front().at_most;
  return graded;
}

std::string CaseGrade::short_text() const {
  const std::string why = doubts();
  return std::string(name(grade)) + (why.empty() ? "" : ": " + why);
}

std::string CaseGrade::doubts() const {
  std::vector<std::string_view> words;
  for (const GradeReason& reason : reasons)
    if (reason.at_most == grade) words.push_back(name(reason.doubt));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string CaseGrade::text() const {
  std::vector<std::string_view> texts;
  for (const GradeReason& reason : reasons) texts.emplace_back(reason.text);
  return fmt::format("{}", fmt::join(texts, "; "));
}

void GradeCounts::add_case(const CaseGrade& graded) {
  ++cases_;
  ++counts_[static_cast<std::size_t>(graded.grade)];
  for (const GradeReason& reason : graded.reasons)
    if (reason.at_most == graded.grade) ++doubts_[graded.grade][reason.doubt];
}

std::string GradeCounts::text() const {
  std::vector<std::string> counts;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (counts_[i] > 0) counts.push_back(fmt::format("{} {}", counts_[i], name(static_cast<Grade>(i))));
  return fmt::format("{}", fmt::join(counts, ", "));
}

std::string GradeCounts::doubts(Grade grade) const {
  const auto of_grade = doubts_.find(grade);
  if (of_grade == doubts_.end()) return "";
  std::vector<std::pair<Doubt, int>> sorted(of_grade->second.begin(), of_grade->second.end());
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &std::pair<Doubt, int>::second);
  std::vector<std::string> all;
  for (const auto& [doubt, cases] : sorted) all.push_back(fmt::format("{} ({})", name(doubt), cases));
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace busbar
