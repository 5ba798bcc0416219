// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/ranges.h>

#include "core/base/build_info.hpp"
#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/figure/words.hpp"
#include "reports/text/text.hpp"

namespace busbar::figure {
namespace {

std::vector<std::string> origin_words(const RunRecord& head) {
  std::vector<std::string> words;
  if (head.origin != Origin::measured) words.push_back(text_of(head.origin));
  if (head.method.shared_gpu.value_or(false)) words.emplace_back("shared GPU");
  if (report::is_lab(head)) words.emplace_back("lab");
  return words;
}

/// True if the text names the origin as run_names() and the report's titles do: "a (lab)", "allreduce, simulated".
bool says(const std::string& text, const std::string& word) {
  return text.find("(" + word + ")") != std::string::npos || text.find(", " + word) != std::string::npos ||
         text.find(word + " and ") != std::string::npos;
}

/// Runs of the drawn lines.
std::set<std::string> drawn_runs(const Chart& chart) {
  std::set<std::string> runs;
  for (const std::size_t i : drawn_lines(chart)) runs.insert(chart.lines[i].run);
  return runs;
}

/// The note on one word; empty if none is needed. `of_all`: it holds for every run of the chart.
std::string note_on(const Chart& chart, const std::string& word, bool of_all, const std::vector<std::string>& shown) {
  const auto says_word = [&](const std::string& text) { return says(text, word); };
  const std::set<std::string> runs = drawn_runs(chart);
  const auto saying = std::ranges::count_if(runs, says_word);
  if (saying > 0 && std::ranges::count_if(shown, says_word) >= saying) return {};
  if (of_all || says_word(chart.title) || says_word(chart.plot.title)) return word;
  if (saying > 0 && saying == std::ssize(runs)) return word;
  if (saying == 0 && chart.timed) return {};  // the lines of a timed chart name their runs
  return "partly " + word;
}

/// True if the text is the name of a run, or continues after it.
bool begins_with_name(const std::string& text, const std::string& name) {
  return text.starts_with(name) &&
         (text.size() == name.size() || std::string_view(",: ").find(text[name.size()]) != std::string_view::npos);
}

/// Finds runs by their names in the texts of a chart.
class NamedRuns {
 public:
  explicit NamedRuns(const std::vector<Run>& runs) : runs_(runs), names_(report::run_names(runs)) {
    for (const Run& run : runs)
      for (const CaseRecord& c : run.cases) subjects_.insert(c.key.collective);
  }

  /// The run with the longest name that the text begins with; null: none.
  [[nodiscard]] const Run* in_line(const std::string& text) const { return find(text, true); }
  /// The same for a title, which may begin with a collective or a model: a run of that name is not meant.
  [[nodiscard]] const Run* in_title(const std::string& text) const { return find(text, false); }

 private:
  [[nodiscard]] const Run* find(const std::string& text, bool also_subjects) const {
    const Run* found = nullptr;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (names_[i].size() <= longest || !begins_with_name(text, names_[i])) continue;
      if (!also_subjects && subjects_.contains(names_[i])) continue;
      longest = names_[i].size();
      found = &runs_[i];
    }
    return found;
  }

  const std::vector<Run>& runs_;
  std::vector<std::string> names_;
  std::set<std::string> subjects_;
};

bool is_predicted(const Chart& chart) { return chart.caption.find("Predicted by busbar predict") != std::string::npos; }

}  // namespace

std::vector<const Run*> runs_of(const Chart& chart, const std::vector<Run>& runs) {
  const NamedRuns named(runs);
  for (const std::string& title : {chart.title, chart.plot.title})
    if (const Run* run = chart.timed ? nullptr : named.in_title(title)) return {run};
  std::vector<const Run*> found;
  for (const std::string& line : drawn_runs(chart)) {
    const Run* run = named.in_line(line);
    if (run == nullptr) return report::pointers(runs);
    if (std::ranges::find(found, run) == found.end()) found.push_back(run);
  }
  std::ranges::sort(found);
  return found.empty() ? report::pointers(runs) : found;
}

std::string origin_note(const Chart& chart, const std::vector<Run>& runs, const std::vector<std::string>& shown) {
  std::vector<std::string> notes;
  if (is_predicted(chart)) notes.emplace_back("predicted");
  const std::vector<const Run*> own = runs_of(chart, runs);
  std::set<std::string> words;
  for (const Run* run : own)
    for (const std::string& word : origin_words(run->head)) words.insert(word);
  for (const std::string& word : words) {
    const bool of_all = std::ranges::all_of(own, [&](const Run* run) {
      const auto its = origin_words(run->head);
      return std::ranges::find(its, word) != its.end();
    });
    if (const std::string note = note_on(chart, word, of_all, shown); !note.empty()) notes.push_back(note);
  }
  return fmt::format("{}", fmt::join(notes, ", "));
}

Provenance provenance_of(const Chart& chart, const std::vector<Run>& runs) {
  constexpr std::size_t most = 20;
  std::vector<std::string> ids;
  std::string date;
  for (const Run* run : runs_of(chart, runs)) {
    if (std::ranges::find(ids, run->head.id) == ids.end()) ids.push_back(run->head.id);
    date = std::max(date, run->head.start_utc.value_or(""));
  }
  const bool is_date =
      date.size() == 20 && date[10] == 'T' && date.back() == 'Z' &&
      std::ranges::all_of(date, [](char c) { return (c >= '0' && c <= ':') || c == '-' || c == 'T' || c == 'Z'; });
  return {.title = subject_of(chart),
          .subject = fmt::format("{} {}", ids.size() == 1 ? "run" : "runs", report::list(ids, most)),
          .creator = fmt::format("busbar {}", version()),
          .date = is_date ? date : ""};
}

}  // namespace busbar::figure
