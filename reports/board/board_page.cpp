// SPDX-License-Identifier: Apache-2.0
#include "reports/board/board_page.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/document/charts.hpp"
#include "reports/text/escape.hpp"

namespace busbar::board {
namespace {

using report::escape_html;

constexpr double spark_width = 180, spark_height = 36, margin = 4;

std::string launches_text(std::size_t n) { return fmt::format("{} launch{}", n, n == 1 ? "" : "es"); }

std::string link(const std::string& address, const std::string& text) {
  if (address.empty()) return escape_html(text);
  return fmt::format("<a href=\"{}\">{}</a>", escape_html(address), escape_html(text));
}

/// The level's position in a spark line; slower is higher. At least +-5 % is shown, so that noise looks flat.
struct SparkScale {
  report::Range levels{0.95, 1.05};
  std::size_t launches = 0;

  explicit SparkScale(std::span<const double> all) : launches(all.size()) {
    for (const double level : all) {
      if (std::isnan(level)) continue;
      levels = {std::min(levels.low, level), std::max(levels.high, level)};
    }
  }
  [[nodiscard]] double x(std::size_t i) const {
    if (launches < 2) return spark_width / 2;
    return margin + (spark_width - 2 * margin) * static_cast<double>(i) / static_cast<double>(launches - 1);
  }
  [[nodiscard]] double y(double level) const {
    return spark_height - margin - (spark_height - 2 * margin) * (level - levels.low) / (levels.high - levels.low);
  }
};

/// Number of the first launch of the latest change; empty without changes.
std::optional<std::size_t> changed_at(const Group& group) {
  if (group.changes.empty()) return std::nullopt;
  for (std::size_t i = 0; i < group.launches.size(); ++i)
    if (history::start_of(*group.launches[i]) == group.changes.back().since) return i;
  return std::nullopt;
}

/// "-1.2 to +3.4 %".
std::string range_text(const Group& group) {
  std::vector<double> known;
  std::ranges::copy_if(group.levels, std::back_inserter(known), [](double v) { return !std::isnan(v); });
  if (known.empty()) return "no figures";
  const auto [low, high] = std::ranges::minmax(known);
  return fmt::format("{:+.1f} to {:+.1f} % of the usual time", 100 * (low - 1), 100 * (high - 1));
}

std::string spark(const Group& group) {
  const SparkScale scale(group.levels);
  std::string out = fmt::format("<svg class=\"spark\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}: {}\">",
                                spark_width, spark_height, launches_text(group.levels.size()), range_text(group));
  out += fmt::format("<path class=\"flat\" d=\"M0 {:.1f}H{}\"/>", scale.y(1), spark_width);
  if (const auto at = changed_at(group))
    out += fmt::format("<path class=\"since\" d=\"M{:.1f} 0V{}\"/>", scale.x(*at), spark_height);
  std::string path, dots;
  for (std::size_t i = 0; i < group.levels.size(); ++i) {
    const double level = group.levels[i];
    if (std::isnan(level)) continue;
    const bool goes_on = i > 0 && !std::isnan(group.levels[i - 1]);
    path += fmt::format("{}{:.1f} {:.1f}", goes_on ? "L" : "M", scale.x(i), scale.y(level));
    if (!goes_on || i + 1 == group.levels.size())
      dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>", scale.x(i), scale.y(level));
  }
  return out + fmt::format("<path d=\"{}\"/>{}</svg>", path, dots);
}

std::string cell(std::string_view head, std::string_view css, const std::string& markup) {
  return fmt::format("<td class=\"{}\" data-head=\"{}\">{}</td>", css, head, markup);
}

/// The word that the table shows for a verdict; its name is the class of the cell.
std::string word_of(Verdict verdict) {
  if (verdict == Verdict::few) return fmt::format("fewer than {} launches", history::least_for_changes);
  return std::string(name(verdict));
}

std::string group_row(const Group& group, std::size_t number, const Links& links) {
  const Run& last = *group.launches.back();
  const std::string ending = ending_of(last);
  std::string row = "<tr>" + cell("launches of", "text",
                                  fmt::format("<a href=\"#group-{}\">{}</a>", number, escape_html(group.name)));
  row += cell("last launch", "name", link(links.report(last), history::start_of(last)));
  row += cell("status", ending, ending);
  row += cell("verdict", std::string(name(group.verdict)), word_of(group.verdict));
  const std::string trend = links.trend(group);
  row += cell("trend", "name", spark(group) + (trend.empty() ? "" : link(trend, "over time")));
  row += cell("since", "name", group.changes.empty() ? "-" : escape_html(group.changes.back().since));
  return row + cell("launches", "number", std::to_string(group.launches.size())) + "</tr>\n";
}

std::string board_table(std::span<const Group> groups, const Links& links) {
  std::string out =
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"board\"><table "
      "class=\"stacks\">\n<thead><tr><th scope=\"col\">launches "
      "of</th><th scope=\"col\">last launch</th><th scope=\"col\">status</th><th scope=\"col\">verdict</th><th "
      "scope=\"col\">trend</th><th scope=\"col\">since</th><th scope=\"col\" "
      "class=\"number\">launches</th></tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < groups.size(); ++i) out += group_row(groups[i], i + 1, links);
  return out + "</tbody></table></div>\n";
}

std::string cases_text(const Run& run) {
  const auto measured = std::ranges::count_if(run.cases, [](const CaseRecord& c) { return is_measured(c.status); });
  return fmt::format("{} of {}", measured, run.cases.size());
}

/// What changed, and the launches from the newest to the oldest.
std::string group_details(const Group& group, std::size_t number, const Links& links) {
  std::string out = fmt::format("<section>\n<h2 id=\"group-{0}\">{1}</h2>\n<p>{2}</p>\n", number,
                                escape_html(group.name), escape_html(group.sentence));
  for (std::size_t i = group.changes.size(); i-- > 1;)
    out += fmt::format("<p class=\"summary\">Before: {}</p>\n", escape_html(history::sentence(group.changes[i - 1])));
  out += fmt::format(
      "<details id=\"launches-{}\"><summary>{}</summary>\n<table>\n<thead><tr><th scope=\"col\">start</th><th "
      "scope=\"col\">status</th><th scope=\"col\" class=\"number\">cases measured</th><th scope=\"col\" "
      "class=\"number\">time, % of usual</th></tr></thead>\n<tbody>\n",
      number, launches_text(group.launches.size()));
  for (std::size_t i = group.launches.size(); i-- > 0;) {
    const Run& run = *group.launches[i];
    const std::string ending = ending_of(run);
    const std::string level = std::isnan(group.levels[i]) ? "-" : fmt::format("{:.1f}", 100 * group.levels[i]);
    out += "<tr>" + cell("start", "name", link(links.report(run), history::start_of(run))) +
           cell("status", ending, ending) + cell("cases measured", "number", cases_text(run)) +
           cell("time, % of usual", "number", level) + "</tr>\n";
  }
  return out + "</tbody></table></details>\n</section>\n";
}

std::string summary_of(std::span<const Group> groups) {
  std::size_t launches = 0, failed = 0, slower = 0;
  for (const Group& group : groups) {
    launches += group.launches.size();
    failed += group.verdict == Verdict::failed ? 1U : 0U;
    slower += group.verdict == Verdict::slower || group.verdict == Verdict::mixed ? 1U : 0U;
  }
  return fmt::format("{}, {}: {} failed, {} slower", plural(groups.size(), "group"), launches_text(launches), failed,
                     slower);
}

constexpr std::string_view explanation =
    "A row is a group of launches with the same labels, program, ranks and collectives. Trend: median over the cases "
    "of "
    "their time, relative to their median over all launches of the group; higher is slower, the red line is the latest "
    "lasting change. Verdict: by the last launch and the latest change, found over all cases together.";

}  // namespace

Shell board_page(const std::string& folder, std::span<const Group> groups, const Links& links,
                 std::span<const std::string> problems, const std::string& version, bool refreshes) {
  std::string body = fmt::format("<main data-version=\"{}\">\n", escape_html(version));
  if (groups.empty())
    body += "<p>There is no record (*.jsonl) in this folder yet.</p>\n";
  else
    body += board_table(groups, links) + fmt::format("<p class=\"summary\">{}</p>\n", explanation);
  for (std::size_t i = 0; i < groups.size(); ++i) body += group_details(groups[i], i + 1, links);
  if (!problems.empty()) {
    body += "<section>\n<h2>Files that were left out</h2>\n<ul>\n";
    for (const std::string& problem : problems) body += "<li>" + escape_html(problem) + "</li>\n";
    body += "</ul>\n</section>\n";
  }
  return {.title = "busbar: " + folder,
          .summary = summary_of(groups),
          .body = body + "</main>\n",
          .script = refreshes ? std::string(board_js()) : "",
          .asks_server = refreshes};
}

}  // namespace busbar::board
