// SPDX-License-Identifier: Apache-2.0
#include "reports/expected/placement_blocks.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/enum_words.hpp"
#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "reports/text/text.hpp"

namespace busbar::expected {
namespace {

using report::Block, report::ColumnKind, report::Paragraph, report::Table;

std::string figure(const Placement& p, double value) {
  return p.is_time ? fmt::format("{:.4g} us", value) : report::bandwidth(value) + " GB/s";
}

std::string subject_of(const Placement& p) {
  return fmt::format("{} at {}", report::subject(p.record->key), format_size(p.record->key.bytes));
}

std::size_t per_cent(std::size_t part, std::size_t whole) { return (200 * part + whole) / (2 * whole); }

/// "allreduce at 1 GiB: 178 GB/s, better than 4 of 14 public results (A100, 2 nodes, any network; 12.4 to 240 GB/s,
/// median 155): between the 27th and the 33rd percentile". Below 5 results there is no percentile.
std::string sentence(const Placement& p) {
  const std::size_t count = p.usual.size();
  const std::string range = count == 1
                                ? figure(p, p.usual.front().value)
                                : fmt::format("{} to {}, median {}", figure(p, p.usual.front().value),
                                              figure(p, p.usual.back().value), figure(p, p.usual[count / 2].value));
  std::string text = fmt::format("{}: {}, better than {} of {} public result{} ({}; {})", subject_of(p),
                                 figure(p, p.value), p.worse, count, count == 1 ? "" : "s", p.likeness, range);
  if (count >= 5)
    text +=
        fmt::format(": between percentile {} and {}", per_cent(p.worse, count + 1), per_cent(p.worse + 1, count + 1));
  return text + ".";
}

/// "Health checks ask for 370 GB/s or more.": the published limits, if there are any.
std::string thresholds(const Placement& p) {
  std::vector<double> limits;
  for (const LikeResult& r : p.others)
    if (r.run->state == KnownState::threshold) limits.push_back(r.value);
  if (limits.empty() || p.is_time) return "";
  const auto [least, most] = std::ranges::minmax(limits);
  return least == most ? fmt::format(" Health checks ask for {}.", figure(p, least))
                       : fmt::format(" Health checks ask for {} to {}.", figure(p, least), figure(p, most));
}

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

/// Each published row once, in order of appearance.
Table sources_table(const std::vector<RunPlacement>& runs) {
  Table t{.title = "The public results",
          .columns = {{"collective", ColumnKind::name},
                      {"size", ColumnKind::number},
                      {"figure", ColumnKind::number},
                      {"device", ColumnKind::name},
                      {"nodes", ColumnKind::number},
                      {"network", ColumnKind::name},
                      {"given as", ColumnKind::name},
                      {"source", ColumnKind::text}},
          .rows = {},
          .folded = true};
  std::set<std::pair<const KnownRow*, bool>> seen;
  for (const RunPlacement& run : runs)
    for (const Placement& p : run.placed)
      for (const auto* results : {&p.usual, &p.others})
        for (const LikeResult& r : *results)
          if (seen.emplace(r.row, p.is_time).second)
            t.rows.push_back({r.row->collective, format_size(*r.row->bytes), figure(p, r.value), r.run->device,
                              std::to_string(*r.run->nodes), or_dash(r.run->inter), std::string(name(r.run->state)),
                              r.source->url});
  return t;
}

nlohmann::json json_of(const LikeResult& r) {
  return {{"value", r.value},      {"device", r.run->device},     {"nodes", r.run->nodes},
          {"ranks", r.run->ranks}, {"network", r.run->inter},     {"library", r.run->library},
          {"bytes", r.row->bytes}, {"state", name(r.run->state)}, {"title", r.source->title},
          {"url", r.source->url},  {"line", r.row->line}};
}

nlohmann::json json_of(const Placement& p) {
  nlohmann::json results = nlohmann::json::array();
  for (const auto* some : {&p.usual, &p.others})
    for (const LikeResult& r : *some) results.push_back(json_of(r));
  return {{"id", to_string(p.record->key)},
          {"unit", p.is_time ? "us" : "GB/s"},
          {"value", p.value},
          {"like", p.likeness},
          {"better_than", p.worse},
          {"of", p.usual.size()},
          {"results", std::move(results)}};
}

}  // namespace

std::vector<Block> blocks_of(const std::vector<RunPlacement>& all) {
  std::vector<Block> blocks{
      Paragraph{.text = "Public results of the same device and collective. Machines differ, and people publish what is "
                        "good or broken: a place says what is usual, not what is right."}};
  for (const RunPlacement& run : all) {
    report::KeyValues about{.title = run.run, .rows = {}};
    for (const Placement& p : run.placed) about.rows.emplace_back("place", sentence(p) + thresholds(p));
    if (!run.why_not.empty()) about.rows.emplace_back("not compared", run.why_not);
    if (!run.without.empty())
      about.rows.emplace_back("nothing comparable",
                              fmt::format("{}: {}", or_dash(run.device), fmt::join(run.without, "; ")));
    if (!about.rows.empty()) blocks.emplace_back(std::move(about));
  }
  if (Table sources = sources_table(all); !sources.rows.empty()) blocks.emplace_back(std::move(sources));
  return blocks;
}

nlohmann::json json_of(const std::vector<RunPlacement>& all) {
  nlohmann::json runs = nlohmann::json::array();
  for (const RunPlacement& run : all) {
    nlohmann::json placed = nlohmann::json::array();
    for (const Placement& p : run.placed) placed.push_back(json_of(p));
    runs.push_back({{"run", run.run},
                    {"device", run.device},
                    {"placed", std::move(placed)},
                    {"not_compared", run.why_not},
                    {"nothing_comparable", run.without}});
  }
  return runs;
}

}  // namespace busbar::expected
