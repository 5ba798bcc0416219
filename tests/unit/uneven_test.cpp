// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/uneven.hpp"

#include <fstream>
#include <numeric>

#include <gmock/gmock.h>

#include "bench/collectives/blocks.hpp"
#include "core/base/table.hpp"
#include "tests/unit/catch_error.hpp"

namespace busbar::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::size_t> counts_of(const BlockShares& shares, int sender, std::size_t total) {
  std::vector<std::size_t> counts;
  for (int r = 0; r < shares.ranks(); ++r) counts.push_back(shares.count(sender, r, total));
  return counts;
}

Unevenness one(const std::vector<std::string>& words) { return parse_counts("--counts", words).at(0); }

std::string error_of(const std::vector<std::string>& words) {
  return catch_error<UsageError>([&] { (void)parse_counts("--counts", words); });
}

TEST(Uneven, DividesAnySizeWithoutRest) {
  EXPECT_THAT(counts_of(*shares_of(one({"linear"}), 4), 0, 100), ElementsAre(10, 20, 30, 40));
  EXPECT_THAT(counts_of(*shares_of(one({"one-empty"}), 4), 0, 9), ElementsAre(3, 3, 3, 0));
  EXPECT_THAT(counts_of(*shares_of(one({"even"}), 3), 0, 12), ElementsAre(4, 4, 4));
  for (const std::size_t total : {0UL, 1UL, 7UL, 1000003UL, (1UL << 40) + 1}) {
    const auto counts = counts_of(*shares_of(one({"zipf:1.2"}), 7), 0, total);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::size_t{0}), total);
    EXPECT_TRUE(std::ranges::is_sorted(counts, std::greater_equal{}) || total < 100);
  }
}

TEST(Uneven, ZipfFallsWithTheRank) {
  const auto counts = counts_of(*shares_of(one({"zipf:1"}), 4), 0, 25000);
  const std::vector<double> wanted{12000, 6000, 4000, 3000};  // 1, 1/2, 1/3, 1/4 of 12/25
  for (std::size_t r = 0; r < wanted.size(); ++r) EXPECT_NEAR(static_cast<double>(counts[r]), wanted[r], 1) << r;
}

TEST(Uneven, ReadsNumbersFromAFile) {
  const std::string path = testing::TempDir() + "counts.txt";
  std::ofstream(path) << "5 0, 3\n\n";
  const Unevenness u = one({"file:" + path});
  EXPECT_EQ(u.name, "file:counts.txt");
  EXPECT_FALSE(differs_by_sender(u));
  EXPECT_THAT(counts_of(*shares_of(u, 3), 2, 8), ElementsAre(5, 0, 3)) << "exact where the size is the sum";
  EXPECT_THAT(catch_error<UsageError>([&] { (void)shares_of(u, 4); }), HasSubstr("4 ranks need 1 line"));
  std::ofstream(path) << "1 2\n3 4\n";
  const auto shares = shares_of(one({"file:" + path}), 2);
  EXPECT_THAT(counts_of(*shares, 1, 7), ElementsAre(3, 4));
  EXPECT_EQ(shares->received_before(2, 1, 21), 14U + 12U);
}

/// Tokens are drawn by chance, the same for ever: popular experts make their rank busy, and senders differ.
TEST(Uneven, RouterSendsToWhereExpertsAre) {
  const Unevenness u = one({"moe:64", "2", "1.2"});
  EXPECT_EQ(u.name, "moe:64,2,1.2");
  EXPECT_TRUE(differs_by_sender(u));
  const auto shares = shares_of(u, 8);
  EXPECT_NE(counts_of(*shares, 0, 1 << 20), counts_of(*shares, 1, 1 << 20));
  std::vector<double> received;
  for (int r = 0; r < 8; ++r) received.push_back(static_cast<double>(shares->received_before(8, r, 1 << 20)));
  const double mean = std::accumulate(received.begin(), received.end(), 0.0) / 8;
  EXPECT_DOUBLE_EQ(mean, 1 << 20);
  EXPECT_GT(std::ranges::max(received), 1.5 * mean);
  const auto flat = shares_of(one({"moe:64", "2", "0"}), 8);
  for (int r = 0; r < 8; ++r)
    EXPECT_NEAR(static_cast<double>(flat->received_before(8, r, 1 << 20)), 1 << 20, 0.05 * (1 << 20)) << r;
}

TEST(Uneven, AllExpertsAreChosenIfATokenGoesToAll) {
  EXPECT_THAT(counts_of(*shares_of(one({"moe:4", "4", "10"}), 4), 3, 400), ElementsAre(100, 100, 100, 100));
}

TEST(Uneven, BusiestRankMakesTheBusFactor) {
  const auto factor = [](const char* name, const Unevenness& u) {
    const auto shares = shares_of(u, 4);
    return try_find<Collective>(name)->uneven_bus_factor(
        {.count = 1000, .ranks = 4, .root = 3, .shares = shares.get()});
  };
  const auto even = shares_of({}, 4);
  for (const Collective* c : table<Collective>()) {
    if (!c->uneven()) continue;
    EXPECT_DOUBLE_EQ(c->uneven_bus_factor({.count = 1000, .ranks = 4, .shares = even.get()}), c->bus_factor(4))
        << c->name;
  }
  EXPECT_DOUBLE_EQ(factor("allgatherv", one({"linear"})), 0.9);
  EXPECT_DOUBLE_EQ(factor("gatherv", one({"linear"})), 0.6) << "the root has 4 of 10";
  // rank 3 gets 0.4 from each of three others
  EXPECT_DOUBLE_EQ(factor("alltoallv", one({"linear"})), 1.2);
  EXPECT_DOUBLE_EQ(factor("reduce_scatterv", one({"one-empty"})), 1);
}

TEST(Uneven, SaysWhatIsAccepted) {
  EXPECT_THAT(error_of({"zipfel"}), HasSubstr("--counts: unknown 'zipfel'; known: even, linear, zipf:EXPONENT"));
  EXPECT_THAT(error_of({"zipf"}), HasSubstr("an exponent from 0 to 10"));
  EXPECT_THAT(error_of({"zipf:-1"}), HasSubstr("an exponent from 0 to 10"));
  EXPECT_THAT(error_of({"moe:64"}), HasSubstr("moe:EXPERTS,TOPK,SKEW"));
  EXPECT_THAT(error_of({"moe:2", "4", "1"}), HasSubstr("--counts: "));
  EXPECT_THAT(error_of({"file:/does/not/exist"}), HasSubstr("cannot be read"));
  const std::string path = testing::TempDir() + "bad.txt";
  std::ofstream(path) << "1 2\n3 x\n";
  EXPECT_THAT(error_of({"file:" + path}), HasSubstr("line 2: 'x' is not a whole number"));
  std::ofstream(path) << "0 0\n";
  EXPECT_THAT(error_of({"file:" + path}), HasSubstr("add up to 0"));
}

}  // namespace
}  // namespace busbar::test
