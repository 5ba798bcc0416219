// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/grades/grade.hpp"
#include "core/record/run.hpp"
#include "reports/sections/overview.hpp"

/// How far the figures can be trusted: cases that something disturbed.
namespace busbar::report {
namespace {

/// True for what happened during the measurement; false for what it lacked by design.
bool is_disturbance(Doubt doubt) {
  switch (doubt) {
    case Doubt::check:
    case Doubt::contention:
    case Doubt::noise:
    case Doubt::bimodal:
    case Doubt::drift:
    case Doubt::missed_windows:
    case Doubt::throttled:
    case Doubt::settling:
    case Doubt::unusual_launch:
      return true;
    case Doubt::no_interval:
    case Doubt::width:
    case Doubt::shared_gpu:
    case Doubt::one_launch:
    case Doubt::lab:
    case Doubt::simulated:
      return false;
  }
  return false;
}

struct Disturbances {
  std::size_t cases = 0;      ///< with a grade
  std::size_t disturbed = 0;  ///< grade C or D by a disturbance
  std::size_t unusable = 0;   ///< of these, grade D
  std::map<Doubt, std::size_t> by;

  /// The most frequent one: "by contention", "mostly by throttling".
  [[nodiscard]] std::string cause() const {
    const Doubt most = std::ranges::max_element(by, {}, [](const auto& entry) { return entry.second; })->first;
    const std::string_view word = most == Doubt::throttled ? "throttling"
                                  : most == Doubt::bimodal ? "bimodal rounds"
                                  : most == Doubt::check   ? "failed data checks"
                                                           : name(most);
    return fmt::format("{} {}", by.size() == 1 ? "by" : "mostly by", word);
  }
};

void count_case(Disturbances& d, const CaseGrade& graded) {
  ++d.cases;
  const auto lowers = [](const GradeReason& r) { return r.at_most >= Grade::c && is_disturbance(r.doubt); };
  if (std::ranges::none_of(graded.reasons, lowers)) return;
  ++d.disturbed;
  d.unusable += graded.grade == Grade::d;
  for (const GradeReason& r : graded.reasons)
    if (lowers(r)) ++d.by[r.doubt];
}

Disturbances count_disturbances(const Material& material) {
  Disturbances d;
  for (std::size_t i = 0; i < material.runs().size(); ++i) {
    // Nothing is known of what disturbed others.
    if (material.runs()[i].head.origin != Origin::measured) continue;
    for (const auto& graded : material.grades()[i])
      if (graded) count_case(d, *graded);
  }
  return d;
}

Judgement judge(const Disturbances& d) {
  if (2 * d.unusable >= d.cases) return Judgement::bad;
  if (2 * d.disturbed >= d.cases) return Judgement::doubtful;
  return 10 * d.disturbed <= d.cases ? Judgement::good : Judgement::open;
}

Highlight find_quality(const Material& material) {
  const Disturbances d = count_disturbances(material);
  if (d.cases == 0) return {};
  Highlight found{.judgement = judge(d)};
  found.figures.push_back(
      {.title = "disturbed cases",
       .value = std::to_string(d.disturbed),
       .unit = fmt::format("of {}", d.cases),
       .expected =
           d.disturbed > 0 ? fmt::format("{}{}", found.judgement == Judgement::good ? "few, " : "", d.cause()) : "",
       .scope = "grade C or D by a disturbance",
       .judgement = found.judgement,
       .link = "disturbances"});
  if (d.disturbed > 0) found.rules.emplace_back("disturbed");
  if (found.judgement == Judgement::bad) {
    found.weight = Weight::quality;
    found.verdict = fmt::format("Not usable: {} of {} were disturbed, {}; stop other work and measure again",
                                d.disturbed, plural(d.cases, "case"), d.cause());
  } else if (d.disturbed > 0) {
    found.doubt = fmt::format("{} of {} were disturbed, {}", d.disturbed, plural(d.cases, "case"), d.cause());
    found.remarks.push_back({.text = found.doubt, .link = "disturbances"});
  }
  if (found.judgement != Judgement::doubtful && found.judgement != Judgement::bad) found.judgement = Judgement::good;
  return found;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::HighlightSource quality{.name = "quality", .find = report::find_quality};

}  // namespace busbar
