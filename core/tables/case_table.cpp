// SPDX-License-Identifier: Apache-2.0
#include "core/tables/case_table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/terminal_text.hpp"
#include "core/base/units.hpp"
#include "core/journal/earlier_launches.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/groups.hpp"
#include "core/record/library_choice.hpp"
#include "core/record/method.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/settling.hpp"
#include "core/record/simulation.hpp"
#include "core/record/status.hpp"
#include "core/statistics/interval.hpp"
#include "core/statistics/undisturbed.hpp"
#include "core/tables/case_notes.hpp"
#include "core/tables/named_table.hpp"
#include "core/tables/overlap_table.hpp"
#include "core/tables/replay_table.hpp"
#include "core/tables/training_table.hpp"

namespace busbar {
namespace {

std::string fixed_us(std::optional<double> seconds) { return seconds ? fmt::format("{:.2f}", *seconds * 1e6) : "-"; }

std::optional<double> p99(const CaseRecord& c) {
  return c.statistics ? std::optional(c.statistics->p99_s) : std::nullopt;
}

std::string samples(const CaseRecord& c) { return c.samples_taken ? std::to_string(*c.samples_taken) : "-"; }

/// "ring/simple/24": algorithm, protocol, channels.
std::string choice(const CaseRecord& c) { return c.choice ? text_of(*c.choice) : "unknown"; }

std::string host_list(const RunRecord& r) {
  constexpr std::size_t shown = 4;
  if (r.hosts.empty()) return "hosts unknown";
  std::string all;
  for (std::size_t i = 0; i < std::min(shown, r.hosts.size()); ++i) all += (i == 0 ? "" : ", ") + r.hosts[i].name;
  return r.hosts.size() > shown ? fmt::format("{} and {} more", all, r.hosts.size() - shown) : all;
}

std::string extent_of_check(const std::string& check) {
  if (check == "every_call_sampled") return "every call, one element in 4 KiB; two calls of a round whole";
  if (check == "first_and_last") return "the first and the last call of a round, whole";
  if (check == "every_call") return "every call, whole";
  return check;
}

std::string interval_head(const Method& m) {
  const double confidence = 100 * m.stop->confidence, aim = 100 * m.stop->relative_half_width;
  if (!m.launch_spread)
    return fmt::format("# +-%: half-width of the {:g} % confidence interval of this launch; target {:g} %\n",
                       confidence, aim);
  const auto& [relative, launches] = *m.launch_spread;
  std::string source =
      launches > 0 ? fmt::format("by {} earlier ones", launches) : "assumed: busbar repeat measures it";
  if (launches < enough_on_shared_cpus)
    source += fmt::format("; {:g} % on shared CPUs", 100 * spread_on_shared_cpus.relative);
  return fmt::format(
      "# +-%: half-width of the {:g} % confidence interval for later launches, which\n"
      "#   differ by {:.2g} % ({})\n"
      "# within: half-width for this launch alone; target {:g} %\n",
      confidence, 100 * relative, source, aim);
}

std::string sampling(const Method& m) {
  const std::string rank_rule = ranks_of_time(m);
  std::string s = m.statistic == Statistic::median_of_rounds
                      ? fmt::format("# time: median over rounds of each round's median; {}\n", rank_rule)
                      : fmt::format("# time: {} over iterations, {}\n", name(m.statistic), rank_rule);
  if (m.statistic == Statistic::unknown) s = "# time: the source does not say which statistic it is\n";
  if (m.statistic == Statistic::median_of_round_means)
    s = "# time of a step: median over rounds of wall time over steps, slowest rank\n";
  if (m.stop) s += interval_head(m);
  s += "# cadence: " + m.cadence;
  if (m.clock == device_clock) s += "; clock: CUDA events";
  if (m.graph_calls) s += fmt::format("; {} calls are one CUDA graph", *m.graph_calls);
  if (m.registered_buffers.value_or(false)) s += "; buffers registered";
  if (m.nonblocking_calls.value_or(false)) s += "; non-blocking communicators";
  if (m.split_communicators.value_or(false)) s += "; communicators split";
  if (m.gpus_per_process.value_or(1) > 1) s += fmt::format("; {} GPUs per process", *m.gpus_per_process);
  if (m.gpu_launch) s += m.gpu_launch == "group" ? ", launched by one thread" : ", launched by a thread each";
  if (m.settled) s += *m.settled ? "; ranks settled" : "; ranks not settled";
  return s + fmt::format("\n# data check: {}\n", extent_of_check(m.check));
}

std::string overhead(const Overhead& o) {
  const double all = o.inside_s + o.start_s + o.data_s + o.other_s;
  const auto share = [&](double s) { return fmt::format("{:.3f} s ({:.0f} %)", s, all > 0 ? 100 * s / all : 0.0); };
  return fmt::format("wall time: inside {}, start {}, data {}, other {}", share(o.inside_s), share(o.start_s),
                     share(o.data_s), share(o.other_s));
}

/// Details of a case that no column shows.
std::vector<std::string> details(const CaseRecord& c) {
  std::vector<std::string> all = other_remarks(c);
  for (std::string& text : training_details(c)) all.push_back(std::move(text));
  if (c.overhead) all.push_back(overhead(*c.overhead));
  return all;
}

/// Lines below a row; they start with "#".
std::string footnotes(const CaseRecord& c) {
  std::string s;
  for (const std::string& text : details(c)) s += comment_lines(std::string(12, ' ') + "^", text, 13);
  return s;
}

/// Kinds of rows.
enum class Rows { collectives, trainings, named };

std::string units(const RunRecord& r, Rows rows) {
  if (rows == Rows::trainings) return r.origin == Origin::imported ? imported_training_head() : training_head();
  if (rows == Rows::named) return named_head();
  return "# size: the larger of a rank's send and receive buffer (binary: 1 KiB = 1024 B)\n"
         "# algbw: size / time; busbw: algbw x factor, as in nccl-tests (1 GB/s = 1e9 B/s)\n";
}

/// "passed 0.2%" of the elements; "passed" if all were compared, or if the share is unknown.
std::string check(const Check& c) {
  if (c.state != CheckState::passed || c.element_share.value_or(1) > 0.9995) return text_of(c.state);
  return fmt::format("{} {:.2g}%", name(c.state), 100 * *c.element_share);
}

/// "fat.xml (fat-tree:2-level, hdr)"
std::string platform_text(const Simulation& s) {
  std::vector<std::string> words;
  for (const char* name : {"busbar.topology", "busbar.interconnect"})
    if (const auto word = s.platform.find(name); word != s.platform.end()) words.push_back(word->second);
  return words.empty() ? s.platform_file : fmt::format("{} ({})", s.platform_file, fmt::join(words, ", "));
}

/// One line, for grep; `wrap` breaks it for a terminal.
std::string comment(const std::string& text, bool wrap) {
  return wrap ? comment_lines("", text, 3) : fmt::format("# {}\n", text);
}

std::string head(const RunRecord& r, Rows rows, bool wrap) {
  std::string s =
      fmt::format("# {} {}{}, {}\n", r.tool.name, r.tool.version.value_or("(version unknown)"),
                  r.tool.revision ? " (" + *r.tool.revision + ")" : "", r.start_utc.value_or("start unknown"));
  if (r.simulation)
    s += fmt::format("# simulated by {} {} on {}: nothing of this was measured\n", r.simulation->simulator,
                     r.simulation->version, platform_text(*r.simulation));
  else if (r.origin != Origin::measured)
    s += fmt::format("# {} from {}\n", name(r.origin), r.source.value_or("an unknown file"));
  s += fmt::format("# {}{}: {}{}\n", scale_text(r), r.nodes ? "" : " on unknown nodes", host_list(r),
                   r.mpi ? "; " + r.mpi->library : "");
  s += sampling(r.method) + units(r, rows);
  for (const auto& [key, value] : r.labels) s += fmt::format("# label {}={}\n", key, value);
  for (const auto& text : r.notes) s += comment("note: " + text, wrap);
  return s;
}

}  // namespace

std::string ranks_of_time(const Method& m) {
  switch (m.rank_rule) {
    case RankRule::slowest:
    case RankRule::fastest:
      return fmt::format("the {} rank of each", name(m.rank_rule));
    case RankRule::mean:
    case RankRule::median:
      return fmt::format("{} over ranks", name(m.rank_rule));
    case RankRule::rank_0:
      return "of rank 0";
    case RankRule::unknown:
      break;
  }
  return "of unknown ranks";
}

std::vector<std::string> table_remarks(const CaseRecord& c) {
  std::vector<std::string> all;
  for (const CaseNote& note : notes_of(c)) {
    const std::string_view kind = note.kind == NoteKind::contended   ? "contended: "
                                  : note.kind == NoteKind::late_rank ? "late: "
                                  : note.kind == NoteKind::slow_rank ? "slow: "
                                                                     : "";
    all.push_back(fmt::format("{}{}", kind, note.text));
  }
  const auto more = details(c);
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::string table_head(const RunRecord& r, bool wrap) {
  return head(r, r.method.statistic == Statistic::median_of_round_means ? Rows::trainings : Rows::collectives, wrap);
}

std::string table_series(const CaseRecord& c) {
  if (is_named(c.key)) return named_series(c);
  return c.key.training ? training_series(c) : series_name(c.key);
}

TableColumns TableColumns::with(const CaseRecord& c) const {
  return {.choice = choice || c.choice.has_value(),
          .groups = groups || !c.groups.empty(),
          .within = within || c.interval_of_launches_s.has_value(),
          .narrow = narrow};
}

/// 80 columns leave room for four letters.
static std::string gap(bool narrow) { return narrow ? " " : "  "; }
static int width_of_p99(bool narrow) { return narrow ? 8 : 9; }
static int width_of_size(bool narrow) { return narrow ? 8 : 9; }
static int width_of_time(bool narrow) { return narrow ? 9 : 10; }
static int width_of_check(bool narrow) { return narrow ? 6 : 12; }

std::optional<double> messages_per_s(const CaseRecord& c) {
  if (c.key.kind != CaseKind::pair || !c.key.window || !c.time_s || !(*c.time_s > 0)) return std::nullopt;
  return c.key.ranks / 2 / *c.time_s;
}

/// Where busbw would repeat algbw.
static bool shows_rate(const CaseKey& k) { return k.kind == CaseKind::pair && k.window; }

static std::string rate_or_busbw(const CaseRecord& c) {
  if (!shows_rate(c.key)) return bandwidth_cell(c.busbw_GBps);
  const auto rate = messages_per_s(c);
  return bandwidth_cell(rate ? std::optional(*rate * 1e-6) : std::nullopt);
}

std::string table_columns(const CaseRecord& c, TableColumns columns) {
  if (c.key.training) return training_columns(c, columns.narrow);
  if (is_named(c.key)) return named_columns(c);
  std::string s = fmt::format("#\n# {}\n", table_series(c));
  if (shows_rate(c.key)) s += "# size: of a message; time: per message; rate: messages of all pairs\n";
  if (c.reduction && c.reduction->find("busbar") != std::string::npos)
    s += fmt::format("# reduction: {}\n", *c.reduction);
  const bool narrow = columns.narrow;
  if (c.key.work) return s + overlap_head() + overlap_columns(narrow, columns.within);
  s += fmt::format("# {:>{}}{} {:>{}} {:>5}{} {:>{}} {:>8} {:>8} {:>7}{}{:<{}}{}{}{}{}\n", "size",
                   width_of_size(narrow) - 2, narrow ? "" : "     count", "time", width_of_time(narrow), "+-%",
                   columns.within ? " within" : "", "p99", width_of_p99(narrow), "algbw",
                   shows_rate(c.key) ? "rate" : "busbw", "samples", gap(narrow), "check", width_of_check(narrow),
                   gap(narrow), "grade", columns.choice ? "   algorithm/protocol/channels" : "",
                   columns.groups ? "   slowest group: time / median of others" : "");
  return s + fmt::format("# {:>{}}{} {:>{}} {:>5}{} {:>{}} {:>8} {:>8}\n", "", width_of_size(narrow) - 2,
                         narrow ? "" : "   (elem.)", "(us)", width_of_time(narrow), "", columns.within ? "       " : "",
                         "(us)", width_of_p99(narrow), "(GB/s)", shows_rate(c.key) ? "(M/s)" : "(GB/s)");
}

/// "C cb": the grade, and the letters of its notes, which the foot explains.
static std::string marks_with_grade(const CaseRecord& c, const Grader& grader) {
  const auto graded = grader.grade_case(c);
  const std::string marks = marks_of(c), letter = graded ? text_of(graded->grade) : "";
  return letter + (letter.empty() || marks.empty() ? "" : " ") + marks;
}

static std::string with_marks(std::string row, const std::string& marks, bool narrow) {
  if (!marks.empty()) row.insert(row.find('\n'), gap(narrow) + marks);
  return row;
}

std::string table_row(const CaseRecord& c, TableColumns columns, const Grader& grader) {
  const bool narrow = columns.narrow;
  if (c.key.training) return with_marks(training_row(c, narrow), marks_with_grade(c, grader), narrow) + footnotes(c);
  if (is_named(c.key)) return with_marks(named_row(c), marks_of(c), narrow) + footnotes(c) + replay_totals(c);
  const std::string size = format_size(c.key.bytes);
  if (c.status != Status::ok && !c.time_s)
    return fmt::format("{:>9} {}: {}\n", size, name(c.status), c.reason.value_or("no reason given"));
  if (c.key.work) {
    std::string row = overlap_row(c, narrow, columns.within) + gap(narrow) + marks_with_grade(c, grader) + "\n";
    if (c.status == Status::failed)
      row += fmt::format("{:>9} failed: {}\n", size, c.reason.value_or("no reason given"));
    return row + footnotes(c);
  }
  const std::string count = c.count ? std::to_string(*c.count) : "-";
  std::string row =
      fmt::format("{:>{}}{} {:>{}} {:>5}{} {:>{}} {:>8} {:>8} {:>7}{}{:<{}}{}{:<{}}{}{}", size, width_of_size(narrow),
                  narrow ? "" : fmt::format(" {:>9}", count), fixed_us(c.time_s), width_of_time(narrow),
                  half_width_percent(c),
                  columns.within ? fmt::format(" {:>6}", half_width_percent(c, c.interval_s)) : "", fixed_us(p99(c)),
                  width_of_p99(narrow), bandwidth_cell(c.algbw_GBps), rate_or_busbw(c), samples(c), gap(narrow),
                  narrow ? text_of(c.check.state) : check(c.check), width_of_check(narrow), gap(narrow),
                  marks_with_grade(c, grader), columns.choice || columns.groups ? 6 : 0,
                  columns.choice ? "  " + choice(c) : "", columns.groups ? "  " + slowest_group_text(c) : "") +
      "\n";
  if (c.status == Status::failed) row += fmt::format("{:>9} failed: {}\n", size, c.reason.value_or("no reason given"));
  return row + footnotes(c);
}

static std::string settling_line(const Settling& s) {
  const double usual_us = s.usual_barrier_s.value_or(s.best_barrier_s) * 1e6;
  std::string line;
  if (s.times > 0)
    line = fmt::format("# ranks settled {} ({:.1f} s): a barrier took {:.2f} us before, {:.2f} us usually;\n",
                       how_often(s.times), s.seconds, s.first_barrier_s * 1e6, usual_us);
  else if (s.near_at_start)
    line = fmt::format("# ranks not settled: a barrier took {:.2f} us, as in earlier launches;\n", usual_us);
  else
    line = fmt::format("# ranks not settled: others used their CPUs; a barrier took {:.2f} us;\n", usual_us);
  return line + fmt::format("#   {} of {} checks between rounds found ranks on distant CPUs{}\n", s.far, s.looks,
                            s.gave_up ? "; given up, it did not help" : "");
}

/// Empty if the CPUs were as fast as in earlier launches.
static std::string pace_line(const LaunchPace& pace) {
  if (!pace.known_s || pace.full_s <= slowed_ratio * *pace.known_s) return "";
  return fmt::format(
      "# CPUs were {:.0f} % slower than in earlier launches, from start to end:\n"
      "#   another guest on the core, or a lower clock\n",
      100 * (pace.full_s / *pace.known_s - 1));
}

/// Empty if this launch is similar to earlier ones.
static std::string earlier_line(const OverEarlier& over) {
  if (!over.is_far()) return "";
  return fmt::format(
      "# this launch took {:.2f} times as long as {} earlier ones (medians); intervals\n"
      "#   include the earlier times: the machine or the set-up has changed\n",
      over.ratio, over.launches);
}

std::string table_foot(const EndRecord& e, bool wrap) {
  std::string s = cold_start_table(e.cold_over_hot) + alternation_table(e.alternations);
  s += e.settling ? "#\n" + settling_line(*e.settling) : "#\n";
  if (e.pace) s += pace_line(*e.pace);
  if (e.over_earlier && !e.verdict) s += earlier_line(*e.over_earlier);
  if (!e.unguarded.empty())
    s += fmt::format("# the guard of rank{} {} was killed: a hang would not have been detected\n",
                     e.unguarded.size() == 1 ? "" : "s", fmt::join(e.unguarded, ", "));
  if (e.verdict) s += comment(*e.verdict, wrap);
  std::string end = fmt::format("{} ok, {}{} skipped, {} failed; run ended: {}", e.cases.ok,
                                e.cases.partial > 0 ? fmt::format("{} partial, ", e.cases.partial) : "",
                                e.cases.skipped, e.cases.failed, name(e.status));
  if (e.wall_s) end += fmt::format(", {:.1f} s", *e.wall_s);
  if (e.reason) end += ": " + *e.reason;
  s += comment(end, wrap);
  if (e.status == EndStatus::interrupted)
    s += fmt::format("# interrupted: {} of {} measured cases have enough rounds{}\n", e.cases.ok, e.cases.measured(),
                     e.cases.partial > 0 ? "; others are partial" : "");
  if (e.wall_s && e.half_width)  // half-widths shrink with the square root of time
    s += fmt::format("# within this launch: median +-{:.1f} %; {:.0f} s more (--run-budget): about +-{:.1f} %\n",
                     100 * *e.half_width, *e.wall_s, 100 * *e.half_width / std::sqrt(2.0));
  return s;
}

std::string table(const Run& run, const std::optional<Terminal>& terminal) {
  const bool wrap = terminal.has_value();
  const CaseKey none, &first = run.cases.empty() ? none : run.cases.front().key;
  std::string s = head(run.head,
                       first.training    ? Rows::trainings
                       : is_named(first) ? Rows::named
                                         : Rows::collectives,
                       wrap);
  TableColumns columns{.narrow = wrap && terminal->is_narrow()};
  NoteList notes;
  for (const CaseRecord& c : run.cases) columns = columns.with(c);
  const Grader grader(run);
  std::string series;
  for (const CaseRecord& c : run.cases) {
    if (table_series(c) != series) s += table_columns(c, columns);
    series = table_series(c);
    s += table_row(c, columns, grader);
    notes.add_case(c, grader);
  }
  s += notes.text();
  if (run.end) s += table_foot(*run.end, wrap);
  for (const auto& text : run.notes) s += comment("note: " + text, wrap);
  return s;
}

}  // namespace busbar
