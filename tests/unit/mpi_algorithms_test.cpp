// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/mpi_library/algorithms.hpp"

namespace {

using namespace busbar;

const MpiLibrary& open_mpi() { return *try_find<MpiLibrary>("Open MPI"); }

std::string canonical(std::string_view text) {
  return parse_algorithm(*open_mpi().algorithms, open_mpi(), text).text(*open_mpi().algorithms);
}

std::string error_of(std::string_view text) {
  try {
    (void)canonical(text);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}

TEST(MpiAlgorithms, HaveOneFormOfATextWithParameters) {
  EXPECT_EQ(canonical("ring"), "ring");
  EXPECT_EQ(canonical("in-order_binary"), "in-order_binary");
  EXPECT_EQ(canonical("segmented_ring/segsize=65536"), "segmented_ring/segsize=64K");
  EXPECT_EQ(canonical("chain/segsize=1000/fanout=2"), "chain/fanout=2/segsize=1000");
  EXPECT_EQ(canonical("chain/segsize=2048k"), "chain/segsize=2M");
  const WantedAlgorithm w = parse_algorithm(*open_mpi().algorithms, open_mpi(), "chain/fanout=2");
  ASSERT_EQ(w.parameters.size(), 1U);  // though it sets two variables
  EXPECT_EQ(w.parameters[0].second, 2);
}

TEST(MpiAlgorithms, NameWrongParameters) {
  EXPECT_EQ(error_of("ring/radix=3"),
            "--algorithm ring/radix=3: 'radix=3' is not a parameter of Open MPI's algorithms; they are: fanout=N, "
            "segsize=SIZE");
  for (const char* text : {"ring/segsize", "ring/segsize=", "ring/fanout=0", "ring/fanout=x", "ring/segsize=8G"})
    EXPECT_NE(error_of(text), "") << text;
}

TEST(MpiAlgorithms, AreReadFromDescriptions) {
  // MPICH 5.0.2
  EXPECT_EQ(described_algorithms("Variable to select bcast algorithm\nauto - Internal algorithm selection (can be "
                                 "overridden with X)\nbinomial                  - Force Binomial Tree\nnb  - Force it"),
            (std::vector<std::string>{"auto", "binomial", "nb"}));
  EXPECT_TRUE(described_algorithms("").empty());
}

TEST(MpiAlgorithms, BelongToCollectives) {
  for (const MpiLibrary* library : table<MpiLibrary>()) {
    ASSERT_NE(library->algorithms, nullptr) << library->name;
    EXPECT_NE(find_call(*library->algorithms, "broadcast"), nullptr) << library->name;
    EXPECT_EQ(find_call(*library->algorithms, "incast"), nullptr) << library->name;
  }
  EXPECT_EQ(variable_of("coll_tuned_{}_algorithm", *find_call(*open_mpi().algorithms, "broadcast")),
            "coll_tuned_bcast_algorithm");
  EXPECT_EQ(variable_of("plain", *find_call(*open_mpi().algorithms, "broadcast")), "plain");
}

}  // namespace
