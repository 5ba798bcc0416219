// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/base/words.hpp"
#include "reports/figure/chart.hpp"

namespace busbar::figure {
namespace {

constexpr std::size_t longest_name = 64;

/// Lower-case words of ASCII letters, digits and dots, joined by "-"; "/" within a word is "per".
std::string slug(std::string_view text) {
  std::string out;
  bool gap = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (std::isalnum(c) != 0 || (c == '.' && !gap && !out.empty())) {
      if (gap && !out.empty()) out += '-';
      out += static_cast<char>(std::tolower(c));
      gap = false;
    } else {
      const bool in_unit =
          c == '/' && !gap && i + 1 < text.size() && std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0;
      if (in_unit && !out.empty()) out += "-per";
      gap = true;
    }
  }
  return out;
}

/// Cuts a long name at a "-".
std::string cut(std::string name, std::size_t most) {
  if (name.size() <= most) return name;
  name.resize(most);
  if (const std::size_t end = name.rfind('-'); end != std::string::npos && end > most / 2) name.resize(end);
  return name;
}

std::string without_brackets(const std::string& text) { return text.substr(0, text.find(" (")); }

/// "speedup", "busbw", "time": the quantity on the axis that has one.
std::string quantity_of(const report::Plot& plot) {
  switch (plot.kind) {
    case report::PlotKind::lines:
    case report::PlotKind::bars:
      return without_brackets(plot.y.title);
    case report::PlotKind::cells:
    case report::PlotKind::spans:
      break;
  }
  return {};
}

/// The block's title without what the plot's axis says.
std::string title_words(const Chart& chart) {
  std::string title = chart.title;
  const std::string over = " over " + without_brackets(chart.plot.x.title);
  if (const std::size_t at = title.find(over); at != std::string::npos && !chart.plot.x.title.empty())
    title.erase(at, over.size());
  return title;
}

/// A long title is cut more than the plot's own title, such as a size; the quantity stays whole.
std::string name_of(const Chart& chart) {
  constexpr std::size_t least_of_plot = 24;
  std::string title = slug(title_words(chart)), plot = slug(chart.plot.title), quantity = slug(quantity_of(chart.plot));
  // "Hidden share" and "hidden": what the title says is not repeated
  if (title.starts_with(plot)) plot.clear();
  if (title.starts_with(quantity)) quantity.clear();
  const auto room = [](std::size_t taken) { return longest_name - std::min(taken, longest_name); };
  plot = cut(plot, std::max(room(title.size() + quantity.size() + 2), least_of_plot));
  title = cut(title, room(plot.size() + quantity.size() + 2));
  std::string name;
  for (const std::string& part : {title, plot, quantity})
    if (!part.empty()) name += (name.empty() ? "" : "-") + part;
  return name.empty() ? "figure" : name;
}

/// Up to four names that contain `text`, or else are few edits away, or else begin with its first word.
std::vector<std::string> near_names(const std::string& text, const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  std::vector<std::string> near;
  const std::string asked = slug(text);
  for (const std::string& name : names) {
    if (!asked.empty() && (name.find(asked) != std::string::npos || asked.find(name) != std::string::npos))
      near.push_back(name);
  }
  if (near.empty()) {
    if (const auto close = closest_word(asked, names)) near.push_back(*close);
  }
  const std::string first = asked.substr(0, asked.find('-'));
  for (const std::string& name : names) {
    if (near.empty() && name.substr(0, name.find('-')) == first) near.push_back(name);
  }
  if (near.size() > most) near.resize(most);
  return near;
}

}  // namespace

void name_charts(std::vector<Chart>& charts) {
  std::set<std::string> taken;
  for (Chart& chart : charts) {
    const std::string name = name_of(chart);
    chart.name = name;
    for (int nth = 2; !taken.insert(chart.name).second; ++nth) chart.name = fmt::format("{}-{}", name, nth);
  }
}

std::string subject_of(const Chart& chart) {
  std::string text = title_words(chart);
  if (!chart.plot.title.empty()) text += (text.empty() ? "" : ": ") + chart.plot.title;
  if (const std::string& quantity = chart.plot.y.title;
      !quantity_of(chart.plot).empty() && slug(text).find(slug(quantity)) == std::string::npos)
    text += (text.empty() ? "" : ": ") + quantity;
  if (!chart.plot.x.title.empty() && chart.plot.kind == report::PlotKind::lines)
    text += " over " + without_brackets(chart.plot.x.title);
  return text;
}

const Chart& find_chart(const std::vector<Chart>& charts, const std::string& name) {
  const auto found = std::ranges::find(charts, name, &Chart::name);
  if (found != charts.end()) return *found;
  if (charts.empty()) throw UsageError("these records have no chart");
  std::vector<std::string> names;
  for (const Chart& chart : charts) names.push_back(chart.name);
  std::vector<std::string> near = near_names(name, names);
  if (near.empty()) {
    near = names;
    if (near.size() > 4) near.resize(4);
    throw UsageError(
        fmt::format("NAME: these records have no figure '{}'; they have {}{}; busbar figure --list shows all", name,
                    fmt::join(near, ", "), names.size() > near.size() ? " and others" : ""));
  }
  throw UsageError(
      fmt::format("NAME: these records have no figure '{}'; did you mean {}? busbar figure --list shows all", name,
                  fmt::join(near, ", ")));
}

}  // namespace busbar::figure
