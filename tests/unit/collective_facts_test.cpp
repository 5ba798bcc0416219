// SPDX-License-Identifier: Apache-2.0
#include "reports/runs/collective_facts.hpp"

#include <set>

#include <gtest/gtest.h>

#include "core/backend/collective.hpp"
#include "core/base/table.hpp"

namespace busbar {
namespace {

TEST(CollectiveFacts, OfEveryCollectiveThatIsMeasured) {
  for (const Collective* const measured : table<Collective>()) {
    const CollectiveFacts* const facts = collective_facts(measured->name);
    ASSERT_NE(facts, nullptr) << measured->name;
    EXPECT_EQ(facts->moves_data, facts->movement != Movement::unknown || facts->uneven) << measured->name;
    for (const int ranks : {1, 2, 8})
      EXPECT_DOUBLE_EQ(bus_factor_of(measured->name, ranks), measured->bus_factor(ranks)) << measured->name;
  }
}

TEST(CollectiveFacts, NamesAndAliasesAreUnique) {
  std::multiset<std::string_view> names;
  for (const CollectiveFacts& facts : all_collective_facts()) names.insert({facts.name, facts.alias});
  names.erase("");
  for (const auto name : names) EXPECT_EQ(names.count(name), 1U) << name;
}

TEST(CollectiveFacts, WhatRanksDoAlike) {
  for (const char* name : {"allreduce", "alltoall", "barrier"}) EXPECT_TRUE(collective_facts(name)->symmetric) << name;
  for (const char* name : {"broadcast", "incast", "sendrecv"}) EXPECT_FALSE(collective_facts(name)->symmetric) << name;
}

TEST(CollectiveFacts, AreEmptyForUnknownNames) {
  EXPECT_EQ(collective_facts("allsum"), nullptr);
  EXPECT_EQ(collective_facts(""), nullptr);
  EXPECT_DOUBLE_EQ(bus_factor_of("allsum", 8), 1);
}

}  // namespace
}  // namespace busbar
