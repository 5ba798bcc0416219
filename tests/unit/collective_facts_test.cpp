// SPDX-License-Identifier: Apache-2.0
#include "reports/runs/collective_facts.hpp"

#include <gtest/gtest.h>

#include "core/backend/collective.hpp"
#include "core/base/table.hpp"

namespace busbar {
namespace {

class MeasuredHere : public testing::TestWithParam<const Collective*> {};

TEST_P(MeasuredHere, HasTheSameFactsInReports) {
  const Collective& measured = *GetParam();
  const CollectiveFacts* const facts = collective_facts(measured.name);
  ASSERT_NE(facts, nullptr) << "reports/runs/collective_facts.cpp has no row for it";
  EXPECT_EQ(facts->moves_data, measured.sizing != Sizing::none);
  EXPECT_EQ(facts->one_size, measured.sizing == Sizing::whole);
  EXPECT_FALSE(facts->symmetric && measured.rooted);
  if (!facts->moves_data) return;
  EXPECT_NE(facts->movement, Movement::unknown);
  for (const int ranks : {1, 2, 3, 8})
    EXPECT_DOUBLE_EQ(bus_factor(*facts, ranks), measured.bus_factor(ranks)) << ranks << " ranks";
}

INSTANTIATE_TEST_SUITE_P(Table, MeasuredHere, testing::ValuesIn(table<Collective>()),
                         [](const auto& given) { return std::string(given.param->name); });

TEST(CollectiveFacts, AreEmptyForUnknownNames) {
  EXPECT_EQ(collective_facts("allsum"), nullptr);
  EXPECT_EQ(collective_facts(""), nullptr);
  EXPECT_DOUBLE_EQ(bus_factor("allsum", 8), 1);
}

}  // namespace
}  // namespace busbar
