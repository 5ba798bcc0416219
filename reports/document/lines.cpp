// SPDX-License-Identifier: Apache-2.0
#include "reports/document/lines.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"

namespace busbar::report {
namespace {

const std::string& label_in(const Line& line, const LegendEntry& entry) {
  return entry.is_run ? line.run : line.series;
}

/// Indices of the lines that are shown.
std::vector<std::size_t> shown_lines(const std::vector<LegendEntry>& legend, const std::vector<Line>& lines) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (is_shown(lines[i], legend)) shown.push_back(i);
  return shown;
}

/// Entries of one kind that are shown.
std::vector<LegendEntry*> shown_entries(std::vector<LegendEntry>& legend, bool runs) {
  std::vector<LegendEntry*> entries;
  for (LegendEntry& entry : legend)
    if (entry.is_run == runs && entry.shown) entries.push_back(&entry);
  return entries;
}

/// Hides series while more than one is left and too many lines are shown.
void hide_series(std::vector<LegendEntry>& legend, const std::vector<Line>& lines) {
  std::vector<LegendEntry*> entries = shown_entries(legend, false);
  const auto lines_of = [&](const LegendEntry* entry) {
    return std::ranges::count(lines, entry->label, &Line::series);
  };
  std::ranges::stable_sort(entries, std::greater{}, lines_of);
  while (entries.size() > 1 && shown_lines(legend, lines).size() > most_shown_lines) {
    entries.back()->shown = false;
    entries.pop_back();
  }
}

/// The largest x that most of the lines have.
double deciding_x(const std::vector<std::size_t>& lines, const LineValues& by) {
  std::map<double, std::set<std::size_t>> at;
  for (const LineValues::Value& v : by.values)
    if (std::ranges::binary_search(lines, v.line)) at[v.x].insert(v.line);
  double best = 0;
  std::size_t most = 0;
  for (const auto& [x, having] : at) {
    if (having.size() < most) continue;
    most = having.size();
    best = x;
  }
  return best;
}

/// Lines with a value at x, lowest value first; of equal values the first line.
std::vector<std::size_t> lines_by_value(const std::vector<std::size_t>& lines, const LineValues& by, double x) {
  std::map<std::size_t, double> values;
  for (const LineValues::Value& v : by.values)
    if (v.x == x && std::ranges::binary_search(lines, v.line)) values.try_emplace(v.line, v.value);
  std::vector<std::size_t> ordered;
  for (const auto& [line, value] : values) ordered.push_back(line);
  std::ranges::stable_sort(ordered, {}, [&](std::size_t line) { return values.at(line); });
  return ordered;
}

/// `count` of them at equal distances, with the first and the last.
std::vector<std::size_t> spread_over(const std::vector<std::size_t>& ordered, std::size_t count) {
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < count; ++i)
    some.push_back(ordered[(i * (ordered.size() - 1) + (count - 1) / 2) / (count - 1)]);
  return some;
}

/// Numbers colours and shapes anew, those of shown entries first, unless entries share a colour on purpose.
void number_styles(const std::vector<LegendEntry*>& entries, std::vector<Line>& lines) {
  std::set<std::size_t> colours_used;
  for (const LegendEntry* entry : entries) colours_used.insert(entry->style.colour);
  if (colours_used.size() < entries.size()) return;
  std::unordered_map<std::string_view, std::size_t> number_of;
  for (const bool shown : {true, false}) {
    for (LegendEntry* entry : entries) {
      if (entry->shown != shown) continue;
      entry->style.colour = entry->style.shape = number_of.size();
      number_of.emplace(entry->label, number_of.size());
    }
  }
  for (Line& line : lines) {
    const auto at = number_of.find(label_in(line, *entries.front()));
    if (at != number_of.end()) line.style.colour = line.style.shape = at->second;
  }
}

/// Hides entries until the chosen lines are left. Returns the words for them.
std::string choose(std::vector<LegendEntry>& legend, std::vector<Line>& lines, const LineValues& by) {
  const std::vector<std::size_t> candidates = shown_lines(legend, lines);
  const double x = deciding_x(candidates, by);
  std::vector<std::size_t> chosen = lines_by_value(candidates, by, x);
  std::string words =
      fmt::format("{}, {} and {} between at {}", by.lowest, by.highest, most_shown_lines - 2, by.text(x));
  if (chosen.size() >= most_shown_lines) {
    chosen = spread_over(chosen, most_shown_lines);
  } else {
    words = chosen.empty() ? "the first" : fmt::format("those with {}, then the first of the others", by.text(x));
    for (const std::size_t line : candidates)
      if (chosen.size() < most_shown_lines && std::ranges::find(chosen, line) == chosen.end()) chosen.push_back(line);
  }
  const std::vector<LegendEntry*> entries = shown_entries(legend, !shown_entries(legend, true).empty());
  for (LegendEntry* entry : entries)
    entry->shown =
        std::ranges::any_of(chosen, [&](std::size_t line) { return label_in(lines[line], *entry) == entry->label; });
  number_styles(entries, lines);
  return words;
}

}  // namespace

std::string place_of_size(double bytes) { return format_size(static_cast<std::uint64_t>(bytes)); }

bool is_shown(const Line& line, const std::vector<LegendEntry>& legend) {
  return std::ranges::none_of(
      legend, [&](const LegendEntry& entry) { return !entry.shown && entry.label == label_in(line, entry); });
}

std::string show_few(std::vector<LegendEntry>& legend, std::vector<Line>& lines, const LineValues& by) {
  if (shown_lines(legend, lines).size() <= most_shown_lines) return {};
  std::vector<std::string> parts;
  if (!shown_entries(legend, true).empty()) {
    hide_series(legend, lines);
    std::vector<std::string> series;
    for (const LegendEntry* entry : shown_entries(legend, false)) series.push_back(entry->label);
    if (series.size() < static_cast<std::size_t>(std::ranges::count(legend, false, &LegendEntry::is_run)))
      parts.push_back(fmt::format("only {}", fmt::join(series, " and ")));
  }
  if (shown_lines(legend, lines).size() > most_shown_lines) parts.push_back(choose(legend, lines, by));
  return fmt::format("{} of {} lines: {}", shown_lines(legend, lines).size(), lines.size(), fmt::join(parts, "; "));
}

}  // namespace busbar::report
