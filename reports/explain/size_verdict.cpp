// SPDX-License-Identifier: Apache-2.0
#include "reports/explain/size_verdict.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/grades/grade.hpp"
#include "core/record/case_record.hpp"
#include "reports/expected/expected.hpp"
#include "reports/explain/curve.hpp"

namespace busbar::explain {
namespace {

using report::ChartPoint;
using report::Judgement;
using report::SizeVerdict;

constexpr double plain_fall = 0.8;  ///< of the highest busbw: what is named
constexpr double tells = 0.1;       ///< least growing share that says how fast the data moves
constexpr double nearly_all = 0.8;  ///< growing share from which latency does not excuse a low bandwidth

bool is_doubtful(const KnownOfCase& known) {
  const auto casts_doubt = [](const Found* f) {
    return f->rule->suspicious && f->finding.certainty != Certainty::possible;
  };
  return (known.grade != nullptr && known.grade->grade == Grade::d) || std::ranges::any_of(known.found, casts_doubt);
}

/// Judges the share of the ceiling that the growing part of the time reaches.
Judgement judge_bandwidth(const ChartPoint& point, double growing) {
  if (!point.ceiling_GBps || !point.busbw_GBps || growing < tells) return Judgement::open;
  const double achieved = *point.busbw_GBps / *point.ceiling_GBps;
  if (achieved / growing >= expected::enough) return Judgement::good;
  return growing >= nearly_all && achieved < expected::little ? Judgement::doubtful : Judgement::open;
}

/// The points of a line by ascending size, each with what is known of it.
struct LinePoint {
  ChartPoint* point = nullptr;
  const KnownOfCase* known = nullptr;
};
using LinePoints = std::vector<LinePoint>;

/// A point between its neighbours: the nearest sizes that are not doubtful themselves.
struct Neighbours {
  Curve curve;
  std::size_t here = 0;  ///< place of the point

  Neighbours(const LinePoints& line, std::size_t i) {
    const auto fits = [&](const LinePoint& p) {
      return p.point->bytes != line[i].point->bytes && !is_doubtful(*p.known);
    };
    const auto middle = line.begin() + static_cast<std::ptrdiff_t>(i);
    const auto left = std::find_if(std::make_reverse_iterator(middle), line.rend(), fits);
    if (left != line.rend()) add(*left);
    here = curve.points.size();
    add(*middle);
    if (const auto right = std::find_if(middle, line.end(), fits); right != line.end()) add(*right);
  }

 private:
  void add(const LinePoint& p) { curve.points.push_back({.bytes = p.point->bytes, .time_s = *p.point->time_s}); }
};

SizeVerdict verdict_of(const LinePoints& line, std::size_t i) {
  const auto& [point, known] = line[i];
  const Neighbours beside(line, i);
  SizeVerdict v{.over_line = over_line(beside.curve, beside.here),
                .growing_share = growing_share(beside.curve, beside.here)};
  v.judgement = is_doubtful(*known) ? Judgement::doubtful : judge_bandwidth(*point, v.growing_share.value_or(0));
  if (known->grade != nullptr) v.grade = known->grade->short_text();
  for (const Found* f : known->found)
    v.remarks.push_back(fmt::format("{} ({})", f->rule->about, name(f->finding.certainty)));
  return v;
}

/// "20 % of the busbw at 2 MiB"; empty unless well below that of `best`, the highest of all smaller sizes.
std::string fall_text(const ChartPoint* best, const ChartPoint& point) {
  if (best == nullptr || !point.busbw_GBps || *point.busbw_GBps > plain_fall * *best->busbw_GBps) return "";
  return fmt::format("{:.0f} % of the busbw at {}, the highest of all smaller sizes",
                     100 * *point.busbw_GBps / *best->busbw_GBps, format_size(best->bytes));
}

std::vector<LinePoints> lines_of(report::Charts& charts, const KnownOfCases& known) {
  static const KnownOfCase nothing;
  std::vector<LinePoints> lines(charts.lines.size());
  for (ChartPoint& p : charts.points) {
    const auto at = known.find(p.record);
    if (p.time_s && *p.time_s > 0) lines[p.line].push_back({&p, at == known.end() ? &nothing : &at->second});
  }
  for (LinePoints& line : lines) std::ranges::stable_sort(line, {}, [](const LinePoint& p) { return p.point->bytes; });
  return lines;
}

}  // namespace

void add_findings(KnownOfCases& known, const std::vector<ExplainedRun>& runs) {
  for (const ExplainedRun& run : runs)
    for (const Found& found : run.explanation.found)
      for (const CaseRecord* c : found.finding.where.cases) known[c].found.push_back(&found);
}

void judge_sizes(report::Charts& charts, const KnownOfCases& known) {
  for (const LinePoints& line : lines_of(charts, known)) {
    const ChartPoint* best = nullptr;
    for (std::size_t i = 0; i < line.size(); ++i) {
      ChartPoint& point = *line[i].point;
      point.verdict = verdict_of(line, i);
      if (std::string fall = fall_text(best, point); !fall.empty()) point.verdict->remarks.push_back(std::move(fall));
      if (point.busbw_GBps && (best == nullptr || *point.busbw_GBps > *best->busbw_GBps)) best = &point;
    }
  }
}

}  // namespace busbar::explain
