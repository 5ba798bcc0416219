// SPDX-License-Identifier: Apache-2.0
#include "reports/expected/placement.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <variant>

#include <fmt/core.h>

#include "core/base/words.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/expected/gpus_used.hpp"
#include "reports/expected/node_network.hpp"
#include "reports/text/text.hpp"

namespace busbar::expected {
namespace {

constexpr std::uint64_t most_small = 64 << 10, least_large = 16 << 20;
constexpr int like_nodes = 4;  // factor
constexpr double same_rate = 1.3, same_small_size = 1.1, same_large_size = 2, same_ranks = 2;
constexpr std::size_t enough = 3;  // results; with fewer, less alike ones are taken too

bool within(double a, double b, double factor) { return std::max(a, b) <= factor * std::min(a, b); }

/// "H100" of "H100-SXM5-80GB", "CPU" of "CPU: 2 x AMD EPYC 7742".
std::string first_word(const std::string& device) { return device.substr(0, device.find_first_of("-: ,")); }

/// Whether `word` is a whole word of `text`: "a100" of "nvidia a100-sxm4-40gb", not of "ra1000". Both in lower case.
bool has_word(const std::string& text, const std::string& word) {
  const auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) return true;
  }
  return false;
}

/// A published launch with its device family.
struct Published {
  const KnownSource* source = nullptr;
  const KnownRun* run = nullptr;
  std::string device;
};

/// The first words of all published devices.
std::set<std::string> words_in(const std::vector<KnownSource>& known) {
  std::set<std::string> words;
  for (const KnownSource& source : known)
    for (const KnownRun& run : source.results)
      if (!run.device.empty()) words.insert(first_word(run.device));
  return words;
}

std::string family_in(const std::string& name, const std::set<std::string>& words) {
  const std::string text = lower_case(name);
  std::string family;
  for (const std::string& word : words)
    if (word.size() > family.size() && has_word(text, lower_case(word))) family = word;
  if (family.empty() || family == "CPU") return family;
  if (has_word(text, "pcie")) return family + " PCIe";
  return has_word(text, "nvl") ? family + " NVL" : family;
}

/// What the record tells of the machine of a run.
struct Situation {
  std::string name;    ///< of the device, as recorded
  std::string device;  ///< family
  std::optional<double> network_GBps;
};

std::optional<double> network_of(const RunRecord& run, bool nccl, const std::optional<LineRate>& given) {
  if (given) return given->GBps;
  const auto found = slowest_network(run, nccl);
  if (const auto* network = std::get_if<NodeNetwork>(&found)) return network->rate.GBps;
  return std::nullopt;
}

std::string why_not(const RunRecord& run) {
  if (run.origin == Origin::simulated) return "simulated";
  if (report::is_lab(run)) return "measured on a lab";
  if (run.method.shared_gpu.value_or(false)) return "ranks shared a GPU";
  return "";
}

/// How much alike a published result must be.
enum class Likeness { same_network, any_network, any_nodes };

/// What one figure is compared with.
struct Wanted {
  const CaseKey& key;
  Situation machine;
  bool is_time = false;
};

std::optional<double> figure_of(const KnownRow& row, bool is_time) { return is_time ? row.time_us : row.busbw_GBps; }

bool is_alike(const Wanted& wanted, const KnownRun& run, Likeness likeness) {
  const int nodes = wanted.key.nodes.value_or(0);
  if (!run.nodes || nodes == 0) return false;
  if (likeness == Likeness::any_nodes) {
    if (wanted.is_time || nodes == 1 || *run.nodes == 1 || !within(*run.nodes, nodes, like_nodes)) return false;
  } else if (*run.nodes != nodes) {
    return false;
  }
  const double ranks = wanted.machine.device == "CPU" ? same_ranks : nodes == 1 ? 1 : HUGE_VAL;
  if (!run.ranks || !within(*run.ranks, wanted.key.ranks, ranks)) return false;
  if (likeness != Likeness::same_network || nodes == 1) return true;
  return run.inter_GBps && wanted.machine.network_GBps &&
         within(*run.inter_GBps, *wanted.machine.network_GBps, same_rate);
}

/// The size of a row as busbar counts it: of the larger buffer. OSU and IMB print what one rank sends to each other.
double bytes_of(const KnownRun& run, const KnownRow& row) {
  const bool per_rank =
      (run.tool == "OSU" || run.tool == "IMB") && (row.collective == "allgather" || row.collective == "alltoall" ||
                                                   row.collective == "gather" || row.collective == "scatter");
  return static_cast<double>(*row.bytes) * (per_rank ? run.ranks.value_or(0) : 1);
}

/// The row of a published launch that is closest to the case: in size, then in place.
const KnownRow* closest_row(const Wanted& wanted, const KnownRun& run) {
  const KnownRow* best = nullptr;
  const auto distance = [&](const KnownRow& row) {
    const double size = std::abs(std::log(bytes_of(run, row) / static_cast<double>(wanted.key.bytes)));
    return std::pair(size, row.in_place && *row.in_place != wanted.key.in_place);
  };
  for (const KnownRow& row : run.rows) {
    if (row.collective != wanted.key.collective || !row.bytes || !figure_of(row, wanted.is_time)) continue;
    const double factor = wanted.is_time ? same_small_size : same_large_size;
    if (!within(bytes_of(run, row), static_cast<double>(wanted.key.bytes), factor)) continue;
    if (best == nullptr || distance(row) < distance(*best)) best = &row;
  }
  return best;
}

/// Those of a device and a collective.
std::vector<Published> published_of(const std::string& device, const std::string& collective,
                                    const std::vector<Published>& all) {
  std::vector<Published> some;
  std::ranges::copy_if(all, std::back_inserter(some), [&](const Published& p) {
    return p.device == device && std::ranges::find(p.run->rows, collective, &KnownRow::collective) != p.run->rows.end();
  });
  return some;
}

/// `known`: of the case's device and collective.
void add_like(Placement& placement, const Wanted& wanted, Likeness likeness, const std::vector<Published>& known) {
  for (const auto& [source, run, device] : known) {
    if (!is_alike(wanted, *run, likeness)) continue;
    const KnownRow* row = closest_row(wanted, *run);
    if (row == nullptr) continue;
    auto& where = run->state == KnownState::normal ? placement.usual : placement.others;
    where.push_back({.source = source, .run = run, .row = row, .value = *figure_of(*row, wanted.is_time)});
  }
}

std::string likeness_text(const Wanted& wanted, Likeness likeness) {
  const int nodes = wanted.key.nodes.value_or(0);
  std::string text = wanted.machine.device;
  if (likeness == Likeness::any_nodes)
    return text + fmt::format(", {} to {} nodes, any network", std::max(2, nodes / like_nodes), nodes * like_nodes);
  text += nodes == 1 ? ", 1 node" : fmt::format(", {} nodes", nodes);
  if (wanted.machine.device == "CPU")
    text += fmt::format(", {:.0f} to {:.0f} ranks", std::ceil(wanted.key.ranks / same_ranks),
                        wanted.key.ranks * same_ranks);
  else if (nodes == 1)
    text += fmt::format(", {} ranks", wanted.key.ranks);
  if (nodes == 1) return text;
  return text + (likeness == Likeness::any_network
                     ? ", any network"
                     : fmt::format(", about {:.4g} GB/s a node", *wanted.machine.network_GBps));
}

/// `known`: of the case's device and collective.
std::optional<Placement> place_case(const CaseRecord& c, const Situation& machine,
                                    const std::vector<Published>& known) {
  const bool is_time = c.key.bytes <= most_small;
  const auto value = is_time ? (c.time_s ? std::optional(*c.time_s * 1e6) : std::nullopt) : c.busbw_GBps;
  if (!value || (!is_time && c.key.bytes < least_large)) return std::nullopt;
  const Wanted wanted{.key = c.key, .machine = machine, .is_time = is_time};
  Placement best;
  for (const Likeness likeness : {Likeness::same_network, Likeness::any_network, Likeness::any_nodes}) {
    Placement one{.record = &c, .is_time = is_time, .value = *value, .likeness = likeness_text(wanted, likeness)};
    add_like(one, wanted, likeness, known);
    if (one.usual.size() > best.usual.size()) best = std::move(one);
    if (best.usual.size() >= enough) break;
  }
  if (best.usual.empty()) return std::nullopt;
  const auto is_worse = [&](double a, double b) { return is_time ? a > b : a < b; };
  std::ranges::stable_sort(best.usual, is_worse, &LikeResult::value);
  best.worse = static_cast<std::size_t>(
      std::ranges::count_if(best.usual, [&](const LikeResult& r) { return is_worse(r.value, *value); }));
  return best;
}

/// The small and the large placement of a series with the most results.
void add_series(RunPlacement& run, const std::vector<const CaseRecord*>& cases, const Situation& machine,
                const std::vector<Published>& all_known) {
  const CaseKey& key = cases.front()->key;
  const std::vector<Published> known = published_of(machine.device, key.collective, all_known);
  std::optional<Placement> best_small, best_large;
  for (const CaseRecord* c : cases) {
    auto placement = place_case(*c, machine, known);
    if (!placement) continue;
    auto& best = placement->is_time ? best_small : best_large;
    const bool at_least = best && placement->usual.size() == best->usual.size() && !placement->is_time;  // the largest
    if (!best || placement->usual.size() > best->usual.size() || at_least) best = std::move(placement);
  }
  if (!best_small && !best_large) run.without.push_back(report::subject(key) + ", " + report::scale_text(key));
  for (auto& best : {std::move(best_small), std::move(best_large)})
    if (best) run.placed.push_back(*best);
}

bool is_comparable(const CaseRecord& c) {
  return is_measured(c.status) && !c.key.training && c.key.bytes > 0 && c.key.ranks > 1 && c.calls.empty();
}

std::vector<Published> published_in(const std::vector<KnownSource>& known, const std::set<std::string>& words) {
  std::vector<Published> all;
  for (const KnownSource& source : known)
    for (const KnownRun& run : source.results) all.push_back({&source, &run, family_in(run.device, words)});
  return all;
}

Situation situation_of(const RunRecord& run, const CaseKey& key, const std::optional<LineRate>& line_rate,
                       const std::set<std::string>& words) {
  const std::string name = is_on_device(key) ? gpu_name(run) : "CPU";
  return {.name = name,
          .device = family_in(name, words),
          .network_GBps = network_of(run, key.backend == "nccl", line_rate)};
}

/// The measured cases of each series of collectives, in order of appearance; of a size in place and out of place the
/// first.
std::vector<std::vector<const CaseRecord*>> series_of(const Run& run) {
  std::map<std::string, std::size_t> known;
  std::vector<std::vector<const CaseRecord*>> all;
  for (const CaseRecord& c : run.cases) {
    if (!is_comparable(c)) continue;
    CaseKey key = c.key;
    key.in_place = false;
    const auto [at, is_new] = known.try_emplace(series_name(key), all.size());
    if (is_new) all.emplace_back();
    auto& cases = all[at->second];
    if (std::ranges::none_of(cases, [&](const CaseRecord* other) { return other->key.bytes == c.key.bytes; }))
      cases.push_back(&c);
  }
  return all;
}

}  // namespace

std::string device_family(const std::string& name, const std::vector<KnownSource>& known) {
  return family_in(name, words_in(known));
}

std::optional<Placement> place_one(const RunRecord& run, const CaseRecord& c, const std::optional<LineRate>& line_rate,
                                   const std::vector<KnownSource>& known) {
  if (!is_comparable(c) || !why_not(run).empty()) return std::nullopt;
  const std::set<std::string> words = words_in(known);
  const Situation machine = situation_of(run, c.key, line_rate, words);
  if (machine.device.empty()) return std::nullopt;
  return place_case(c, machine, published_of(machine.device, c.key.collective, published_in(known, words)));
}

std::vector<RunPlacement> place(const std::vector<Run>& runs, const std::optional<LineRate>& line_rate,
                                const std::vector<KnownSource>& known) {
  const std::set<std::string> words = words_in(known);
  const std::vector<Published> published = published_in(known, words);
  std::vector<RunPlacement> all;
  const std::vector<std::string> names = report::run_names(runs);
  for (const Run& run : runs) {
    RunPlacement& placement = all.emplace_back(RunPlacement{.run = names[all.size()], .why_not = why_not(run.head)});
    if (!placement.why_not.empty()) continue;
    for (const auto& cases : series_of(run)) {
      const CaseKey& key = cases.front()->key;
      const Situation machine = situation_of(run.head, key, line_rate, words);
      if (machine.device.empty())
        placement.why_not =
            machine.name.empty() ? "the record names no device" : "no public result has a " + machine.name;
      else
        add_series(placement, cases, machine, published);
      if (!machine.device.empty()) placement.device = machine.device;
    }
  }
  return all;
}

}  // namespace busbar::expected
