// SPDX-License-Identifier: Apache-2.0
#include "reports/sections/overview.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/core.h>

#include "core/grades/grade.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/runs/in_parallel.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {
namespace {

std::vector<Highlight> find_highlights(const Material& material) {
  const auto sources = table<HighlightSource>();
  std::vector<Highlight> all(sources.size());
  in_parallel(sources.size(), [&](std::size_t i) { all[i] = sources[i]->find(material); });
  return all;
}

std::string link_of(const Highlight& h) { return h.figures.empty() ? "findings" : h.figures.front().link; }

/// Adds what casts doubt on a verdict: "..., but 1 of 9 runs did not finish".
void add_doubts(Overview& overview, const std::vector<Highlight>& all) {
  std::size_t joined = 0;
  for (const Highlight& h : all) {
    if (h.weight != Weight::none || h.judgement <= Judgement::open) continue;
    if (overview.judgement < Judgement::bad && !h.doubt.empty())
      overview.verdict += (joined++ == 0 ? ", but " : " and ") + h.doubt;
    overview.judgement = std::max(overview.judgement, h.judgement);
  }
}

/// The verdict of the greatest weight; results are joined, two at most. Other verdicts become remarks.
void set_verdict(Overview& overview, const std::vector<Highlight>& all) {
  const auto weight = std::ranges::max_element(all, {}, &Highlight::weight)->weight;
  std::size_t joined = 0;
  for (const Highlight& h : all) {
    if (h.verdict.empty()) continue;
    if (h.weight != weight || joined == 2 || (joined == 1 && weight != Weight::result)) {
      if (h.weight > Weight::result) overview.remarks.push_back({.text = h.verdict, .link = link_of(h)});
      continue;
    }
    overview.verdict += (joined++ > 0 ? "; " : "") + h.verdict;
    overview.judgement = joined == 1 ? h.judgement : std::max(overview.judgement, h.judgement);
    overview.charts.push_back(h.chart);
  }
  if (overview.verdict.empty()) return;
  add_doubts(overview, all);
  overview.verdict += '.';
}

/// True if a highlight says in its own words what the rule found.
bool is_said(const std::vector<Highlight>& all, std::string_view rule) {
  return std::ranges::any_of(all, [=](const Highlight& h) { return std::ranges::count(h.rules, rule) > 0; });
}

}  // namespace

void set_time(KeyFigure& figure, std::optional<double> seconds) {
  figure.value = duration(seconds);
  const std::size_t space = figure.value.find(' ');
  if (space == std::string::npos) return;
  figure.unit = figure.value.substr(space + 1);
  figure.value.resize(space);
}

std::string disturbance_of(const Material& material, const CaseRecord& c) {
  const auto& runs = material.runs();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto& cases = runs[i].cases;
    const auto at = std::ranges::find(cases, &c, [](const CaseRecord& one) { return &one; });
    if (at == cases.end()) continue;
    const auto& graded = material.grades()[i][static_cast<std::size_t>(at - cases.begin())];
    return graded && graded->grade == Grade::d ? graded->doubts() : "";
  }
  return "";
}

void mark_disturbance(KeyFigure& figure, const std::string& disturbance) {
  if (disturbance.empty()) return;
  figure.expected += fmt::format("{}disturbed: {} (grade D)", figure.expected.empty() ? "" : "; ", disturbance);
  figure.judgement = std::max(figure.judgement, Judgement::doubtful);
}

Overview make_overview(const Material& material) {
  const std::vector<Highlight> all = find_highlights(material);
  Overview overview;
  set_verdict(overview, all);
  for (const Highlight& h : all) {
    std::ranges::copy(h.figures, std::back_inserter(overview.figures));
    std::ranges::copy_if(h.remarks, std::back_inserter(overview.remarks),
                         [&](const Remark& r) { return r.rule.empty() || !is_said(all, r.rule); });
    overview.charts.push_back(h.chart);
  }
  if (overview.figures.size() > most_figures) overview.figures.resize(most_figures);
  if (overview.remarks.size() > most_remarks) overview.remarks.resize(most_remarks);
  return overview;
}

}  // namespace busbar::report
