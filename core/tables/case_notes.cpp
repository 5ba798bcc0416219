// SPDX-License-Identifier: Apache-2.0
#include "core/tables/case_notes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <string_view>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/terminal_text.hpp"
#include "core/base/units.hpp"
#include "core/record/arrival.hpp"
#include "core/record/case_record.hpp"
#include "core/record/training.hpp"
#include "core/tables/named_table.hpp"

namespace busbar {
namespace {

struct KindRow {
  NoteKind kind;
  char letter;
  std::string_view means;
};

constexpr std::array<KindRow, 10> kind_rows{{
    {NoteKind::contended, 'c', "CPU contention: stop other processes, or bind ranks to free CPUs"},
    {NoteKind::late_rank, 'l', "a rank starts late"},
    {NoteKind::slow_rank, 's', "a rank computes longer than the others"},
    {NoteKind::bimodal, 'b', "rounds are either fast or slow"},
    {NoteKind::drift, 'd', "drift over the run"},
    {NoteKind::slow_start, 'w', "the first rounds were slow: warm-up had not ended"},
    {NoteKind::slow_samples, 'f', "the first samples of a round were slow"},
    {NoteKind::correlated, 'r', "successive rounds are correlated, so they count as fewer"},
    {NoteKind::missed, 'm', "missed windows"},
    {NoteKind::grouped, 'g', "calls are too short for the clock"},
}};

const KindRow& row_of(NoteKind kind) { return *std::ranges::find(kind_rows, kind, &KindRow::kind); }

/// Texts in the remarks of core/statistics/remarks.cpp, including those of older versions.
std::optional<NoteKind> kind_of(const std::string& remark) {
  static constexpr std::array<std::pair<std::string_view, NoteKind>, 7> words{{
      {"two groups", NoteKind::bimodal},
      {"bimodal", NoteKind::bimodal},
      {"times rose", NoteKind::drift},
      {"times fell", NoteKind::drift},
      {"warm-up had not ended", NoteKind::slow_start},
      {"correlat", NoteKind::correlated},
      {"calls were not warm", NoteKind::slow_samples},
  }};
  for (const auto& [word, kind] : words)
    if (remark.find(word) != std::string::npos) return kind;
  return std::nullopt;
}

std::string where(const LateRank& late) {
  std::string s = fmt::format("rank {} ({}", late.rank, late.host);
  if (late.device)
    s += ", " + *late.device;
  else if (late.cpus)
    s += ", CPU " + *late.cpus;
  return s + ")";
}

void add_of_ranks(const CaseRecord& c, std::vector<CaseNote>& all) {
  if (c.arrival)
    for (const LateRank& late : c.arrival->late)
      all.push_back(
          {NoteKind::late_rank, fmt::format("{} starts last in {:.0f} % of the samples, {} after the first",
                                            where(late), 100 * late.last_share, format_duration(late.behind_s))});
  if (!c.training) return;
  for (const SlowRank& s : c.training->slow_ranks)
    all.push_back(
        {NoteKind::slow_rank, fmt::format("rank {} ({}{}) computes for {} per step, the median rank for {}", s.rank,
                                          s.host, s.cpus ? ", CPU " + *s.cpus : "", format_duration(s.compute_s),
                                          format_duration(s.others_compute_s))});
}

constexpr std::array<std::string_view, 4> meanings{"repeatable", "usable", "doubtful", "measure again"};  ///< by Grade

/// One line per grade. Empty without graded cases.
std::string grade_lines(const GradeCounts& grades) {
  std::string lines;
  for (const Grade grade : {Grade::a, Grade::b, Grade::c, Grade::d}) {
    if (grades.count(grade) == 0) continue;
    const std::string doubts = grades.doubts(grade);
    const std::string first = fmt::format(" {}  {} of {}: {}", name(grade), grades.count(grade), grades.cases(),
                                          meanings[static_cast<std::size_t>(grade)]);
    lines += comment_lines(first + (doubts.empty() ? "" : ":"), doubts, first.size() + 1);
  }
  return lines.empty() ? "" : "#\n# grades:\n" + lines;
}

double first_number(const std::string& text) {
  const auto at = text.find_first_of("0123456789");
  double number = 0;
  if (at != std::string::npos) (void)std::from_chars(text.data() + at, text.data() + text.size(), number);
  return number;
}

std::string name_in_notes(const CaseRecord& c) {
  if (c.key.training) return plural(c.key.ranks, "rank");
  return is_named(c.key) ? case_name(c.key) : format_size(c.key.bytes);
}

}  // namespace

std::vector<CaseNote> notes_of(const CaseRecord& c) {
  std::vector<CaseNote> all;
  if (c.contention && c.contention->contended())
    all.push_back({NoteKind::contended, fmt::format("{}", fmt::join(c.contention->reasons, "; "))});
  for (const std::string& remark : c.remarks)
    if (const auto kind = kind_of(remark)) all.push_back({*kind, remark});
  add_of_ranks(c, all);
  if (c.invalid_samples && c.samples_taken && *c.invalid_samples > 0)
    all.push_back({NoteKind::missed, fmt::format("{} of {} samples missed their window and were left out",
                                                 *c.invalid_samples, *c.invalid_samples + *c.samples_taken)});
  const bool streams = c.key.kind == CaseKind::pair && c.key.cadence == "streaming";
  if (c.calls_per_sample && *c.calls_per_sample > 1 && !is_named(c.key) && !streams)
    all.push_back({NoteKind::grouped, fmt::format("{} calls timed as one", *c.calls_per_sample)});
  std::ranges::stable_sort(all, {}, &CaseNote::kind);
  return all;
}

std::vector<std::string> other_remarks(const CaseRecord& c) {
  std::vector<std::string> all;
  std::ranges::copy_if(c.remarks, std::back_inserter(all), [](const auto& text) { return !kind_of(text); });
  return all;
}

std::string marks_of(const CaseRecord& c) {
  std::string marks;
  for (const CaseNote& note : notes_of(c))
    if (const char letter = row_of(note.kind).letter; !marks.ends_with(letter)) marks += letter;
  return marks;
}

void NoteList::add_case(const CaseRecord& c, const Grader& grader) {
  ++cases_;
  if (const auto graded = grader.grade_case(c)) grades_.add_case(*graded);
  const auto notes = notes_of(c);
  for (std::size_t i = 0; i < notes.size(); ++i) {
    Kind& kind = kinds_[notes[i].kind];
    if (i == 0 || notes[i - 1].kind != notes[i].kind) ++kind.cases;
    const double number = first_number(notes[i].text);
    if (number <= kind.most) continue;
    kind.most = number;
    kind.example = fmt::format("{}: {}", name_in_notes(c), notes[i].text);
  }
}

std::string NoteList::text() const {
  std::string lines;
  for (const auto& [which, kind] : kinds_) {
    const KindRow& row = row_of(which);
    const std::string first = fmt::format(" {}  {} of {} cases:", row.letter, kind.cases, cases_);
    lines += comment_lines(first, fmt::format("{}. {}", row.means, kind.example), first.size());
  }
  return (lines.empty() ? "" : "#\n# notes:\n" + lines) + grade_lines(grades_);
}

}  // namespace busbar
