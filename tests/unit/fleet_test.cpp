// SPDX-License-Identifier: Apache-2.0
#include "reports/fleet/fleet.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "core/base/json.hpp"
#include "core/record/run.hpp"
#include "reports/explain/show.hpp"
#include "reports/fleet/show.hpp"

using namespace busbar;
using namespace busbar::fleet;

namespace {

/// One launch of sendrecv on two hosts.
struct Launched {
  std::size_t a = 0, b = 1, number = 0;  ///< hosts; which of the pair's launches
  std::string rail;
  int minute = 0;  ///< of its start
};

std::string node(std::size_t i) { return fmt::format("node{}", i); }

busbar::Run run_of(const Launched& l, double factor, std::mt19937_64& random) {
  std::normal_distribution<double> noise(0, 0.02);
  busbar::Run run;
  run.path = fmt::format("{}-{}-{}{}.jsonl", l.a, l.b, l.number, l.rail);
  run.head.id = run.path;
  run.head.ranks = 2;
  run.head.start_utc = fmt::format("2026-01-31T{:02}:{:02}:00Z", l.minute / 60, l.minute % 60);
  run.head.hosts = {{.name = node(l.a)}, {.name = node(l.b)}};
  if (!l.rail.empty()) run.head.labels["rail"] = l.rail;
  const double launch = std::exp(noise(random));
  for (const std::uint64_t bytes : {1U << 20, 1U << 22, 1U << 24}) {
    CaseRecord c;
    c.key = {.collective = "sendrecv", .backend = "nccl", .bytes = bytes, .ranks = 2, .nodes = 2};
    c.time_s = 1e-10 * static_cast<double>(bytes) * factor * launch;
    run.cases.push_back(std::move(c));
  }
  return run;
}

/// All pairs of hosts, in `launches` launches, on the rails. `factor` of a launch's time.
std::vector<busbar::Run> fleet_of(std::size_t hosts, std::size_t launches,
                                  const std::function<double(const Launched&)>& factor,
                                  const std::vector<std::string>& rails = {""}) {
  std::mt19937_64 random(7);
  std::vector<busbar::Run> runs;
  for (std::size_t number = 0; number < launches; ++number)
    for (std::size_t distance = 1; distance < hosts; ++distance)
      for (std::size_t a = 0; a + distance < hosts; ++a)
        for (const std::string& rail : rails) {
          const Launched l{
              .a = a, .b = a + distance, .number = number, .rail = rail, .minute = static_cast<int>(runs.size())};
          runs.push_back(run_of(l, factor(l), random));
        }
  return runs;
}

bool has(const Launched& l, std::size_t host) { return l.a == host || l.b == host; }

/// "host node3", "link node1 node2", "rail r2", "port node3 r2".
std::vector<std::string> slow_in(const Fleet& f) {
  std::vector<std::string> all;
  for (const Slow& s : f.slow) {
    std::string text(name(s.level));
    for (const std::size_t host : s.hosts) text += " " + f.data.hosts[host];
    if (s.rail) text += " " + f.data.rails[*s.rail];
    all.push_back(text);
  }
  return all;
}

using Names = std::vector<std::string>;

Fleet examined(const std::vector<busbar::Run>& runs) { return examine_fleet(runs).value(); }

}  // namespace

TEST(Fleet, AHealthyOneHasNothingSlow) {
  const auto runs = fleet_of(8, 2, [](const Launched&) { return 1.0; });
  const Fleet f = examined(runs);
  EXPECT_EQ(slow_in(f), Names{});
  EXPECT_EQ(f.verdicts.size(), 8U);
  EXPECT_TRUE(std::ranges::all_of(f.verdicts, [](const HostVerdict& v) { return v.advice == Advice::fine; }));
  EXPECT_NE(summary_of(f).find("56 runs in 56 launches, 1 test on 8 hosts. Nothing is slow."), std::string::npos);
}

TEST(Fleet, ASlowHostIsNamedAndNotItsPartners) {
  const auto runs = fleet_of(8, 1, [](const Launched& l) { return has(l, 3) ? 1.4 : 1.0; });
  const Fleet f = examined(runs);
  ASSERT_EQ(slow_in(f), Names{"host node3"});
  EXPECT_EQ(f.slow[0].certainty, explain::Certainty::likely);
  EXPECT_NEAR(f.slow[0].ratio, 1.4, 0.05);
  EXPECT_EQ(f.slow[0].launches.size(), 7U);
  EXPECT_EQ(f.verdicts[0].advice, Advice::drain);
  EXPECT_EQ(f.data.hosts[f.verdicts[0].host], "node3");
}

TEST(Fleet, ThreeSlowHostsOfEightAreNamed) {
  const auto runs = fleet_of(8, 2, [](const Launched& l) { return has(l, 0) || has(l, 4) || has(l, 6) ? 1.6 : 1.0; });
  auto slow = slow_in(examined(runs));
  std::ranges::sort(slow);
  EXPECT_EQ(slow, (Names{"host node0", "host node4", "host node6"}));
}

TEST(Fleet, ALinkIsLikelyAfterTwoLaunchesAndPossibleAfterOne) {
  const auto slow = [](const Launched& l) { return l.a == 1 && l.b == 5 ? 2.0 : 1.0; };
  const auto twice = fleet_of(8, 2, slow), once = fleet_of(8, 1, slow);
  const Fleet of_two = examined(twice), of_one = examined(once);
  ASSERT_EQ(slow_in(of_two), Names{"link node1 node5"});
  EXPECT_EQ(of_two.slow[0].certainty, explain::Certainty::likely);
  ASSERT_EQ(slow_in(of_one), Names{"link node1 node5"});
  EXPECT_EQ(of_one.slow[0].certainty, explain::Certainty::possible);
  EXPECT_EQ(of_one.verdicts[0].advice, Advice::check);
}

TEST(Fleet, ADisturbedLaunchIsNotASlowLink) {
  const auto runs = fleet_of(8, 3, [](const Launched& l) { return l.a == 1 && l.b == 5 && l.number == 2 ? 2.0 : 1.0; });
  const Fleet f = examined(runs);
  ASSERT_EQ(slow_in(f), Names{"launch node1 node5"});
  EXPECT_EQ(f.slow[0].all_launches, 3U);
  EXPECT_TRUE(std::ranges::all_of(f.verdicts, [](const HostVerdict& v) { return v.advice == Advice::fine; }));
}

TEST(Fleet, ARailAndAPortAreToldFromHosts) {
  const Names rails{"r0", "r1", "r2", "r3"};
  const auto rail = fleet_of(8, 1, [](const Launched& l) { return l.rail == "r2" ? 1.5 : 1.0; }, rails);
  EXPECT_EQ(slow_in(examined(rail)), Names{"rail r2"});
  const auto port = fleet_of(8, 1, [](const Launched& l) { return l.rail == "r2" && has(l, 3) ? 1.5 : 1.0; }, rails);
  const Fleet f = examined(port);
  EXPECT_EQ(slow_in(f), Names{"port node3 r2"});
  EXPECT_EQ(f.verdicts[0].advice, Advice::drain);
}

TEST(Fleet, HostsBelowTwoSwitchesAreGroupsAndNotSlow) {
  const auto other_switch = [](const Launched& l) { return (l.a < 5) != (l.b < 5) ? 1.5 : 1.0; };
  const auto healthy = fleet_of(10, 1, other_switch);
  const Fleet f = examined(healthy);
  EXPECT_EQ(slow_in(f), Names{});
  ASSERT_EQ(f.fits.size(), 1U);
  EXPECT_EQ(f.fits[0].groups.hosts, (std::vector<std::vector<std::size_t>>{{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}}));
  EXPECT_NEAR(f.fits[0].groups.between_over_within, 1.5, 0.1);
  const auto with_link =
      fleet_of(10, 1, [&](const Launched& l) { return other_switch(l) * (l.a == 2 && l.b == 7 ? 1.5 : 1.0); });
  EXPECT_EQ(slow_in(examined(with_link)), Names{"link node2 node7"});
}

TEST(Fleet, ASlowPeriodIsNotBlamedOnHosts) {
  const auto runs = fleet_of(8, 2, [](const Launched& l) { return l.minute >= 20 && l.minute < 36 ? 1.5 : 1.0; });
  const Fleet f = examined(runs);
  ASSERT_EQ(slow_in(f), Names{"period"});
  EXPECT_EQ(f.slow[0].launches.size(), 16U);
  EXPECT_NE(summary_of(f).find("2026-01-31T00:20:00Z to 2026-01-31T00:35:00Z"), std::string::npos);
}

TEST(Fleet, AHostWhoseLaunchesRanTogetherMayHaveBeenTheTime) {
  std::mt19937_64 random(7);
  std::vector<busbar::Run> runs;
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = a + 1; b < 8; ++b)
      runs.push_back(run_of({.a = a, .b = b, .minute = static_cast<int>(runs.size())}, a == 0 ? 1.5 : 1.0, random));
  const Fleet f = examined(runs);
  ASSERT_EQ(slow_in(f), Names{"host node0"});
  EXPECT_TRUE(f.slow[0].one_stretch);
  EXPECT_EQ(f.slow[0].certainty, explain::Certainty::possible);
  EXPECT_EQ(f.verdicts[0].advice, Advice::check);
}

TEST(Fleet, AHostWhoseLaunchesFailIsDrained) {
  auto runs = fleet_of(8, 2, [](const Launched&) { return 1.0; });
  for (busbar::Run& run : runs) {
    const bool bad = run.head.hosts[0].name == "node5" || run.head.hosts[1].name == "node5";
    run.end = EndRecord{.status = bad ? EndStatus::aborted : EndStatus::ok};
    if (bad) run.end->reason = "network error", run.cases.clear();
  }
  const Fleet f = examined(runs);
  ASSERT_EQ(f.failing.size(), 1U);
  EXPECT_EQ(f.failing[0].failed, 14U);
  EXPECT_EQ(f.failed, 14U);
  EXPECT_EQ(drain_json(f).at(0).at("host"), "node5");
  EXPECT_EQ(drain_json(f).at(0).at("because"), "14 of its 14 launches failed, 0 of 42 without it");
}

TEST(Fleet, MessagesOfTroubleSupportWhatIsSlow) {
  auto runs = fleet_of(8, 2, [](const Launched& l) { return l.a == 1 && l.b == 5 ? 2.0 : 1.0; });
  for (busbar::Run& run : runs)
    if (run.path.starts_with("1-5"))
      run.head.notes.emplace_back("the log says: NET/IB : got completion error, timeout");
  const Fleet f = examined(runs);
  ASSERT_EQ(f.slow.size(), 1U);
  EXPECT_EQ(f.slow[0].troubled, 2U);
  EXPECT_EQ(f.slow[0].others_troubled, 0U);
  EXPECT_NE(json_of(f)["slow"][0]["evidence"].dump().find("got completion error"), std::string::npos);
}

TEST(Fleet, ClustersThatNeverMetAreNotCompared) {
  auto runs = fleet_of(6, 1, [](const Launched&) { return 1.0; });
  auto others = fleet_of(6, 1, [](const Launched&) { return 3.0; });
  for (busbar::Run& run : others) {
    run.path = "other-" + run.path;
    for (Host& host : run.head.hosts) host.name = "other-" + host.name;
    runs.push_back(std::move(run));
  }
  const Fleet f = examined(runs);
  EXPECT_EQ(slow_in(f), Names{});
  EXPECT_EQ(f.data.views.size(), 2U);
}

TEST(Fleet, SingleHostsAreComparedToo) {
  std::mt19937_64 random(7);
  std::vector<busbar::Run> runs;
  for (std::size_t number = 0; number < 2; ++number)
    for (std::size_t host = 0; host < 12; ++host) {
      runs.push_back(run_of({.a = host, .b = host, .number = number}, host == 4 ? 1.5 : 1.0, random));
      runs.back().head.hosts.resize(1);
      for (CaseRecord& c : runs.back().cases) c.key.nodes = 1;
    }
  EXPECT_EQ(slow_in(examined(runs)), Names{"host node4"});
}

TEST(Fleet, SidesOfAComparisonAreNotSlow) {
  std::mt19937_64 random(7);
  std::vector<busbar::Run> runs;
  for (std::size_t number = 0; number < 3; ++number)
    for (std::size_t host = 0; host < 6; ++host) {
      runs.push_back(run_of({.a = host, .b = host, .number = number}, host == 4 ? 1.5 : 1.0, random));
      runs.back().head.hosts.resize(1);
      runs.back().head.labels["platform"] = host < 4 ? "metal" : "vm";
      for (CaseRecord& c : runs.back().cases) c.key.nodes = 1;
    }
  EXPECT_EQ(slow_in(examined(runs)), Names{}) << "of two virtual machines neither is usual";
}

TEST(Fleet, RunsThatDoNotCompareHostsAreNoFleet) {
  EXPECT_FALSE(examine_fleet({}).has_value());
  const auto same_hosts = fleet_of(2, 6, [](const Launched&) { return 1.0; });
  EXPECT_FALSE(examine_fleet(same_hosts).has_value());
}

TEST(Fleet, FindingsThatRepeatAreCounted) {
  auto runs = fleet_of(4, 1, [](const Launched&) { return 1.0; });
  for (busbar::Run& run : runs) run.end = EndRecord{.status = EndStatus::aborted, .reason = "it stopped"};
  const auto explained = explain::explained(runs);
  const auto counted = explain::counted(explained);
  ASSERT_EQ(counted.size(), 1U);
  EXPECT_EQ(counted[0].findings, 6U);
  EXPECT_EQ(explain::title_of(counted[0]), "the run ended early: aborted (one of 6 such findings in 6 runs)");
}
