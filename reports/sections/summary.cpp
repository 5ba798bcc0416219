// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/grades/grade.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "core/tables/named_table.hpp"
#include "reports/compare/text.hpp"
#include "reports/runs/experiments.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

/// The main results in a line or two each: speed, scaling, comparison, hardware limit, problems. Sections below have
/// the details.
namespace busbar::report {
namespace {

constexpr std::size_t most_summary_lines = 6;  ///< per kind; the rest is counted

using Rows = std::vector<std::pair<std::string, std::string>>;

/// Adds lines under one title, and a count of those omitted.
void add_summary_line(Rows& rows, const std::string& title, const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < std::min(lines.size(), most_summary_lines); ++i)
    rows.emplace_back(i == 0 ? title : "", lines[i]);
  if (lines.size() > most_summary_lines)
    rows.emplace_back("", fmt::format("and {} more", lines.size() - most_summary_lines));
}

std::string percent_of(double share) { return fmt::format("{:.{}f} %", 100 * share, share < 0.1 ? 1 : 0); }

// Grades

/// Half of the cases and more have grade D.
bool is_unusable(const GradeCounts& grades) { return 2 * grades.count(Grade::d) >= grades.cases(); }

GradeCounts grades_of(const Run& run) {
  GradeCounts grades;
  const Grader grader(run);
  for (const CaseRecord& c : run.cases)
    if (const auto graded = grader.grade_case(c)) grades.add_case(*graded);
  return grades;
}

/// "usable: 9 B, 4 C; C by bimodal (4)", "NOT USABLE, measure again: 91 of 96 cases have grade D, by contention (91)".
std::string usability(const GradeCounts& grades) {
  if (is_unusable(grades))
    return fmt::format("NOT USABLE, measure again: {} of {} cases have grade D, by {}", grades.count(Grade::d),
                       grades.cases(), grades.doubts(Grade::d));
  const bool doubtful = 2 * (grades.count(Grade::c) + grades.count(Grade::d)) >= grades.cases();
  std::string s = fmt::format("{}: {}", doubtful ? "doubtful" : "usable", grades.text());
  for (const Grade grade : {Grade::c, Grade::d})
    if (grades.count(grade) > 0) s += fmt::format("; {} by {}", name(grade), grades.doubts(grade));
  return s;
}

/// A line for each run; unusable runs first.
std::vector<std::string> grades(const Material& material) {
  std::vector<std::string> lines, usable;
  for (std::size_t i = 0; i < material.runs().size(); ++i) {
    const GradeCounts counts = grades_of(material.runs()[i]);
    if (counts.cases() == 0) continue;
    const std::string of = material.runs().size() > 1 ? material.names()[i] + ": " : "";
    (is_unusable(counts) ? lines : usable).push_back(of + usability(counts));
  }
  lines.insert(lines.end(), usable.begin(), usable.end());
  return lines;
}

// Bandwidth and latency

/// The best cases of a collective over all runs. Never averages over sizes.
struct Best {
  const CaseRecord* widest = nullptr;
  const CaseRecord* fastest = nullptr;
  std::size_t widest_run = 0, fastest_run = 0;
};

bool wider(const CaseRecord& a, const CaseRecord* b) {
  return a.busbw_GBps && (b == nullptr || *a.busbw_GBps > *b->busbw_GBps);
}

std::string with_interval(const CaseRecord& c) {
  if (!c.interval_s || !(c.interval_s->low > 0)) return "";
  return fmt::format(" +- {:.2g} %", 100 * relative_half_width(*c.interval_s));
}

std::vector<std::string> collectives(const Material& material) {
  std::vector<std::string> order;
  std::map<std::string, Best> best;
  std::set<std::size_t> runs_seen;
  for (std::size_t run = 0; run < material.runs().size(); ++run) {
    const std::string simulated = is_simulated(material.runs()[run].head) ? " (simulated)" : "";
    for (const CaseRecord& c : material.runs()[run].cases) {
      if (!is_measured(c.status) || c.key.training || is_named(c.key) || c.key.bytes == 0 || !c.time_s) continue;
      runs_seen.insert(run);
      const auto [at, is_new] = best.try_emplace(subject(c.key) + simulated);
      if (is_new) order.push_back(at->first);
      Best& b = at->second;
      if (wider(c, b.widest)) std::tie(b.widest, b.widest_run) = std::pair(&c, run);
      if (b.fastest == nullptr || *c.time_s < *b.fastest->time_s)
        std::tie(b.fastest, b.fastest_run) = std::pair(&c, run);
    }
  }
  const bool several = runs_seen.size() > 1;
  const auto of = [&](std::size_t run) { return several ? " (" + material.names()[run] + ")" : ""; };
  std::vector<std::string> lines;
  for (const std::string& name : order) {
    const Best& b = best.at(name);
    std::string line = name + ": ";
    if (b.widest != nullptr)
      line += fmt::format("busbw up to {} GB/s{} at {} on {}{}; ", bandwidth(b.widest->busbw_GBps),
                          with_interval(*b.widest), format_size(b.widest->key.bytes), scale_text(b.widest->key),
                          of(b.widest_run));
    lines.push_back(line + fmt::format("shortest time {}{} at {}{}", duration(b.fastest->time_s),
                                       with_interval(*b.fastest), format_size(b.fastest->key.bytes),
                                       of(b.fastest_run)));
  }
  return lines;
}

// Scaling

std::vector<std::string> scaling(const Material& material) {
  std::vector<std::string> lines;
  for (const Model& model : models(material.runs())) {
    for (const Experiment& e : model.experiments) {
      if (!without_neighbours(e)) continue;
      const CaseRecord& largest = *e.cases.back();
      const auto scaled = scaling_of(e, largest);
      std::string line =
          fmt::format("{}, {}: {} {} on {}", model.name, e.label(), rate(largest.training->samples_per_s),
                      rate_unit(*largest.training), scale_text(largest.key));
      if (const CaseRecord* from = baseline_of(e); scaled && from != nullptr && from != &largest)
        line += fmt::format(", {:.2f} times {}: {} efficiency{}", scaled->speed_up, scale_text(from->key),
                            percent(std::optional(scaled->efficiency)),
                            scaled->efficiency_interval ? " (" + percent(scaled->efficiency_interval) + ")" : "");
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

// Comparison

/// "10675 images/s vs 10818 images/s, -1.3 %: inconclusive".
std::string one_point(const compare::ComparedCase& p) {
  return fmt::format("{} vs {}, {:+.1f} %: {}", compare::value_text(p, p.b.value), compare::value_text(p, p.a.value),
                     100 * (p.ratio.ratio() - 1), compare::verdict_text(p));
}

std::vector<std::string> verdicts(const Material& material) {
  const compare::Told* told = material.comparison();
  if (told == nullptr) return {};
  std::vector<std::string> lines;
  for (const compare::Set& set : told->comparison.sets) {
    for (const compare::Pair& pair : set.pairs) {
      if (pair.points.empty()) continue;
      std::string line = compare::pair_name(set, pair) + ": ";
      line += pair.points.size() == 1
                  ? one_point(pair.points[0])
                  : compare::count_text(pair, told->request.options) + "; ratios " + compare::range_text(pair);
      lines.push_back(line + (set.title.empty() ? "" : " (" + set.title + ")"));
    }
  }
  return lines;
}

// Hardware limit

std::vector<std::string> ceilings(const Material& material) {
  const expected::ExpectedPoint* best = nullptr;
  std::string run;
  for (const expected::ExpectedSeries& series : material.expected()) {
    for (const expected::ExpectedPoint& p : series.points) {
      if (!p.achieved() || (best != nullptr && *p.achieved() <= *best->achieved())) continue;
      best = &p;
      run = series.run;
    }
  }
  if (best == nullptr) return {};
  return {fmt::format("at best {} of {} ({} GB/s busbw), by {} at {}{}", percent_of(*best->achieved()),
                      best->ceiling()->what, bandwidth(best->ceiling()->busbw_GBps), subject(best->record->key),
                      format_size(best->record->key.bytes), material.runs().size() > 1 ? " (" + run + ")" : "")};
}

// Findings and failures

std::vector<std::string> findings(const Material& material) {
  std::vector<std::string> lines;
  for (const explain::ExplainedRun& r : material.explained()) {
    for (const explain::Found& found : r.explanation.found) {
      if (found.finding.certainty == explain::Certainty::possible) continue;
      lines.push_back(fmt::format("{}{} ({})", material.runs().size() > 1 ? r.name + ": " : "", found.finding.title,
                                  name(found.finding.certainty)));
    }
  }
  return lines;
}

std::vector<std::string> failures(const Material& material) {
  std::size_t failed = 0, skipped = 0;
  std::vector<std::string> ended;
  for (std::size_t i = 0; i < material.runs().size(); ++i) {
    const Run& run = material.runs()[i];
    for (const CaseRecord& c : run.cases) {
      failed += c.status == Status::failed;
      skipped += c.status == Status::skipped;
    }
    if (!run.end || (!ran_to_end(run.end->status) && run.end->status != EndStatus::unknown))
      ended.push_back(material.names()[i]);
  }
  std::vector<std::string> lines;
  if (failed > 0) lines.push_back(plural(failed, "case") + " failed");
  if (skipped > 0) lines.push_back(plural(skipped, "case") + " skipped");
  if (!ended.empty()) lines.push_back(plural(ended.size(), "run") + " did not finish: " + list(ended, 3));
  return lines;
}

std::vector<Block> summary_blocks(const Material& material) {
  KeyValues all{.title = "", .rows = {}};
  add_summary_line(all.rows, "grades", grades(material));
  add_summary_line(all.rows, "bandwidth and latency", collectives(material));
  add_summary_line(all.rows, "scaling", scaling(material));
  add_summary_line(all.rows, "comparison", verdicts(material));
  add_summary_line(all.rows, "hardware limit", ceilings(material));
  add_summary_line(all.rows, "findings", findings(material));
  add_summary_line(all.rows, "not measured", failures(material));
  if (all.rows.empty()) return {};
  return {all};
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section summary{.name = "summary", .title = "At a glance", .blocks = report::summary_blocks};

}  // namespace busbar
