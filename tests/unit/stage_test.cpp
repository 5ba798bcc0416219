// SPDX-License-Identifier: Apache-2.0
#include "bench/stages/stage.hpp"

#include <set>

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "core/base/rank_list.hpp"
#include "tests/unit/catch_error.hpp"

namespace busbar::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using Team = std::vector<int>;

/// Ranks in the order of hosts: {2, 2} is two on each of two hosts.
Ranks on(const std::vector<int>& ranks_of_hosts) {
  Ranks ranks;
  for (std::size_t h = 0; h < ranks_of_hosts.size(); ++h) {
    ranks.names.push_back(fmt::format("node{}", h));
    ranks.hosts.insert(ranks.hosts.end(), static_cast<std::size_t>(ranks_of_hosts[h]), static_cast<int>(h));
  }
  return ranks;
}

std::string catch_stages_error(const Scope& scope, const Ranks& ranks) {
  return catch_error([&] { (void)make_stages(scope, ranks); });
}

TEST(Stages, PutAllRanksIntoOneTeamByDefault) {
  const auto stages = make_stages({}, on({2, 1}));
  ASSERT_THAT(stages.all, SizeIs(1));
  EXPECT_THAT(stages.all[0].teams, ElementsAre(Team{0, 1, 2}));
  EXPECT_THAT(stages.all[0].levels, ElementsAre("world"));
  EXPECT_FALSE(stages.all[0].apart);
}

TEST(Stages, GroupRanksByNodeLeadersAndWorld) {
  Ranks ranks = on({2, 2, 2});
  ranks.hosts = {0, 1, 2, 0, 1, 2};  // as mpirun --map-by node places them
  const auto stages = make_stages({.levels = {"node", "leaders", "world"}}, ranks);
  ASSERT_THAT(stages.all, SizeIs(3));
  EXPECT_THAT(stages.all[0].teams, ElementsAre(Team{0, 3}, Team{1, 4}, Team{2, 5}));
  EXPECT_FALSE(stages.all[0].apart) << "all hosts at once, in step";
  EXPECT_THAT(stages.all[1].teams, ElementsAre(Team{0, 1, 2}));
  EXPECT_THAT(stages.all[2].teams, ElementsAre(Team{0, 1, 2, 3, 4, 5}));
}

TEST(Stages, SkipAndReportLevelsWithoutTwoRanks) {
  const auto one_each = make_stages({.levels = {"node", "leaders"}}, on({1, 1}));
  EXPECT_THAT(one_each.all, SizeIs(1));
  EXPECT_THAT(one_each.notes, ElementsAre("--groups node: left out, every host has one rank"));
  const auto one_host = make_stages({.levels = {"leaders", "world"}}, on({4}));
  EXPECT_THAT(one_host.all, SizeIs(1));
  EXPECT_THAT(one_host.notes, ElementsAre("--groups leaders: left out, there is one host"));
  EXPECT_THAT(catch_stages_error({.levels = {"leaders"}}, on({4})),
              HasSubstr("there is one host, and nothing else is asked for"));
  EXPECT_EQ(catch_stages_error({.levels = {"node"}}, on({2, 3})),
            "--groups node: node0 has 2 ranks and node1 has 3; give every host as many");
}

TEST(Stages, PlaceLayoutsOnTheFirstHostsWithEnoughRanks) {
  const auto stages = make_stages({.layouts = {{1, 4}, {2, 2}, {4, 1}}}, on({2, 4, 4, 2}));
  ASSERT_THAT(stages.all, SizeIs(3));
  EXPECT_THAT(stages.all[0].teams, ElementsAre(Team{2, 3, 4, 5}));
  EXPECT_THAT(stages.all[1].teams, ElementsAre(Team{0, 1, 2, 3}));
  EXPECT_THAT(stages.all[2].teams, ElementsAre(Team{0, 2, 6, 10}));
  EXPECT_EQ(stages.all[1].name, "2x2");
  EXPECT_EQ(catch_stages_error({.layouts = {{3, 4}}}, on({4, 4, 2})),
            "--layout 3x4: needs 3 hosts with 4 ranks on each; the hosts of this job have 4, 4, 2");
}

TEST(Stages, ReadALayoutAsNodesTimesRanks) {
  EXPECT_EQ(parse_layout("--layout", "2x16").nodes, 2);
  EXPECT_EQ(parse_layout("--layout", "2x16").ranks_per_node, 16);
  for (const char* wrong : {"", "x", "2x", "x2", "0x1", "2x0", "2x2x2", "2X2", "-1x2", "99999999x1"}) {
    EXPECT_THAT(catch_error([&] { (void)parse_layout("--layout", wrong); }),
                HasSubstr("is not NODES x RANKS PER NODE, such as 2x4"))
        << wrong;
  }
}

TEST(RankList, WritesRangesAndStepsAndReadsThemAgain) {
  const std::vector<std::pair<Team, std::string>> lists{{{3}, "3"},
                                                        {{0, 1}, "0-1"},
                                                        {{0, 2}, "0,2"},
                                                        {{0, 1, 2}, "0-2"},
                                                        {{1, 3, 5, 7}, "1-7:2"},
                                                        {{0, 1, 2, 5, 8, 16, 24}, "0-2,5,8-24:8"},
                                                        {{0, 8, 16}, "0-16:8"}};
  for (const auto& [ranks, text] : lists) {
    EXPECT_EQ(rank_list(ranks), text);
    EXPECT_EQ(parse_rank_list("--split", text), ranks);
  }
}

TEST(Split, ReadsRulesAndTheWordsOfNcclTests) {
  const std::vector<std::pair<const char*, const char*>> texts{{"rank % 8", "rank % 8"},
                                                               {"rank%8", "rank % 8"},
                                                               {"%8", "rank % 8"},
                                                               {"MOD 8", "rank % 8"},
                                                               {"mod8", "rank % 8"},
                                                               {"MOD 010", "rank % 8"},
                                                               {" DIV 0x4 ", "rank / 4"},
                                                               {"/4", "rank / 4"},
                                                               {"rank / 0b100", "rank / 4"},
                                                               {"AND 0x7", "rank % 8"},
                                                               {"&0X7", "rank % 8"},
                                                               {"AND 5", "rank & 5"},
                                                               {"OR 0x7", "rank / 8"},
                                                               {"| 6", "rank | 6"},
                                                               {"AND 0", "rank % 1"},
                                                               {"4-7;0-3", "ranks 0-3;4-7"},
                                                               {"ranks 3,1,0,2;4-7", "ranks 0-3;4-7"},
                                                               {"0,1,2,3;4,5,6,7", "ranks 0-3;4-7"}};
  for (const auto& [text, canonical] : texts) {
    EXPECT_EQ(to_string(parse_split("--split", text)), canonical) << text;
    EXPECT_EQ(to_string(parse_split("--split", canonical)), canonical);
  }
}

TEST(Split, NamesWhatIsWrongAndWhatIsAccepted) {
  const std::vector<std::pair<const char*, const char*>> wrong{
      {"", "forms no groups"},          {"rank", "forms no groups"},     {"x % 2", "forms no groups"},
      {"rank 0-3", "forms no groups"},  {"MOD", "has no number from 0"}, {"MOD 8 ranks", "has no number"},
      {"rank % -2", "has no number"},   {"AND 0x", "has no number"},     {"% 99999999", "has no number"},
      {"MOD 08", "has no number"},      {"DIV 0", "divides by 0"},       {"rank % 0", "divides by 0"},
      {"0-3;3-6", "has rank 3 twice"},  {"0,0", "has rank 0 twice"},     {"0-", "is no list of ranks"},
      {"0-3;", "is no list of ranks"},  {"3-1", "is no list of ranks"},  {"0-8:0", "is no list of ranks"},
      {"0-3;x", "is no list of ranks"}, {"0;-1", "is no list of ranks"}};
  for (const auto& [text, why] : wrong) {
    const std::string error = catch_error([&] { (void)parse_split("--split", text); });
    EXPECT_THAT(error, HasSubstr("--split: '")) << text;
    EXPECT_THAT(error, HasSubstr(why)) << text;
    EXPECT_THAT(error, HasSubstr("0-3")) << text << ": what is accepted";
  }
}

TEST(Split, FormsGroupsOfOneSizeInRankOrder) {
  const auto groups = [](const char* text, int ranks) { return groups_of(parse_split("--split", text), ranks); };
  EXPECT_THAT(groups("rank % 2", 6), ElementsAre(Team{0, 2, 4}, Team{1, 3, 5}));
  EXPECT_THAT(groups("rank / 2", 6), ElementsAre(Team{0, 1}, Team{2, 3}, Team{4, 5}));
  EXPECT_THAT(groups("rank & 2", 8), ElementsAre(Team{0, 1, 4, 5}, Team{2, 3, 6, 7}));
  EXPECT_THAT(groups("rank | 2", 8), ElementsAre(Team{0, 2}, Team{1, 3}, Team{4, 6}, Team{5, 7}));
  EXPECT_THAT(groups("3,1;2,0", 5), ElementsAre(Team{0, 2}, Team{1, 3}));
  EXPECT_EQ(catch_error([&] { (void)groups("MOD 3", 8); }),
            "--split 'rank % 3': forms 2 groups of 3, 1 of 2 ranks; give a rule whose groups have equally many ranks, "
            "because they share cases");
  EXPECT_EQ(catch_error([&] { (void)groups("0-1;2-9", 8); }),
            "--split 'ranks 0-1;2-9': rank 9 does not exist; this job has ranks 0 to 7");
}

std::vector<Split> splits(const std::vector<std::string>& texts) {
  std::vector<Split> all;
  for (const std::string& text : texts) all.push_back(parse_split("--split", text));
  return all;
}

TEST(Splits, AreOneStageOfOneOrTwoKinds) {
  const auto one = make_stages({.splits = splits({"rank % 2"})}, on({4, 4}));
  ASSERT_THAT(one.all, SizeIs(1));
  EXPECT_EQ(one.all[0].levels, (std::vector<std::string>{"rank % 2", "rank % 2"}));
  EXPECT_FALSE(one.all[0].apart) << "in step";
  EXPECT_THAT(one.all[0].second.teams, SizeIs(0));
  const auto two = make_stages({.splits = splits({"rank / 4", "rank % 4"})}, on({4, 4}));
  ASSERT_THAT(two.all, SizeIs(1));
  EXPECT_THAT(two.all[0].teams, SizeIs(2));
  EXPECT_THAT(two.all[0].second.teams, SizeIs(4));
  EXPECT_EQ(two.all[0].both(), "rank / 4 + rank % 4");
}

TEST(Splits, SayWhichRanksAndKindsAreLeftOut) {
  const auto part = make_stages({.splits = splits({"0-1;4-5"})}, on({4, 4}));
  EXPECT_THAT(part.notes, ElementsAre("--split 'ranks 0-1;4-5': 4 of 8 ranks are in no group and sleep"));
  const auto lone = make_stages({.splits = splits({"rank % 8", "rank % 4"})}, on({4, 4}));
  EXPECT_THAT(lone.notes, ElementsAre("--split 'rank % 8': left out, each group has one rank"));
  EXPECT_EQ(lone.all[0].name, "rank % 4");
  EXPECT_THAT(catch_stages_error({.splits = splits({"rank % 8"})}, on({4, 4})),
              HasSubstr("--split 'rank % 8': each group has one rank of the 8 of this job"));
  EXPECT_THAT(catch_stages_error({.splits = splits({"rank / 4", "ranks 0-3;4-7"})}, on({4, 4})),
              HasSubstr("--split 'ranks 0-3;4-7': forms the same groups as --split 'rank / 4'"));
  EXPECT_THAT(catch_stages_error({.splits = splits({"rank / 4", "0-1;2-3"})}, on({4, 4})),
              HasSubstr("two kinds of groups need the same ranks"));
}

TEST(Tournament, PairsAllOnceAndNobodyTwiceInATurn) {
  for (int n = 2; n < 20; ++n) {
    const auto turns = tournament(n);
    EXPECT_THAT(turns, SizeIs(n % 2 == 0 ? n - 1 : n));
    std::set<std::pair<int, int>> met;
    for (const auto& turn : turns) {
      std::set<int> busy;
      for (const auto& [a, b] : turn) {
        EXPECT_LT(a, b);
        EXPECT_TRUE(met.emplace(a, b).second);
        EXPECT_TRUE(busy.insert(a).second && busy.insert(b).second);
      }
    }
    EXPECT_THAT(met, SizeIs(n * (n - 1) / 2));
  }
}

/// Which pairs there are, and that no host (or no rank) has a part in two at a time.
std::set<std::string> names_of(const Stages& stages, const Ranks& ranks, bool one_a_host) {
  std::set<std::string> names;
  for (const Stage& stage : stages.all) {
    EXPECT_TRUE(stage.apart);
    std::set<int> busy;
    for (std::size_t t = 0; t < stage.teams.size(); ++t) {
      EXPECT_TRUE(names.insert(stage.levels[t]).second) << stage.levels[t];
      std::set<int> mine;
      for (const int r : stage.teams[t]) mine.insert(one_a_host ? ranks.hosts[static_cast<std::size_t>(r)] : r);
      for (const int who : mine) EXPECT_TRUE(busy.insert(who).second) << stage.name;
    }
  }
  return names;
}

TEST(Pairs, OfHostsUseTheirFirstRanks) {
  const Ranks ranks = on({2, 2, 2, 2});
  const auto stages = make_stages({.pairs = Scope::Between::hosts_or_ranks}, ranks);
  EXPECT_THAT(stages.all, SizeIs(3));
  EXPECT_THAT(names_of(stages, ranks, true), ElementsAre("node0<->node1", "node0<->node2", "node0<->node3",
                                                         "node1<->node2", "node1<->node3", "node2<->node3"));
}

TEST(Pairs, OfRanksSeparateHostsUnlessConcurrent) {
  const Ranks ranks = on({3, 3, 3});
  const auto apart = make_stages({.pairs = Scope::Between::ranks}, ranks);
  EXPECT_THAT(names_of(apart, ranks, true), SizeIs(9 * 8 / 2));
  const auto at_once = make_stages({.pairs = Scope::Between::ranks, .turns = Scope::Turns::concurrent}, ranks);
  EXPECT_THAT(names_of(at_once, ranks, false), SizeIs(9 * 8 / 2));
  EXPECT_THAT(at_once.all, SizeIs(9));
  EXPECT_EQ(at_once.all[0].teams.size(), 4U) << "of nine ranks one rests";
  EXPECT_THAT(at_once.all[0].levels[0], HasSubstr(" concurrent"));
  const auto alone = make_stages({.pairs = Scope::Between::ranks, .turns = Scope::Turns::alone}, ranks);
  EXPECT_THAT(alone.all, SizeIs(9 * 8 / 2));
}

TEST(Pairs, NeedTwoMembers) {
  EXPECT_EQ(catch_stages_error({.pairs = Scope::Between::hosts}, on({4})),
            "--between hosts: there is only one host; use --between ranks");
  EXPECT_EQ(catch_stages_error({.pairs = Scope::Between::hosts_or_ranks}, on({1})),
            "pairs: there is one rank; a pair needs two");
  EXPECT_THAT(catch_stages_error({.pairs = Scope::Between::hosts, .turns = Scope::Turns::concurrent}, on({1, 1})),
              HasSubstr("--concurrent: needs --between ranks"));
}

}  // namespace
}  // namespace busbar::test
