// SPDX-License-Identifier: Apache-2.0
#include "reports/fleet/observations.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "core/statistics/summary.hpp"
#include "reports/document/pair_matrix.hpp"
#include "reports/text/text.hpp"

namespace busbar::fleet {
namespace {

constexpr std::uint64_t largest_small_bytes = 32768;
constexpr std::size_t fewest_observations = 5;
constexpr std::size_t fewest_places = 3;  ///< different sets of hosts that can be compared

/// Hosts and rail of one case; no hosts: unknown.
struct Where {
  std::set<std::string> hosts;
  std::string rail;
};

/// "node1" of "node1:3".
std::string host_of_end(const std::string& end) { return end.substr(0, end.find(':')); }
std::string number_of_end(const std::string& end) {
  const std::size_t colon = end.find(':');
  return colon == std::string::npos ? "" : end.substr(colon);
}

/// The one network device that a variable names: "mlx5_3" of "=mlx5_3:1".
std::string only_device(std::string_view value) {
  if (value.starts_with('=')) value.remove_prefix(1);
  if (value.starts_with('^') || value.find(',') != std::string_view::npos) return "";
  return std::string(value.substr(0, value.find(':')));
}

std::string rail_of_gpus(const RunRecord& head) {
  std::set<std::string> buses, hosts;
  for (const RankPlace& place : head.placement) {
    if (!place.device_bus || !hosts.insert(place.host).second) return "";
    buses.insert(*place.device_bus);
  }
  return buses.size() == 1 ? "GPU " + *buses.begin() : "";
}

std::string rail_of(const RunRecord& head) {
  if (const auto label = head.labels.find("rail"); label != head.labels.end()) return label->second;
  for (const char* variable : {"NCCL_IB_HCA", "UCX_NET_DEVICES", "OMPI_MCA_btl_tcp_if_include"})
    if (const auto it = head.environment.find(variable); it != head.environment.end()) return only_device(it->second);
  return rail_of_gpus(head);
}

Where where_of_pair(const report::PairEnds& ends, const std::set<std::string>& known) {
  const std::string a = host_of_end(ends.row), b = host_of_end(ends.column);
  if (a == b || !known.contains(a) || !known.contains(b)) return {};
  const std::string number = number_of_end(ends.row);
  const bool same = !number.empty() && number == number_of_end(ends.column);
  return {.hosts = {a, b}, .rail = same ? "rank " + number.substr(1) : ""};
}

/// All hosts of the run, or those of the ranks that took part.
std::set<std::string> hosts_of(const CaseRecord& c, const RunRecord& head, const std::set<std::string>& known) {
  if (c.key.ranks == head.ranks)
    return c.key.nodes.value_or(static_cast<int>(known.size())) == static_cast<int>(known.size())
               ? known
               : std::set<std::string>{};
  std::set<std::string> hosts;
  for (const RankSummary& r : c.ranks)
    if (static_cast<std::size_t>(r.rank) < head.placement.size())
      hosts.insert(head.placement[static_cast<std::size_t>(r.rank)].host);
  return hosts;
}

/// The labels whose values are sides of a comparison: few values, and not one for each set of hosts, which only names
/// them.
std::set<std::string> separating_labels(const std::vector<Run>& runs) {
  constexpr std::size_t most_values = 8;
  using Places = std::set<std::set<std::string>>;
  std::map<std::string, std::map<std::string, Places>> labels;
  for (const Run& run : runs) {
    std::set<std::string> hosts;
    for (const Host& host : run.head.hosts) hosts.insert(host.name);
    for (const auto& [label, value] : run.head.labels) labels[label][value].insert(hosts);
  }
  std::set<std::string> separating;
  for (const auto& [label, values] : labels) {
    Places all;
    std::size_t sum = 0;
    for (const auto& [value, places] : values) sum += places.size(), all.insert(places.begin(), places.end());
    const bool names_hosts = sum == values.size() && all.size() == values.size();
    if (label != "rail" && values.size() > 1 && values.size() <= most_values && !names_hosts) separating.insert(label);
  }
  return separating;
}

/// Numbers names in the order in which they come.
class Numbers {
 public:
  std::size_t of(const std::string& name) {
    const auto [at, is_new] = index_.try_emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return at->second;
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::map<std::string, std::size_t> index_;
  std::vector<std::string> names_;
};

struct Time {
  std::size_t observation = 0;
  double log_s = 0;
};

/// A view while its cases are collected.
struct Draft {
  CaseKey key;         ///< of its first case, without what differs within a view
  std::string labels;  ///< "platform=vm"
  bool small = false;
  std::vector<Observation> seen;
  std::map<std::tuple<std::size_t, std::vector<std::size_t>, std::optional<std::size_t>>, std::size_t> index;
  std::map<std::tuple<std::uint64_t, std::optional<bool>>, std::vector<Time>> cases;
};

class Collector {
 public:
  explicit Collector(const std::vector<Run>& runs) : separating_(separating_labels(runs)) {
    names_ = report::run_names(runs);
    for (const Run& run : runs)
      if (!is_simulated(run.head) && !run.head.method.shared_gpu.value_or(false))
        add(run, names_[static_cast<std::size_t>(&run - runs.data())]);
  }

  [[nodiscard]] DataSet result();

 private:
  void add(const Run& run, const std::string& name);
  void add(const CaseRecord& c, CaseKey key, const std::string& labels, std::size_t launch, const Where& where);
  std::size_t launch_of(const Run& run, const std::string& name);

  std::set<std::string> separating_;
  std::vector<std::string> names_;
  Numbers hosts_, rails_, launch_numbers_;
  std::vector<Launch> launches_;
  std::map<std::string, Draft> drafts_;
};

std::size_t Collector::launch_of(const Run& run, const std::string& name) {
  const std::string id = run.head.source
                             ? std::filesystem::path(run.path).parent_path().string() + "\n" + *run.head.source
                             : fmt::format("{}\n{}", run.path, name);
  const std::size_t launch = launch_numbers_.of(id);
  if (launch == launches_.size())
    launches_.push_back({.name = run.head.source ? std::filesystem::path(*run.head.source).stem().string() : name,
                         .started = run.head.start_utc});
  launches_[launch].runs.push_back(&run);
  return launch;
}

void Collector::add(const Run& run, const std::string& name) {
  std::set<std::string> known;
  for (const Host& host : run.head.hosts) known.insert(host.name);
  if (known.empty()) return;
  std::string labels;
  for (const auto& [label, value] : run.head.labels)
    if (separating_.contains(label)) labels += fmt::format("{}{}={}", labels.empty() ? "" : ", ", label, value);
  const std::string rail = rail_of(run.head);
  const std::size_t launch = launch_of(run, name);
  for (const std::string& host : known) hosts_.of(host);
  for (const CaseRecord& c : run.cases) {
    if (!is_measured(c.status) || !c.time_s || !(*c.time_s > 0)) continue;
    const auto ends = report::pair_ends(c);
    Where where = ends ? where_of_pair(*ends, known) : Where{.hosts = hosts_of(c, run.head, known), .rail = rail};
    if (where.hosts.empty()) continue;
    CaseKey key = c.key;
    if (ends) key.group = ends->arrow + ends->what;
    add(c, std::move(key), labels, launch, where);
  }
}

/// `key`: that of the case, without the ends of a pair.
void Collector::add(const CaseRecord& c, CaseKey key, const std::string& labels, std::size_t launch,
                    const Where& where) {
  key.bytes = 0;
  key.in_place = {};
  const bool small = !key.training && c.key.bytes <= largest_small_bytes;
  Draft& draft = drafts_[fmt::format("{}\n{}\n{}", to_string(key), labels, small)];
  if (draft.seen.empty()) draft.key = key, draft.labels = labels, draft.small = small;

  Observation o{.rail = where.rail.empty() ? std::nullopt : std::optional(rails_.of(where.rail)), .launch = launch};
  for (const std::string& host : where.hosts) o.hosts.push_back(hosts_.of(host));
  std::ranges::sort(o.hosts);
  const auto [at, is_new] = draft.index.try_emplace({o.launch, o.hosts, o.rail}, draft.seen.size());
  if (is_new) draft.seen.push_back(std::move(o));
  draft.cases[{c.key.bytes, c.key.in_place}].push_back({.observation = at->second, .log_s = std::log(*c.time_s)});
}

double usual_log_s(const Draft& draft, const std::vector<Time>& times) {
  std::map<std::size_t, std::vector<double>> of_host;
  for (const Time& t : times)
    for (const std::size_t host : draft.seen[t.observation].hosts) of_host[host].push_back(t.log_s);
  return usual_over_members(of_host);
}

void set_excess(Draft& draft) {
  std::vector<std::vector<double>> of(draft.seen.size());
  for (const auto& [id, times] : draft.cases) {
    const double usual = usual_log_s(draft, times);
    for (const Time& t : times) of[t.observation].push_back(t.log_s - usual);
  }
  for (std::size_t i = 0; i < of.size(); ++i) draft.seen[i].excess = median(of[i]);
}

/// Which hosts ran together, directly or through others.
class Clusters {
 public:
  Clusters(std::size_t hosts, const std::map<std::string, Draft>& drafts) : parent_(hosts) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    for (const auto& [key, draft] : drafts)
      for (const Observation& o : draft.seen)
        for (const std::size_t host : o.hosts) parent_[root(host)] = root(o.hosts.front());
  }
  [[nodiscard]] std::size_t root(std::size_t host) const {
    while (parent_[host] != host) host = parent_[host];
    return host;
  }

 private:
  std::vector<std::size_t> parent_;
};

/// The part of a draft whose observations are `kept`.
Draft part_of(const Draft& draft, const std::vector<bool>& kept) {
  Draft part{.key = draft.key, .labels = draft.labels, .small = draft.small};
  std::vector<std::size_t> place(draft.seen.size());
  for (std::size_t i = 0; i < draft.seen.size(); ++i) {
    place[i] = part.seen.size();
    if (kept[i]) part.seen.push_back(draft.seen[i]);
  }
  for (const auto& [id, times] : draft.cases)
    for (const Time& t : times)
      if (kept[t.observation]) part.cases[id].push_back({.observation = place[t.observation], .log_s = t.log_s});
  return part;
}

/// Clusters of hosts that never ran with hosts of another are apart, if each ran on 3 sets of hosts or more: they can
/// be different machines.
std::vector<Draft> split(const Draft& draft, const Clusters& clusters) {
  std::map<std::size_t, std::set<std::vector<std::size_t>>> places;
  for (const Observation& o : draft.seen) places[clusters.root(o.hosts.front())].insert(o.hosts);
  std::erase_if(places, [](const auto& p) { return p.second.size() < fewest_places; });
  std::vector<Draft> parts;
  std::vector<bool> rest(draft.seen.size(), true);
  for (const auto& [root, hosts] : places) {
    std::vector<bool> kept(draft.seen.size());
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (clusters.root(draft.seen[i].hosts.front()) == root) kept[i] = true, rest[i] = false;
    parts.push_back(part_of(draft, kept));
  }
  if (std::ranges::find(rest, true) != rest.end()) parts.push_back(part_of(draft, rest));
  return parts;
}

/// Renumbers hosts so that their names are in natural order.
void sort_hosts(DataSet& all) {
  std::vector<std::string> sorted = all.hosts;
  std::ranges::sort(sorted, report::natural_less);
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < sorted.size(); ++i) place[sorted[i]] = i;
  for (View& view : all.views)
    for (Observation& o : view.seen) {
      for (std::size_t& host : o.hosts) host = place[all.hosts[host]];
      std::ranges::sort(o.hosts);
    }
  all.hosts = std::move(sorted);
}

/// Which parts of the keys differ between views.
std::vector<bool> parts_that_differ(const std::vector<Draft>& drafts) {
  std::vector<bool> differs(report::part_names().size());
  if (drafts.empty()) return differs;
  const auto first = report::key_parts(drafts.front().key);
  for (const Draft& draft : drafts) {
    const auto parts = report::key_parts(draft.key);
    for (std::size_t i = 0; i < parts.size(); ++i) differs[i] = differs[i] || parts[i] != first[i];
  }
  return differs;
}

std::string name_of(const Draft& draft, const std::vector<bool>& differs, bool both_sizes) {
  std::string name = report::subject(draft.key);
  const auto add = [&name](const std::string& part) {
    if (!part.empty()) name += ", " + part;
  };
  const auto parts = report::key_parts(draft.key);
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (differs[i]) add(parts[i]);
  add(draft.labels);
  if (both_sizes && !draft.key.training) add(draft.small ? "up to 32 KiB" : "above 32 KiB");
  return name;
}

/// "10 hosts from node1".
std::string cluster_text(const Draft& draft, const std::vector<std::string>& hosts) {
  std::set<std::string> names;
  for (const Observation& o : draft.seen)
    for (const std::size_t host : o.hosts) names.insert(hosts[host]);
  return fmt::format("{} hosts from {}", names.size(), std::ranges::min(names, report::natural_less));
}

DataSet Collector::result() {
  DataSet all{.hosts = hosts_.names(), .rails = rails_.names(), .launches = std::move(launches_)};
  const Clusters clusters(all.hosts.size(), drafts_);
  std::vector<Draft> kept;
  bool several = false;
  for (const auto& [key, draft] : drafts_) {
    auto parts = split(draft, clusters);
    several = several || parts.size() > 1;
    for (Draft& part : parts) {
      if (part.seen.size() < fewest_observations) continue;
      set_excess(part);
      kept.push_back(std::move(part));
    }
  }
  const auto differs = parts_that_differ(kept);
  const bool both_sizes = std::ranges::any_of(kept, &Draft::small) && !std::ranges::all_of(kept, &Draft::small);
  for (Draft& draft : kept) {
    std::string name = name_of(draft, differs, both_sizes);
    if (several) name += ", " + cluster_text(draft, all.hosts);
    all.views.push_back({.name = std::move(name), .seen = std::move(draft.seen)});
  }
  sort_hosts(all);
  return all;
}

}  // namespace

DataSet observe(const std::vector<Run>& runs) { return Collector(runs).result(); }

}  // namespace busbar::fleet
