// SPDX-License-Identifier: Apache-2.0
#include "reports/text/text.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/ranges.h>

#include "core/base/privacy.hpp"
#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/environment/environment.hpp"
#include "core/record/case_record.hpp"
#include "core/record/method.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/tables/case_table.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::report {
namespace {

constexpr std::array<std::string_view, 15> parts{"backend",  "memory", "type",    "op",        "root",
                                                 "in place", "ranks",  "cadence", "algorithm", "group",
                                                 "counts",   "window", "form",    "progress",  "work"};

std::map<std::string, int> count(const std::vector<std::string>& names) {
  std::map<std::string, int> times;
  for (const auto& name : names) ++times[name];
  return times;
}

using Labels = std::map<std::string, std::string>;

/// The labels that all of several runs have with the same value: they tell none of them from the others.
Labels common_labels(std::span<const Run* const> runs) {
  if (runs.size() < 2) return {};
  Labels common = runs.front()->head.labels;
  for (const Run* run : runs) {
    std::erase_if(common, [&](const auto& label) {
      const auto at = run->head.labels.find(label.first);
      return at == run->head.labels.end() || at->second != label.second;
    });
  }
  return common;
}

/// Its labels without common ones, or else its file's name.
std::string short_name(const Run& run, const Labels& common) {
  if (common.empty()) return shortened(display_name(run), 120);
  std::string all;
  for (const auto& [key, value] : run.head.labels)
    if (!common.contains(key)) all += (all.empty() ? "" : " ") + key + "=" + value;
  return shortened(all.empty() ? std::filesystem::path(run.path).stem().string() : all, 120);
}

/// Name used when two short names are equal.
std::string longer_name(const Run& run, const Labels& common) {
  const std::filesystem::path path(without_people(run.path, this_person()));
  const std::string name = short_name(run, common);
  if (run.head.labels.size() > common.size()) return name + " " + path.stem().string();
  const std::string folder = path.parent_path().filename().string();
  return folder.empty() ? name : folder + "/" + name;
}

}  // namespace

std::string scale_text(const CaseKey& k) {
  if (k.ranks == 0) return "any number of ranks";  // a comparison across topologies
  std::string s = plural(k.ranks, "rank");
  if (k.nodes) s += " on " + plural(*k.nodes, "node");
  const int nodes = k.nodes.value_or(1);
  if (nodes > 1 && !k.ranks_per_node && k.ranks % nodes != 0) s += " (not evenly)";
  return s;
}

bool is_lab(const RunRecord& head) {
  return std::ranges::any_of(head.hosts, [](const Host& host) { return host.lab.has_value(); });
}

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t end = std::min(text.size(), most);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;  // do not cut inside a UTF-8 character
  std::string line(text.substr(0, end));
  std::ranges::replace(line, '\n', ' ');
  return end < text.size() ? line + "..." : line;
}

bool natural_less(const std::string& a, const std::string& b) {
  const auto split = [](const std::string& s) {
    const std::size_t digits = s.find_last_not_of("0123456789") + 1;
    return std::pair(s.substr(0, digits), s.size() - digits);
  };
  const auto [a_stem, a_digits] = split(a);
  const auto [b_stem, b_digits] = split(b);
  return std::tie(a_stem, a_digits, a) < std::tie(b_stem, b_digits, b);
}

std::string list(std::span<const std::string> items, std::size_t most) {
  const std::size_t shown = items.size() > most ? std::max<std::size_t>(most, 2) - 1 : items.size();
  std::string s = fmt::format("{}", fmt::join(items.first(shown), ", "));
  return shown == items.size() ? s : fmt::format("{} and {} more", s, items.size() - shown);
}

std::string owners_text(std::span<const std::string> owners, std::size_t everybody, const std::string& all_of_them) {
  return everybody > 1 && owners.size() == everybody ? all_of_them : list(owners);
}

std::string bandwidth(std::optional<double> gbps) {
  if (!gbps) return std::string(unknown);
  if (*gbps < 0.001) return fmt::format("{:.2g}", *gbps);
  return bandwidth_cell(gbps);
}

std::string bus_bandwidth(const CaseRecord& c) {
  const bool none = c.key.bytes == 0 || (c.algbw_GBps && !c.busbw_GBps);
  return none ? "-" : bandwidth(c.busbw_GBps);
}

std::string duration(std::optional<double> seconds) {
  return seconds ? format_duration(*seconds) : std::string(unknown);
}

std::string interval(const std::optional<Interval>& i) {
  if (!i) return std::string(unknown);
  return fmt::format("{} to {} ({:g} %)", duration(i->low), duration(i->high), 100 * i->confidence);
}

std::vector<std::string> run_names(std::span<const Run* const> runs) {
  const Labels common = common_labels(runs);
  std::vector<std::string> names;
  for (const Run* run : runs) names.push_back(short_name(*run, common));
  const std::map<std::string, int> times = count(names);
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (times.at(names[i]) > 1) names[i] = longer_name(*runs[i], common);
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunRecord& head = runs[i]->head;
    if (const int nth = ++seen[names[i]]; nth > 1) names[i] += fmt::format(" #{}", nth);
    if (head.origin != Origin::measured) names[i] += " (" + text_of(head.origin) + ")";
    if (head.method.shared_gpu.value_or(false)) names[i] += " (shared GPU)";
    if (is_lab(head)) names[i] += " (lab)";
  }
  return names;
}

std::vector<std::string> run_names(const std::vector<Run>& runs) { return run_names(pointers(runs)); }

std::vector<const Run*> pointers(std::span<const Run> runs) {
  std::vector<const Run*> all;
  for (const Run& run : runs) all.push_back(&run);
  return all;
}

std::span<const std::string_view> part_names() { return parts; }

std::vector<std::string> key_parts(const CaseKey& k) {
  const auto in_place = k.in_place ? std::string(*k.in_place ? "in place" : "out of place") : "";
  return {k.backend,
          k.memory ? *k.memory + " memory" : "",
          k.type.value_or(""),
          k.op.value_or(""),
          k.root ? fmt::format("root {}", *k.root) : "",
          in_place,
          scale_text(k),
          k.cadence ? *k.cadence + " cadence" : "",
          k.algorithm ? "algorithm " + *k.algorithm : "",
          k.group && *k.group != "world" ? "group " + *k.group : "",
          k.counts ? "counts " + *k.counts : "",
          k.window ? fmt::format("window {}", *k.window) : "",
          k.form.value_or(""),
          k.progress ? "progress by " + *k.progress : "",
          k.work ? fmt::format("work {} %", *k.work) : ""};
}

std::vector<std::string> series_names(std::span<const CaseKey* const> keys) {
  std::map<std::string, std::vector<std::set<std::string>>> values;  // of each part, by subject
  for (const CaseKey* key : keys) {
    auto& of = values[subject(*key)];
    of.resize(parts.size());
    const auto own = key_parts(*key);
    for (std::size_t i = 0; i < own.size(); ++i) of[i].insert(own[i]);
  }
  std::vector<std::string> names;
  for (const CaseKey* key : keys) {
    names.push_back(subject(*key));
    const auto& of = values[names.back()];
    const auto own = key_parts(*key);
    for (std::size_t i = 0; i < own.size(); ++i)
      if (of[i].size() > 1 && !own[i].empty()) names.back() += ", " + own[i];
  }
  return names;
}

std::string describe(const CaseKey& k) {
  if (k.training) return set_up(k) + ", " + scale_text(k);
  return join_filled(key_parts(k));
}

std::string subject(const CaseKey& k) {
  return k.kind == CaseKind::collective ? k.collective : text_of(k.kind) + " " + k.collective;
}

std::string time_rule(const Method& m) {
  if (m.statistic == Statistic::unknown && m.rank_rule == RankRule::unknown) return std::string(unknown);
  if (m.statistic == Statistic::median_of_rounds)
    return fmt::format("median over rounds of the medians of their samples, {}",
                       m.rank_rule == RankRule::slowest ? "slowest rank of each" : ranks_of_time(m));
  return fmt::format("{} over iterations, {}", name(m.statistic), ranks_of_time(m));
}

std::string size_list(std::span<const std::uint64_t> sizes) {
  if (sizes.size() > 4)
    return fmt::format("{} ... {} ({} sizes)", format_size(sizes.front()), format_size(sizes.back()), sizes.size());
  std::string s;
  for (const auto size : sizes) s += (s.empty() ? "" : ", ") + format_size(size);
  return s;
}

bool is_unfinished(const Run& run) {
  return !run.end || (!ran_to_end(run.end->status) && run.end->status != EndStatus::unknown);
}

std::string count_runs_and_cases(const std::vector<Run>& runs) {
  std::size_t cases = 0, skipped = 0, failed = 0, unfinished = 0;
  for (const Run& run : runs) {
    unfinished += is_unfinished(run);
    for (const CaseRecord& c : run.cases) {
      ++cases;
      skipped += c.status == Status::skipped;
      failed += c.status == Status::failed;
    }
  }
  const std::string lost = unfinished == 0    ? ""
                           : runs.size() == 1 ? " that did not finish"
                                              : fmt::format(" ({} did not finish)", unfinished);
  return fmt::format("{}{}, {} ({} skipped, {} failed)", plural(runs.size(), "run"), lost, plural(cases, "case"),
                     skipped, failed);
}

}  // namespace busbar::report
