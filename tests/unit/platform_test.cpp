// SPDX-License-Identifier: Apache-2.0
#include "reports/platform/platform.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/base/words.hpp"
#include "reports/expected/protocols.hpp"
#include "reports/platform/interconnects.hpp"
#include "reports/platform/max_flow.hpp"
#include "tests/unit/catch_error.hpp"

namespace busbar::platform {
namespace {

using busbar::test::catch_error;

using testing::HasSubstr;

std::unique_ptr<Topology> make(std::string_view words, int nodes = 0, int radix = 0, double oversubscription = 1) {
  return make_topology(words, {.shape = {}, .nodes = nodes, .radix = radix, .oversubscription = oversubscription});
}

std::vector<Hop> way(const Topology& t, int from, int to) {
  std::vector<Hop> hops;
  t.append_way(from, to, hops);
  return hops;
}

/// Where the hops lead from the switch of `from`; -1 where one does not begin where the last ended.
int end_of(const Topology& t, int from, const std::vector<Hop>& hops) {
  int at = t.switch_of(from);
  for (const Hop& hop : hops) {
    const Cable& c = t.cables().at(static_cast<std::size_t>(hop.cable));
    if (at != (hop.forward ? c.a : c.b)) return -1;
    at = hop.forward ? c.b : c.a;
  }
  return at;
}

/// How many ways between all pairs lead over each direction of each cable: those that any leads over.
std::map<std::pair<int, bool>, int> loads(const Topology& t) {
  std::map<std::pair<int, bool>, int> all;
  for (int from = 0; from < t.nodes(); ++from)
    for (int to = 0; to < t.nodes(); ++to)
      if (from != to)
        for (const Hop& hop : way(t, from, to)) ++all[{hop.cable, hop.forward}];
  return all;
}

std::pair<int, int> least_and_most(const std::map<std::pair<int, bool>, int>& loads) {
  const auto by_load = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto [low, high] = std::minmax_element(loads.begin(), loads.end(), by_load);
  return {low->second, high->second};
}

struct Case {
  const char* words;
  int nodes, radix;
  double oversubscription = 1;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.words << " of " << c.nodes << ", radix " << c.radix; }

class EachTopology : public testing::TestWithParam<Case> {
 protected:
  std::unique_ptr<Topology> topology =
      make(GetParam().words, GetParam().nodes, GetParam().radix, GetParam().oversubscription);
};

INSTANTIATE_TEST_SUITE_P(, EachTopology,
                         testing::Values(Case{"single-switch", 5, 0}, Case{"fat-tree:2-level", 32, 8},
                                         Case{"fat-tree:2-level", 30, 8}, Case{"fat-tree:2-level", 40, 12, 3},
                                         Case{"fat-tree:3-level", 128, 8}, Case{"fat-tree:3-level", 100, 8},
                                         Case{"fat-tree:3-level", 70, 9, 2}, Case{"torus:4x4x4", 0, 0},
                                         Case{"torus:2x3", 0, 0}, Case{"torus:5x2x3x2", 0, 0},
                                         Case{"dragonfly:9x4x2", 0, 0}, Case{"dragonfly:3x4x2", 0, 0},
                                         Case{"dragonfly:5x2x3x2", 0, 0}, Case{"dragonfly", 60, 0}));

TEST_P(EachTopology, ConnectsAllNodes) {
  for (int from = 0; from < topology->nodes(); ++from)
    for (int to = 0; to < topology->nodes(); ++to)
      ASSERT_EQ(end_of(*topology, from, way(*topology, from, to)), topology->switch_of(to)) << from << " to " << to;
}

TEST_P(EachTopology, HasSymmetricDistances) {
  for (int from = 0; from < topology->nodes(); ++from)
    for (int to = 0; to < from; ++to)
      ASSERT_EQ(way(*topology, from, to).size(), way(*topology, to, from).size()) << from << " and " << to;
}

TEST_P(EachTopology, PassesNoCableTwice) {
  for (int from = 0; from < topology->nodes(); ++from)
    for (int to = 0; to < topology->nodes(); ++to) {
      std::set<int> seen;
      for (const Hop& hop : way(*topology, from, to))
        ASSERT_TRUE(seen.insert(hop.cable).second) << from << " to " << to;
    }
}

TEST_P(EachTopology, IsRebuiltFromItsWords) {
  const auto again = make(topology->words(), topology->nodes(), GetParam().radix, GetParam().oversubscription);
  EXPECT_EQ(again->words(), topology->words());
  EXPECT_EQ(again->switches(), topology->switches());
  EXPECT_EQ(again->cables().size(), topology->cables().size());
}

TEST(FatTree, SpreadsAllToAllEvenlyOverTwoLevels) {
  const auto t = make("fat-tree:2-level", 32, 8);  // 8 leaves of 4, 4 spines
  EXPECT_EQ(t->levels().at(0).switches, 8);
  EXPECT_EQ(t->levels().at(1).switches, 4);
  EXPECT_EQ(loads(*t).size(), 64U);
  EXPECT_EQ(least_and_most(loads(*t)), std::pair(28, 28));  // 4 nodes to 28 others over 4 uplinks
}

TEST(FatTree, SpreadsAllToAllEvenlyOverThreeLevels) {
  const auto t = make("fat-tree:3-level", 128, 8);  // 8 pods of 16
  const auto all = loads(*t);
  EXPECT_EQ(all.size(), 2 * t->cables().size());
  for (const auto& [direction, load] : all)
    EXPECT_EQ(load, direction.first < 32 * 4 ? 124 : 112);  // to all but 4 under the leaf, but 16 of the pod
}

TEST(FatTree, SendsEachShiftOfAllNodesWithoutCollision) {
  const auto t = make("fat-tree:3-level", 128, 8);
  for (int shift = 1; shift < 128; ++shift) {
    std::set<std::pair<int, bool>> taken;
    for (int from = 0; from < 128; ++from)
      for (const Hop& hop : way(*t, from, (from + shift) % 128))
        ASSERT_TRUE(taken.insert({hop.cable, hop.forward}).second) << "shift by " << shift << " from " << from;
  }
}

TEST(Torus, TakesTheShorterDirection) {
  const auto t = make("torus:8x8");
  EXPECT_EQ(way(*t, 0, 3).size(), 3U);
  EXPECT_EQ(way(*t, 0, 7).size(), 1U);
  EXPECT_EQ(way(*t, 0, 4).size(), 4U);
  EXPECT_EQ(way(*t, 0, 36).size(), 8U);
  EXPECT_EQ(least_and_most(loads(*t)), std::pair(64, 64));  // 64 nodes x 63 ways x 2 x 2 dimensions / 256
}

TEST(Dragonfly, CrossesOneCableBetweenGroups) {
  const auto t = make("dragonfly:9x4x2");
  EXPECT_EQ(t->words(), "dragonfly:9x4x2x2");
  const int local = 9 * 6;
  EXPECT_EQ(t->cables().size(), static_cast<std::size_t>(local + 9 * 8 / 2));
  for (int to = 8; to < 72; ++to) {
    const auto hops = way(*t, 0, to);
    EXPECT_LE(hops.size(), 3U);
    EXPECT_EQ(std::ranges::count_if(hops, [&](const Hop& h) { return h.cable >= local; }), 1);
  }
}

TEST(Dragonfly, UsesNoMorePortsThanEachRouterHas) {
  const auto t = make("dragonfly:7x4x3");
  std::map<int, int> ports;
  for (const Cable& c : t->cables())
    if (c.a / 4 != c.b / 4) {
      ++ports[c.a];
      ++ports[c.b];
    }
  for (const auto& [router, used] : ports) EXPECT_LE(used, 3) << "router " << router;
  EXPECT_EQ(ports.size(), 28U);
}

TEST(Dragonfly, IsBalancedByDefault) {
  EXPECT_EQ(make("dragonfly", 512)->words(), "dragonfly:16x8x4x4");
  EXPECT_EQ(make("dragonfly", 6)->words(), "dragonfly:3x2x1x1");
}

TEST(MaxFlow, FindsTheNarrowestCut) {
  MaxFlow flow(4);
  flow.add(0, 1, 3, 0);
  flow.add(0, 2, 2, 0);
  flow.add(1, 2, 1, 1);
  flow.add(1, 3, 1, 0);
  flow.add(2, 3, 9, 0);
  EXPECT_EQ(flow.between(0, 3), 4);
}

TEST(BisectionOf, MatchesKnownNetworks) {
  const auto flow = [](const std::unique_ptr<Topology>& t) { return bisection(*t).flow; };
  EXPECT_EQ(flow(make("single-switch", 8)), 4);
  EXPECT_EQ(flow(make("fat-tree:2-level", 32, 8)), 16);     // full
  EXPECT_EQ(flow(make("fat-tree:3-level", 128, 8)), 64);    // full
  EXPECT_EQ(flow(make("fat-tree:2-level", 36, 12, 3)), 6);  // a third: 9 below and 3 up, 4 leaves
  EXPECT_EQ(flow(make("torus:8x4x4")), 32);                 // 2 x 128 / 8
  EXPECT_EQ(flow(make("torus:4x4x8")), 32);
  EXPECT_EQ(flow(make("torus:2x2")), 2);          // two in a dimension share one cable
  EXPECT_EQ(flow(make("dragonfly:2x2x2x1")), 2);  // both cables between the groups
}

TEST(DistancesOf, MatchesKnownNetworks) {
  const auto of = [](const std::unique_ptr<Topology>& t) { return std::pair(distances(*t).least, distances(*t).most); };
  EXPECT_EQ(of(make("single-switch", 4)), std::pair(1, 1));
  EXPECT_EQ(of(make("fat-tree:2-level", 32, 8)), std::pair(1, 3));
  EXPECT_EQ(of(make("fat-tree:3-level", 128, 8)), std::pair(1, 5));
  EXPECT_EQ(of(make("torus:8x8x8")), std::pair(2, 13));
  EXPECT_EQ(of(make("dragonfly:9x4x2")), std::pair(1, 4));
  EXPECT_DOUBLE_EQ(distances(*make("torus:3x3")).mean, 2.5);
}

TEST(Words, AreRefusedIfTheyDescribeNoNetwork) {
  EXPECT_EQ(
      catch_error([] { (void)make("ring", 4); }),
      "--topology: unknown 'ring'; known: single-switch, fat-tree:2-level, fat-tree:3-level, torus:8x8x8, dragonfly "
      "or dragonfly:GROUPSxROUTERSxNODES");
  EXPECT_EQ(catch_error([] { (void)make("torus:8x8x8", 100); }),
            "--topology: torus:8x8x8 has 512 nodes; --nodes is 100");
  for (const char* bad : {"torus:8", "torus:8x", "torus:x8", "torus:8x0", "torus:8x8x8x8x8x8", "torus:-8x8",
                          "torus:8x1", "torus:8 x8", "torus", "torus:99999999999x2"})
    EXPECT_THAT(catch_error([&] { (void)make(bad); }), HasSubstr("--topology: ")) << bad;
  EXPECT_THAT(catch_error([] { (void)make("fat-tree:4-level", 8, 8); }),
              HasSubstr("2-level or 3-level, not '4-level'"));
  EXPECT_THAT(catch_error([] { (void)make("fat-tree:2-level", 0, 8); }), HasSubstr("--nodes: "));
  EXPECT_THAT(catch_error([] { (void)make("fat-tree:2-level", 8); }), HasSubstr("--radix: "));
  EXPECT_THAT(catch_error([] { (void)make("fat-tree:2-level", 33, 8); }),
              HasSubstr("holds 32 nodes, not 33; use fat-tree:3-level or a larger --radix"));
  EXPECT_THAT(
      catch_error([] { (void)make("fat-tree:2-level", 4, 40); }),
      HasSubstr("fit into one leaf of switches with 40 ports, which holds 20; use single-switch, or a --radix of at "
                "most 7"));
  EXPECT_THAT(catch_error([] { (void)make("fat-tree:2-level", 8, 2, 4); }), HasSubstr("too few"));
  EXPECT_THAT(catch_error([] { (void)make("dragonfly:40x4x2"); }), HasSubstr("use dragonfly:40x4x2x10"));
  EXPECT_THAT(catch_error([] { (void)make("dragonfly:16x8x4", 100); }), HasSubstr("has 512 nodes"));
  EXPECT_THAT(catch_error([] { (void)make("dragonfly:1x8x4"); }), HasSubstr("it needs at least two"));
  EXPECT_THAT(catch_error([] { (void)make("dragonfly:16x8"); }), HasSubstr("not a valid shape"));
  EXPECT_THAT(catch_error([] { (void)make("dragonfly:999999x999999x999999x999999"); }), HasSubstr("more than"));
}

PlatformSpec small() {
  PlatformSpec s{
      .topology = "fat-tree:2-level", .nodes = 8, .gpus = 2, .nics = 2, .radix = 4, .figures_from = "a test"};
  s.interconnect = {.name = "<hdr>", .bandwidth_Bps = 25e9, .latency_s = 2e-6, .switch_latency_s = 1e-7};
  s.gpu_link = {.name = "nvlink3", .bandwidth_Bps = 3e11, .latency_s = 6e-7};
  return s;
}

TEST(Platform, IsRebuiltFromItsProperties) {
  const Properties all = properties(small());
  EXPECT_EQ(all.at("busbar.topology"), "fat-tree:2-level");
  EXPECT_EQ(all.at("busbar.nodes"), "8");
  EXPECT_EQ(all.at("busbar.latency_s"), "2e-06");
  const auto again = from_properties(all);
  ASSERT_TRUE(again);
  EXPECT_EQ(properties(*again), all);
}

TEST(Platform, IsMissingWithoutItsProperties) {
  EXPECT_FALSE(from_properties({}));
  Properties all = properties(small());
  for (const auto& [key, bad] : std::map<std::string, std::string>{{"busbar.nodes", "1000000000"},
                                                                   {"busbar.nodes", "x"},
                                                                   {"busbar.gpus", "0"},
                                                                   {"busbar.topology", "dragonfly:9999x9999x9999"},
                                                                   {"busbar.latency_s", "nan"},
                                                                   {"busbar.interconnect", ""},
                                                                   {"busbar.radix", "2"}}) {
    Properties changed = all;
    changed[key] = bad;
    EXPECT_FALSE(from_properties(changed)) << key << " " << bad;
  }
}

TEST(Platform, HasARouteForEachPairAndAPropertyForEachHost) {
  std::ostringstream out;
  write_xml(small(), out);
  const std::string xml = out.str();
  const auto count = [&](std::string_view word) {
    std::size_t n = 0;
    for (std::size_t at = xml.find(word); at != std::string::npos; at = xml.find(word, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count("<host "), 16U);
  EXPECT_EQ(count("<prop id=\"busbar.node\""), 16U);
  EXPECT_EQ(count("<zoneRoute "), 56U);
  EXPECT_EQ(count("<route "), 8U * 6);
  EXPECT_EQ(count("<link "), 8U * 8 + 1 + 2 * 8);
  EXPECT_THAT(xml, HasSubstr("value=\"&lt;hdr&gt;\""));
  EXPECT_THAT(xml, HasSubstr("<link id=\"f0\" bandwidth=\"50000000000Bps\" latency=\"1e-07s\"/>"));
  EXPECT_THAT(xml, HasSubstr("<link id=\"n7-o1\" bandwidth=\"25000000000Bps\" latency=\"1e-06s\"/>"));
}

TEST(Platform, IsRefusedIfImpossible) {
  const auto with = [](auto change) {
    PlatformSpec s = small();
    change(s);
    return catch_error([&] { (void)topology_of(s); });
  };
  EXPECT_EQ(with([](auto& s) { s.nics = 3; }),
            "--nics: 3 is not a number of NICs from 1 to 2, the GPUs per node: each GPU uses one");
  EXPECT_THAT(with([](auto& s) { s.gpus = 33; }), HasSubstr("--gpus: 33"));
  EXPECT_THAT(with([](auto& s) { s.nodes = 2048; }), HasSubstr("--nodes: 2048 is more than 1024"));
  EXPECT_THAT(with([](auto& s) { s.topology = "torus:32x64", s.nodes = 0; }), HasSubstr("--nodes: 2048 is more"));
  EXPECT_THAT(with([](auto& s) { s.interconnect.bandwidth_Bps = 0; }), HasSubstr("--bandwidth"));
  EXPECT_THAT(with([](auto& s) { s.interconnect.switch_latency_s.reset(); }), HasSubstr("--switch-latency"));
  EXPECT_THAT(with([](auto& s) { s.gpu_link = {}; }), HasSubstr("--gpu-link"));
}

TEST(Interconnects, HaveTheExpectedFigures) {
  EXPECT_DOUBLE_EQ(find_interconnect("hdr").figures.bandwidth_Bps, expected::infiniband(200).GBps * 1e9);
  EXPECT_DOUBLE_EQ(find_gpu_link("nvlink3").figures.bandwidth_Bps, 300e9);
  EXPECT_DOUBLE_EQ(find_gpu_link("nvlink4").figures.bandwidth_Bps, 450e9);
  EXPECT_TRUE(find_gpu_link("pcie4").figures.carries_network);
  EXPECT_THAT(catch_error([] { (void)find_interconnect("slow"); }),
              HasSubstr("--interconnect: unknown 'slow'; known: 1gbe, "));
}

TEST(Interconnects, HaveASourceForEachFigure) {
  for (const auto& row : interconnects()) {
    for (const Figure& f : {row.line_rate_Gbps, row.latency_s, row.switch_latency_s, row.switch_ports}) {
      EXPECT_GT(f.value, 0) << row.name;
      EXPECT_GT(f.source.size(), 10U) << row.name;
    }
    EXPECT_LT(row.figures.bandwidth_Bps, row.line_rate_Gbps.value / 8 * 1e9) << row.name;
  }
  for (const auto& row : gpu_links()) {
    EXPECT_GT(row.latency_s.source.size(), 10U) << row.name;
    EXPECT_GT(row.bandwidth_source.size(), 10U) << row.name;
  }
}

TEST(Durations, ReadUnits) {
  EXPECT_DOUBLE_EQ(parse_duration("--latency", "1.5us"), 1.5e-6);
  EXPECT_DOUBLE_EQ(parse_duration("--latency", "900 ns"), 9e-7);
  for (const char* bad : {"", "1.5", "us", "-1us", "1e3us", "1min", "nan us", "1us "})
    EXPECT_THROW((void)parse_duration("--latency", bad), UsageError) << bad;
}

}  // namespace
}  // namespace busbar::platform
