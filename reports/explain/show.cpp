// SPDX-License-Identifier: Apache-2.0
#include "reports/explain/show.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/units.hpp"
#include "reports/escape.hpp"
#include "reports/explain/words.hpp"
#include "reports/text.hpp"

namespace busbar::explain {
namespace {

constexpr int schema = 1;  ///< of the JSON

/// Colours of a terminal; all empty where it has none.
struct Colours {
  std::string_view title, quiet, end;
};

Colours colours(const Terminal& t) {
  return t.colour ? Colours{.title = "\x1b[1m", .quiet = "\x1b[2m", .end = "\x1b[0m"} : Colours{};
}

std::string text_of(std::size_t number, const Found& found, const Terminal& t, const Colours& colour) {
  const Finding& f = found.finding;
  std::string out =
      fmt::format("{}{}{}", colour.title, wrap(clean(f.title), t.columns, fmt::format("{}. ", number)), colour.end);
  out +=
      fmt::format("{}{}{}", colour.quiet,
                  wrap(fmt::format("{}; rule {}", name(f.certainty), found.rule->name), t.columns, "   "), colour.end);
  for (const std::string& sentence : f.evidence) out += wrap(clean(sentence), t.columns, "   - ");
  for (const std::string& sentence : f.tries) out += wrap(clean(sentence), t.columns, "   try: ");
  if (const std::string where = text_of(f.where); !where.empty()) out += wrap(clean(where), t.columns, "   where: ");
  return out;
}

nlohmann::json json_of(const Found& found) {
  const Finding& f = found.finding;
  return {{"rule", found.rule->name},
          {"certainty", name(f.certainty)},
          {"title", f.title},
          {"evidence", f.evidence},
          {"try", f.tries},
          {"where",
           {{"series", f.where.series},
            {"sizes_bytes", f.where.sizes},
            {"ranks", f.where.ranks},
            {"hosts", f.where.hosts}}}};
}

}  // namespace

std::vector<ExplainedRun> explained(const std::vector<Run>& runs) {
  const auto names = report::run_names(runs);
  std::vector<ExplainedRun> all;
  for (std::size_t i = 0; i < runs.size(); ++i)
    all.push_back({.name = names[i], .run = &runs[i], .explanation = look_at(runs[i])});
  return all;
}

std::string summary(const ExplainedRun& r) {
  const std::string cases = plural(r.run->cases.size(), "case");
  const std::size_t found = r.explanation.found.size();
  return found == 0 ? "nothing stands out in " + cases : fmt::format("{} in {}", plural(found, "finding"), cases);
}

std::string looked_for(const Explanation& e) {
  std::string text = fmt::format("Looked for: {}.", fmt::join(e.looked_for, ", "));
  if (!e.without_data.empty()) text += fmt::format(" The record has no data for: {}.", fmt::join(e.without_data, ", "));
  return text;
}

std::string text_of(const Where& w) {
  std::vector<std::string> parts;
  if (!w.sizes.empty()) parts.push_back(report::size_list(w.sizes));
  if (!w.ranks.empty()) parts.push_back(rank_names(w.ranks));
  if (!w.hosts.empty()) parts.push_back(report::list(w.hosts, 8));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string as_text(const std::vector<ExplainedRun>& runs, const Terminal& t) {
  const Colours colour = colours(t);
  std::string out;
  for (const ExplainedRun& r : runs) {
    if (!out.empty()) out += "\n";
    out += wrap(fmt::format("{}: {}", clean(r.name), summary(r)), t.columns, "");
    std::size_t number = 0;
    for (const Found& found : r.explanation.found) out += "\n" + text_of(++number, found, t, colour);
    out += fmt::format("\n{}{}{}", colour.quiet, wrap(looked_for(r.explanation), t.columns, ""), colour.end);
  }
  return out;
}

std::string as_markdown(const std::vector<ExplainedRun>& runs) {
  std::string out;
  for (const ExplainedRun& r : runs) {
    out += fmt::format("{}## {}\n\n{}.\n\n", out.empty() ? "" : "\n", report::escape_markdown(r.name), summary(r));
    for (const Found& found : r.explanation.found) {
      const Finding& f = found.finding;
      out += fmt::format("### {}\n\n*{}*; rule `{}`\n\n", report::escape_markdown(f.title), name(f.certainty),
                         found.rule->name);
      for (const std::string& sentence : f.evidence) out += fmt::format("- {}\n", report::escape_markdown(sentence));
      for (const std::string& sentence : f.tries)
        out += fmt::format("- **Try:** {}\n", report::escape_markdown(sentence));
      if (const std::string where = text_of(f.where); !where.empty())
        out += fmt::format("- Where: {}\n", report::escape_markdown(where));
      out += "\n";
    }
    out += report::escape_markdown(looked_for(r.explanation)) + "\n";
  }
  return out;
}

nlohmann::json as_json(const std::vector<ExplainedRun>& runs) {
  nlohmann::json all = {{"schema", schema}, {"runs", nlohmann::json::array()}};
  for (const ExplainedRun& r : runs) {
    nlohmann::json findings = nlohmann::json::array();
    for (const Found& found : r.explanation.found) findings.push_back(json_of(found));
    all["runs"].push_back({{"name", r.name},
                           {"path", r.run->path},
                           {"id", r.run->head.id},
                           {"cases", r.run->cases.size()},
                           {"findings", std::move(findings)},
                           {"looked_for", r.explanation.looked_for},
                           {"without_data", r.explanation.without_data}});
  }
  return all;
}

}  // namespace busbar::explain
