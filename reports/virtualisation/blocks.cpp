// SPDX-License-Identifier: Apache-2.0
#include "reports/virtualisation/blocks.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "reports/text/text.hpp"
#include "reports/virtualisation/conclusions.hpp"
#include "reports/virtualisation/texts.hpp"

namespace busbar::virtualisation {
namespace {

using compare::ComparedCase, report::Block, report::ColumnKind, report::Paragraph, report::Table;

std::string marked(const Study& study, std::string_view title) {
  return fmt::format("{}: {}{}", title, sides_text(study), study.emulated() ? " (emulated)" : "");
}

Table with_sides(const Study& study, std::string title, std::vector<report::Column> first,
                 std::vector<report::Column> last) {
  Table t{.title = std::move(title), .columns = std::move(first)};
  for (const Side& side : study.sides) t.columns.push_back({side.name, report::number});
  t.columns.insert(t.columns.end(), last.begin(), last.end());
  return t;
}

Table workloads_table(const Study& study) {
  Table t =
      with_sides(study, marked(study, "Workloads"), {{"", ColumnKind::name}, {"sizes or ranks", ColumnKind::name}},
                 {{"difference", report::number}, {"interval", ColumnKind::name}, {"verdict", ColumnKind::status}});
  for (const std::vector<Row>* rows : {&study.overall, &study.messages, &study.trainings}) {
    if (rows == &study.overall && study.messages.size() < 2 * study.overall.size()) continue;  // of one collective
    for (const Row& row : *rows) {
      const ComparedCase& p = row.point;
      t.rows.push_back({row.what, row.sizes, shown_value(p, p.a.value), shown_value(p, p.b.value), difference_text(p),
                        interval_text(p), shown_verdict(p)});
    }
  }
  report::fold_if_long(t);
  return t;
}

Table facts_table(const Study& study) {
  Table t =
      with_sides(study, marked(study, "Machines"), {{"", ColumnKind::name}},
                 {{"effect on time", report::number}, {"interval", ColumnKind::name}, {"verdict", ColumnKind::status}});
  for (const Fact& fact : study.facts) {
    auto& cells = t.rows.emplace_back(std::vector{fact.what, fact.values[reference], fact.values[other]});
    if (fact.point)
      for (std::string text : {difference_text(*fact.point), interval_text(*fact.point), shown_verdict(*fact.point)})
        cells.push_back(std::move(text));
    else
      cells.insert(cells.end(), 3, "-");
  }
  return t;
}

Table step_table(const Study& study, const Step& step) {
  Table t = with_sides(
      study, fmt::format("A step of {}{}", with_labels(step.what, study), study.emulated() ? " (emulated)" : ""),
      {{"", ColumnKind::name}},
      {{"difference", report::number},
       {"interval", ColumnKind::name},
       {"of the step", report::number},
       {"verdict", ColumnKind::status}});
  const auto add = [&](const std::string& what, const ComparedCase& p, const std::string& of_step) {
    t.rows.push_back({what, shown_value(p, p.a.value), shown_value(p, p.b.value), difference_text(p), interval_text(p),
                      of_step, shown_verdict(p)});
  };
  for (const StepPart& part : step.parts) add(part.what, part.point, percent_text(part.added));
  add("step", step.whole, difference_text(step.whole));
  return t;
}

Table advice_table(const Study& study, const std::vector<Advice>& advice) {
  Table t{.title = with_labels("What to change", study),
          .columns = {{"evidence", ColumnKind::text}, {"change", ColumnKind::text}}};
  for (const Advice& one : advice) t.rows.push_back({one.evidence, one.change});
  return t;
}

/// "Emulated (TCG): these figures are ..."; empty if no side is.
std::string emulated_text(const std::vector<Study>& studies) {
  std::set<std::string> names;
  bool tcg = true;
  for (const Study& study : studies) {
    for (const Side& side : study.sides) {
      if (!side.layer.emulated) continue;
      names.insert(side.text());
      tcg = tcg && std::ranges::any_of(side.layer.labs,
                                       [](const std::string& lab) { return lab.find("TCG") != std::string::npos; });
    }
  }
  if (names.empty()) return "";
  return fmt::format(
      "Emulated ({}): {}. These figures are of an emulated CPU and say nothing about what "
      "virtualisation costs.",
      tcg ? "TCG" : "QEMU without KVM", fmt::join(names, ", "));
}

std::vector<std::string> lab_texts(const std::vector<Study>& studies) {
  std::vector<std::string> all;
  std::set<std::size_t> said;
  for (const Study& study : studies)
    for (const Side& side : study.sides)
      if (!side.layer.labs.empty() && said.insert(side.index).second)
        all.push_back(fmt::format("{} is a lab: {}. It says nothing about a real network.", side.name,
                                  report::list(std::vector(side.layer.labs.begin(), side.layer.labs.end()), 2)));
  return all;
}

bool has_assumed(const Study& study) {
  const auto assumed = [](const Row& row) { return row.point.basis == compare::Basis::assumed; };
  return std::ranges::any_of(study.messages, assumed) || std::ranges::any_of(study.trainings, assumed);
}

void add_tables(std::vector<Block>& all, const Study& study, const std::vector<Run>& runs) {
  all.emplace_back(workloads_table(study));
  for (report::Figure& figure : cost_figures(study)) all.emplace_back(std::move(figure));
  if (!study.emulated())
    all.emplace_back(report::KeyValues{.title = marked(study, "Where the cost lies"), .rows = conclusions(study)});
  all.emplace_back(facts_table(study));
  for (const Step* step : largest_steps(study)) all.emplace_back(step_table(study, *step));
  if (const auto advice = advice_of(study, runs); !advice.empty()) all.emplace_back(advice_table(study, advice));
}

constexpr auto assumed_text =
    "Some sides have too few launches: their intervals follow from an ASSUMED variation between launches. Measure at "
    "least 3 launches of each side.";

constexpr auto how =
    "Difference: of the value in the row, so that less bandwidth is negative. Small: sizes up to 1 KiB. Large: sizes "
    "above 64 KiB and from an eighth of the largest on. Rows for several sizes or collectives: geometric means over "
    "these in each launch, then compared between launches. Stolen time and OS noise: the effect on time is that of the "
    "CPU time lost. All as measured, never corrected for CPU speed.";

}  // namespace

std::vector<Block> blocks_of(const std::vector<Study>& studies, const std::vector<Run>& runs) {
  std::vector<Block> all;
  if (studies.empty()) return all;
  if (std::string emulated = emulated_text(studies); !emulated.empty())
    all.emplace_back(Paragraph{.text = std::move(emulated), .tone = report::Tone::warning});
  for (const Study& study : studies)
    all.emplace_back(Paragraph{.text = (study.emulated() ? "Emulated: " : "") + verdict_sentence(study)});
  if (std::ranges::any_of(studies, has_assumed))
    all.emplace_back(Paragraph{.text = assumed_text, .tone = report::Tone::warning});
  for (std::string& lab : lab_texts(studies))
    all.emplace_back(Paragraph{.text = std::move(lab), .tone = report::Tone::warning});
  for (const Study& study : studies) add_tables(all, study, runs);
  all.emplace_back(Paragraph{.text = how});
  return all;
}

}  // namespace busbar::virtualisation
