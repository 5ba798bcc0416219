// SPDX-License-Identifier: Apache-2.0
// Which slow hosts, links, rails and ports `busbar explain` names in made-up fleets: every pair of hosts, measured in
// some launches, on some rails. Prints which share of the slow ones is named, and in which share of the fleets nobody
// else is. With --check fewer fleets, and exit status 1 if a bound of docs/explain.md is missed. Same numbers on every
// run.
#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "core/record/run.hpp"
#include "reports/fleet/fleet.hpp"

namespace busbar {
namespace {

// Standard deviations of logarithms.
constexpr double host_noise = 0.01, link_noise = 0.01, launch_noise = 0.03;
constexpr double case_noise = 0.01;
constexpr double share_disturbed = 0.01, disturbed = 1.5;  ///< launches, where a pair has several

struct Kind {
  std::size_t hosts = 8, launches = 1, rails = 1;
  fleet::Level level = fleet::Level::host;
  std::size_t slow = 0;
  double ratio = 1.5;
};

using Name = std::pair<std::set<std::string>, std::string>;  ///< hosts, rail

std::string host_name(std::size_t i) { return fmt::format("node{}", i); }
std::string rail_name(std::size_t i) { return fmt::format("mlx5_{}", i); }

/// A fleet and what is slow in it.
struct MadeUp {
  std::vector<Run> runs;
  std::set<Name> slow;
};

class Maker {
 public:
  Maker(const Kind& kind, std::mt19937_64& random) : kind_(kind), random_(random) {
    for (std::size_t i = 0; i < kind.hosts; ++i) host_effect_.push_back(normal(host_noise));
    while (made_.slow.size() < kind.slow) made_.slow.insert(any());
  }

  MadeUp make() {
    for (std::size_t a = 0; a < kind_.hosts; ++a)
      for (std::size_t b = a + 1; b < kind_.hosts; ++b) {
        const double link = normal(link_noise) + std::max(host_effect_[a], host_effect_[b]);
        for (std::size_t rail = 0; rail < kind_.rails; ++rail)
          for (std::size_t launch = 0; launch < kind_.launches; ++launch)
            add(a, b, rail, link + (is_slow(a, b, rail) ? std::log(kind_.ratio) : 0));
      }
    return std::move(made_);
  }

 private:
  double normal(double deviation) { return std::normal_distribution<double>(0, deviation)(random_); }
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }

  Name any() {
    const std::size_t a = below(kind_.hosts), b = (a + 1 + below(kind_.hosts - 1)) % kind_.hosts;
    const std::string rail = rail_name(below(kind_.rails));
    switch (kind_.level) {
      case fleet::Level::host:
        return {{host_name(a)}, ""};
      case fleet::Level::rail:
        return {{}, rail};
      case fleet::Level::port:
        return {{host_name(a)}, rail};
      default:
        return {{host_name(a), host_name(b)}, ""};
    }
  }

  [[nodiscard]] bool is_slow(std::size_t a, std::size_t b, std::size_t rail) const {
    return std::ranges::any_of(made_.slow, [&](const Name& name) {
      const auto& [hosts, on] = name;
      const std::set<std::string> both{host_name(a), host_name(b)};
      return (on.empty() || on == rail_name(rail)) && std::ranges::includes(both, hosts);
    });
  }

  void add(std::size_t a, std::size_t b, std::size_t rail, double excess) {
    excess += normal(launch_noise);
    if (kind_.launches > 1 && std::bernoulli_distribution(share_disturbed)(random_)) excess += std::log(disturbed);
    Run run;
    run.path = fmt::format("{}.jsonl", made_.runs.size());
    run.head.ranks = 2;
    run.head.hosts = {{.name = host_name(a)}, {.name = host_name(b)}};
    if (kind_.rails > 1) run.head.environment["NCCL_IB_HCA"] = rail_name(rail);
    for (std::uint64_t bytes = 1 << 20; bytes <= 1 << 26; bytes *= 4) {
      CaseRecord c;
      c.key = {.collective = "sendrecv", .backend = "nccl", .bytes = bytes, .ranks = 2, .nodes = 2};
      c.time_s = 1e-5 * static_cast<double>(bytes >> 20) * std::exp(excess + normal(case_noise));
      run.cases.push_back(std::move(c));
    }
    made_.runs.push_back(std::move(run));
  }

  Kind kind_;
  std::mt19937_64& random_;
  std::vector<double> host_effect_;
  MadeUp made_;
};

struct Counts {
  std::size_t fleets = 0, slow = 0, named = 0, nobody_else = 0;

  [[nodiscard]] double share_named() const { return static_cast<double>(named) / static_cast<double>(slow); }
  [[nodiscard]] double share_clean() const { return static_cast<double>(nobody_else) / static_cast<double>(fleets); }
};

void examine(const MadeUp& made, Counts& counts) {
  std::set<Name> named;
  if (const auto fleet = fleet::examine_fleet(made.runs))
    for (const fleet::Slow& s : fleet->slow) {
      if (s.level == fleet::Level::launch) continue;
      Name name;
      for (const std::size_t host : s.hosts) name.first.insert(fleet->data.hosts[host]);
      if (s.rail) name.second = fleet->data.rails[*s.rail];
      named.insert(name);
    }
  ++counts.fleets;
  for (const Name& name : made.slow) ++counts.slow, counts.named += named.contains(name);
  counts.nobody_else += std::ranges::includes(made.slow, named);
}

Counts examine_fleets(const Kind& kind, std::size_t fleets) {
  std::mt19937_64 random(20261127);
  Counts counts;
  for (std::size_t i = 0; i < fleets; ++i) examine(Maker(kind, random).make(), counts);
  return counts;
}

/// One row: fleets with nothing slow, then with 1, 2 and 3 slow ones. True if the bounds hold.
bool print_row(Kind kind, const std::vector<std::size_t>& slow, std::size_t fleets) {
  constexpr double bar_named = 0.95, bar_clean = 0.98;
  // Three standard errors, because few fleets are made.
  const double error = 3 * std::sqrt((1 - bar_clean) / static_cast<double>(fleets));
  kind.slow = 0;
  Counts counts = examine_fleets(kind, fleets);
  bool holds = counts.share_clean() >= bar_clean - error;
  fmt::print("| {} | {} | {} | {} x {:.2f} | {} | {:.1f} |", kind.hosts, kind.launches, kind.rails, name(kind.level),
             kind.ratio, fleets, 100 * counts.share_clean());
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    if (std::ranges::find(slow, n) == slow.end()) {
      fmt::print(" |");
      continue;
    }
    kind.slow = n;
    counts = examine_fleets(kind, fleets);
    holds = holds && counts.share_named() >= bar_named - error && counts.share_clean() >= bar_clean - error;
    fmt::print(" {:.1f}, {:.1f} |", 100 * counts.share_named(), 100 * counts.share_clean());
  }
  fmt::print("\n");
  std::fflush(stdout);
  return holds;
}

struct Row {
  Kind kind;
  std::vector<std::size_t> slow;
  bool bounded = true;  ///< slow enough that it must be found
};

std::vector<Row> rows() {
  using enum fleet::Level;
  std::vector<Row> all;
  for (const std::size_t hosts : {std::size_t{8}, std::size_t{16}, std::size_t{32}, std::size_t{64}})
    for (const fleet::Level level : {host, link})
      for (const std::size_t launches : {std::size_t{1}, std::size_t{3}})
        all.push_back({.kind = {.hosts = hosts, .launches = launches, .level = level}, .slow = {1, 2, 3}});
  for (const std::size_t hosts : {std::size_t{8}, std::size_t{16}}) {
    all.push_back({.kind = {.hosts = hosts, .rails = 4, .level = rail}, .slow = {1}});
    all.push_back({.kind = {.hosts = hosts, .rails = 8, .level = rail}, .slow = {1, 2, 3}});
    all.push_back({.kind = {.hosts = hosts, .rails = 4, .level = port}, .slow = {1, 2, 3}});
  }
  for (const double ratio : {1.1, 1.2, 1.3})
    for (const fleet::Level level : {host, link})
      all.push_back(
          {.kind = {.hosts = 16, .launches = 3, .level = level, .ratio = ratio}, .slow = {1}, .bounded = false});
  return all;
}

bool print_table(bool check) {
  fmt::print(
      "| hosts | launches | rails | slow | fleets | nobody named if nothing is slow (%) | 1 slow: named, nobody else "
      "(%) | 2 slow | 3 slow |\n|---|---|---|---|---|---|---|---|---|\n");
  bool holds = true;
  for (const Row& row : rows()) {
    if (check && (row.kind.hosts > 16 || !row.bounded)) continue;
    const std::size_t runs = row.kind.hosts * row.kind.hosts / 2 * row.kind.launches * row.kind.rails;
    const std::size_t fleets = check ? 20 : std::clamp<std::size_t>(200000 / runs, 50, 1000);
    holds = (print_row(row.kind, row.slow, fleets) || !row.bounded) && holds;
  }
  return holds;
}

}  // namespace
}  // namespace busbar

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
  return busbar::print_table(check) || !check ? 0 : 1;
}
