// SPDX-License-Identifier: Apache-2.0
#include "reports/serve/live_state.hpp"

#include <algorithm>
#include <ctime>
#include <map>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/terminal_text.hpp"
#include "core/base/units.hpp"
#include "core/grades/grade.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/tables/case_notes.hpp"
#include "core/tables/named_table.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::serve {
namespace {

using Json = nlohmann::json;

bool is_under_way(const CaseRecord& c) { return c.ended_by == EndedBy::unfinished; }

/// From 0 to 1, by the case's own limits; empty if it has none, or was visited once: then others may not have been.
std::optional<double> share_of(const CaseRecord& c, const Method& method) {
  if (!is_under_way(c)) return 1;
  if (c.rounds.size() < 2) return std::nullopt;
  if (method.iterations && *method.iterations > 0 && c.samples_taken)
    return std::min(1.0, static_cast<double>(*c.samples_taken) / *method.iterations);
  if (method.stop && method.stop->case_budget_s > 0 && c.wall_s)
    return std::min(1.0, *c.wall_s / method.stop->case_budget_s);
  return std::nullopt;
}

/// Mean over the cases; empty if one is unknown.
std::optional<double> share_of_cases(const Run& run) {
  double sum = 0;
  for (const CaseRecord& c : run.cases) {
    const auto share = share_of(c, run.head.method);
    if (!share) return std::nullopt;
    sum += *share;
  }
  if (run.cases.empty()) return std::nullopt;
  return sum / static_cast<double>(run.cases.size());
}

std::string seconds_text(double s) {
  if (s < 120) return fmt::format("{:.0f} s", s);
  if (s < 2 * 3600) return fmt::format("{:.0f} min", s / 60);
  return fmt::format("{:.1f} h", s / 3600);
}

std::string counts_text(const Progress& p, Phase phase) {
  std::string s = fmt::format("{} done", plural(p.done, "case"));
  if (p.under_way > 0) s += fmt::format(", {} {}", p.under_way, phase == Phase::running ? "being measured" : "cut off");
  return s;
}

std::string time_text(const Progress& p, Phase phase) {
  if (!p.elapsed_s) return "";
  if (phase == Phase::ended) return "took " + seconds_text(*p.elapsed_s);
  std::string s = seconds_text(*p.elapsed_s) + " elapsed";
  if (p.budget_s) s += " of at most " + seconds_text(*p.budget_s);
  if (const auto left = p.at_most_left_s(); left && phase == Phase::running)
    s += *left > 0 ? fmt::format("; at most {} to go", seconds_text(*left)) : "; ending";
  return s;
}

/// One sentence; without seconds, because screen readers speak it when it changes.
std::string headline(const Run* run, Phase phase, const Progress& p) {
  switch (phase) {
    case Phase::waiting:
      return "Waiting for the record: no run has written it yet.";
    case Phase::running:
      if (run->end) return fmt::format("A launch has ended: {}. Waiting for the next.", counts_text(p, phase));
      return run->cases.empty() ? "The run has started; no case has been measured yet."
                                : fmt::format("The run is going on: {}.", counts_text(p, phase));
    case Phase::ended:
      if (run->end->status == EndStatus::ok) return fmt::format("The run has ended: {}.", counts_text(p, phase));
      return fmt::format("The run has ended, {}: {}.", name(run->end->status), counts_text(p, phase));
    case Phase::died:
      return fmt::format("The run died: nobody writes its record any more, and it has no end. {}.",
                         counts_text(p, phase));
  }
  return {};
}

/// How far a case is, and the class of its cell.
std::pair<std::string, std::string> state_of(const CaseRecord& c, Phase phase) {
  if (is_under_way(c)) return {phase == Phase::running ? "measuring" : "cut off", "quiet"};
  if (c.status == Status::ok) return {"done", "ok"};
  return {std::string(name(c.status)), std::string(name(c.status))};
}

std::string label_of(const CaseRecord& c) {
  if (c.key.training) return report::scale_text(c.key);
  if (is_named(c.key)) return case_name(c.key);
  return format_size(c.key.bytes);
}

std::string speed_of(const CaseRecord& c) {
  if (c.training) return fmt::format("{} {}", report::rate(c.training->samples_per_s), report::rate_unit(*c.training));
  return c.busbw_GBps && *c.busbw_GBps > 0 ? report::bus_bandwidth(c) + " GB/s" : "-";
}

std::string remarks_of(const CaseRecord& c) {
  std::string all = c.reason.value_or("");
  const auto add = [&](const std::string& text) { all += (all.empty() ? "" : "; ") + text; };
  for (const CaseNote& note : notes_of(c)) add(note.text);
  for (const std::string& remark : other_remarks(c)) add(remark);
  return all;
}

constexpr std::array columns{"case", "state", "time", "+- %", "speed", "rounds", "grade", "remarks"};

Json row_of_case(const CaseRecord& c, const Grader& grader, Phase phase) {
  const auto [state, css] = state_of(c, phase);
  const auto grade = grader.grade_case(c);
  return {{"id", fmt::format("case-{}", c.index)},
          {"state", css},
          {"cells",
           {label_of(c), state, c.time_s ? report::duration(c.time_s) : "-", half_width_percent(c, c.interval_s),
            speed_of(c), c.rounds.empty() ? "-" : std::to_string(c.rounds.size()), grade ? text_of(grade->grade) : "-",
            remarks_of(c)}}};
}

std::string series_of_case(const CaseRecord& c) {
  const CaseKey key = without_scale(c.key);
  const std::string details = key.training ? report::set_up(key) : report::describe(c.key);
  return report::subject(key) + (details.empty() ? "" : ": " + details);
}

/// One table per series, in the order of the plan.
Json tables_of(const Run& run, Phase phase) {
  const Grader grader(run);
  Json tables = Json::array();
  std::map<std::string, std::size_t> places;
  for (const CaseRecord& c : run.cases) {
    const std::string series = series_of_case(c);
    const auto [at, is_new] = places.try_emplace(series, tables.size());
    if (is_new) tables.push_back({{"title", series}, {"columns", columns}, {"rows", Json::array()}});
    tables[at->second]["rows"].push_back(row_of_case(c, grader, phase));
  }
  return tables;
}

std::string what_runs(const Run& run) {
  std::string s = fmt::format("{}, {}", run.head.tool.name, scale_text(run.head));
  for (const auto& [key, value] : run.head.labels) s += fmt::format(", {}={}", key, value);
  if (is_simulated(run.head)) s += " (simulated)";
  if (run.launch) s += fmt::format("; launch {} of command {}", run.launch->number, run.launch->command);
  if (run.head.start_utc) s += "; started " + *run.head.start_utc;
  return s;
}

/// A cause that can be removed during the run; other doubts go as rounds come.
bool is_disturbance(Doubt doubt) {
  return doubt == Doubt::check || doubt == Doubt::contention || doubt == Doubt::noise || doubt == Doubt::throttled;
}

/// Doubts of the grades, with the number of cases and the text of the first.
void add_doubts(const Run& run, std::vector<Alarm>& all) {
  struct Doubted {
    int cases = 0;
    Grade worst = Grade::a;
    std::string example;
  };
  std::map<Doubt, Doubted> doubts;
  int graded = 0;
  const Grader grader(run);
  for (const CaseRecord& c : run.cases) {
    const auto grade = grader.grade_case(c);
    if (!grade) continue;
    ++graded;
    for (const GradeReason& reason : grade->reasons) {
      if (is_under_way(c) && !is_disturbance(reason.doubt)) continue;
      Doubted& d = doubts[reason.doubt];
      ++d.cases;
      if (d.example.empty() || reason.at_most > d.worst) d.example = reason.text;
      d.worst = std::max(d.worst, reason.at_most);
    }
  }
  for (const auto& [doubt, d] : doubts) {
    if (doubt == Doubt::one_launch || doubt == Doubt::simulated) continue;  // of all cases, and no alarm
    all.push_back({.bad = d.worst == Grade::d && is_disturbance(doubt),
                   .text = fmt::format("{}: {} of {} cases; {}", capitalised(std::string(name(doubt))), d.cases, graded,
                                       d.example)});
  }
}

void add_end(const Run& run, Phase phase, std::vector<Alarm>& all) {
  if (phase == Phase::died)
    all.push_back({.bad = true,
                   .text = "The run was killed with all its guards, or its machine went down. The cases that ended "
                           "before are good; --resume measures the others."});
  if (!run.end) return;
  if (run.end->status != EndStatus::ok)
    all.push_back({.bad = true,
                   .text = capitalised(std::string(name(run.end->status))) + ": " +
                           run.end->reason.value_or("the record does not say why")});
  if (!run.end->unguarded.empty())
    all.push_back({.bad = true,
                   .text = fmt::format("{} without a guard: a hang would not have been noticed",
                                       plural(run.end->unguarded.size(), "rank"))});
}

void add_failures(const Run& run, std::vector<Alarm>& all) {
  for (const CaseRecord& c : run.cases) {
    if (c.status != Status::failed) continue;
    all.push_back({.bad = true,
                   .text = fmt::format("{} {} failed: {}", report::subject(c.key), label_of(c),
                                       c.reason.value_or("unknown reason"))});
  }
}

}  // namespace

Phase phase_of(const Run* run, bool being_written, double quiet_s) {
  if (run == nullptr) return Phase::waiting;
  if (being_written) return Phase::running;
  if (run->end) return Phase::ended;
  return quiet_s < patience_s ? Phase::running : Phase::died;
}

std::optional<double> Progress::at_most_left_s() const {
  if (!budget_s || !elapsed_s) return std::nullopt;
  return std::max(0.0, *budget_s - *elapsed_s);
}

Progress progress_of(const Run& run, std::optional<double> elapsed_s) {
  Progress p{.elapsed_s = elapsed_s};
  for (const CaseRecord& c : run.cases) ++(is_under_way(c) ? p.under_way : p.done);
  const RunRecord& launch = run.resumed.empty() ? run.head : run.resumed.back();
  if (launch.method.stop) p.budget_s = launch.method.stop->run_budget_s;
  p.share = share_of_cases(run);
  if (p.budget_s && *p.budget_s > 0 && elapsed_s)
    p.share = std::max(p.share.value_or(0), std::min(1.0, *elapsed_s / *p.budget_s));
  return p;
}

std::optional<double> seconds_since_start(const std::optional<std::string>& utc, double now_s) {
  std::tm start{};
  if (!utc || ::strptime(utc->c_str(), "%Y-%m-%dT%H:%M:%SZ", &start) == nullptr) return std::nullopt;
  return std::max(0.0, now_s - static_cast<double>(::timegm(&start)));
}

std::vector<Alarm> alarms_of(const Run& run, Phase phase) {
  std::vector<Alarm> all;
  add_end(run, phase, all);
  add_failures(run, all);
  add_doubts(run, all);
  for (const std::string& note : run.head.notes) all.push_back({.text = note});
  std::ranges::stable_partition(all, &Alarm::bad);
  return all;
}

Json live_state(const Sight& sight) {
  const Run* run = sight.runs == nullptr || sight.runs->empty() ? nullptr : &sight.runs->back();
  const Progress p = run == nullptr ? Progress{} : progress_of(*run, sight.elapsed_s);
  Json alarms = Json::array();
  if (run != nullptr)
    for (const Alarm& alarm : alarms_of(*run, sight.phase))
      alarms.push_back({{"bad", alarm.bad}, {"text", report::shortened(alarm.text, 400)}});
  const bool over = sight.phase == Phase::ended;
  return {{"state", 1},
          {"phase", name(sight.phase)},
          {"file", sight.file},
          {"about", run == nullptr ? "" : what_runs(*run)},
          {"headline", headline(run, sight.phase, p)},
          {"verdict", run != nullptr && run->end ? run->end->verdict.value_or("") : ""},
          {"progress",
           {{"done", p.done},
            {"under_way", p.under_way},
            {"share", over      ? Json(1)
                      : p.share ? Json(*p.share)
                                : Json()},
            {"text", time_text(p, sight.phase)}}},
          {"alarms", std::move(alarms)},
          {"tables", run == nullptr ? Json::array() : tables_of(*run, sight.phase)},
          {"charts", run == nullptr ? Json::array() : live_charts(*sight.runs)},
          {"report", sight.report}};
}

}  // namespace busbar::serve
