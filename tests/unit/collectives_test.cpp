// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/status.hpp"
#include "tests/unit/measure.hpp"

namespace busbar::test {
namespace {

std::vector<DType> every_type() {
  std::vector<DType> all;
  for (const auto& row : dtypes) all.push_back(row.type);
  return all;
}

class EveryCollective : public testing::TestWithParam<std::tuple<const Collective*, int, DType>> {};

TEST_P(EveryCollective, GivesTheExpectedData) {
  const auto [collective, ranks, type] = GetParam();
  const Sweep sweep{.collectives = {collective},
                    .types = {type},
                    .ops = {Op::sum, Op::prod, Op::min, Op::max, Op::avg},
                    .sizes = {size_of(type) * static_cast<std::size_t>(ranks), 1000, 20000},
                    .places = {false, true},
                    .counts = parse_counts("", {"even", "linear", "zipf:1.2", "one-empty", "moe:16", "2", "1.2"}),
                    .root = ranks - 1};
  const auto plan = make_plan(sweep, ranks);
  ASSERT_FALSE(plan.empty());
  run_ranks(ranks, [&, ranks = ranks, collective = collective](Group& group, Backend& backend) {
    const auto records = measure(group, backend, plan, count_of(2), on_one_host(ranks));
    ASSERT_EQ(records.size(), plan.size());
    for (const CaseRecord& r : records) {
      const bool no_pair = collective->between_pairs() && ranks < 2;
      if (no_pair || (r.key.op && (is_fp8(type) || (collective->between_pairs() && r.key.op == "avg")))) {
        EXPECT_EQ(r.status, Status::skipped);
        continue;
      }
      EXPECT_EQ(r.status, Status::ok) << to_string(r.key) << ": " << r.reason.value_or("");
      EXPECT_EQ(r.samples_taken, 2U);
      EXPECT_EQ(r.check.state, r.key.bytes > 0 ? CheckState::passed : CheckState::none);
    }
  });
}

std::string label(const testing::TestParamInfo<EveryCollective::ParamType>& p) {
  const auto& [collective, ranks, type] = p.param;
  return std::string(collective->name) + "_np" + std::to_string(ranks) + "_" + std::string(name(type));
}

INSTANTIATE_TEST_SUITE_P(All, EveryCollective,
                         testing::Combine(testing::ValuesIn(every_collective()), testing::Values(1, 2, 3, 4, 7),
                                          testing::ValuesIn(every_type())),
                         label);

TEST(Agree, GivesAllRanksTheReasonOfTheLowestFailingRank) {
  run_ranks(4, [](Group& group, Backend&) {
    const Verdict v = agree(group, attempt([&] {
                              if (group.rank() >= 2) throw Error("broken");
                              if (group.rank() == 1) throw Unsupported("no such type");
                            }));
    EXPECT_EQ(v.severity, Severity::failed);
    EXPECT_EQ(v.reason, "rank 2: broken");
  });
}

TEST(Agree, RethrowsTheErrorOfRank0OnEveryRank) {
  run_ranks(3, [](Group& group, Backend&) {
    EXPECT_THROW(on_rank_0(group, [] { throw UsageError("--out: no"); }), UsageError);
    EXPECT_NO_THROW(on_rank_0(group, [] {}));
  });
}

}  // namespace
}  // namespace busbar::test
