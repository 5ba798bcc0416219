// SPDX-License-Identifier: Apache-2.0
#include "reports/libraries/mpi_choice.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/table.hpp"
#include "core/mpi_library/algorithms.hpp"
#include "reports/fit/algorithm.hpp"
#include "reports/libraries/mpi_rules.hpp"
#include "tests/unit/catch_error.hpp"

// Expected choices are read off the sources that the data files name, not computed with them.

namespace busbar::libraries::test {
namespace {

constexpr std::string_view open_mpi_4_0 = "Open MPI 4.0.7", open_mpi_4_1 = "Open MPI 4.1.4", mpich_3_2 = "MPICH 3.2.1",
                           mpich_3_3 = "MPICH 3.3.2", mpich_4 = "MPICH 4.0.2";

/// fp32, commutative, one rank on each node.
MpiCall call(std::string_view collective, int ranks, std::uint64_t bytes) {
  return {.collective = collective, .ranks = ranks, .nodes = ranks, .bytes = bytes, .element_bytes = 4};
}

MpiCall on_nodes(std::string_view collective, int nodes, int per_node, std::uint64_t bytes) {
  return {.collective = collective, .ranks = nodes * per_node, .nodes = nodes, .bytes = bytes, .element_bytes = 4};
}

std::string choice(std::string_view library, const MpiCall& c) {
  const auto found = mpi_choice(library, c);
  return found ? found->algorithm : "unknown";
}

std::string row(std::string_view library, const MpiCall& c) {
  const auto found = mpi_choice(library, c);
  return found ? found->row : "unknown";
}

TEST(MpiChoice, AllreduceOfOpenMpi41) {
  EXPECT_EQ(choice(open_mpi_4_1, call("allreduce", 8, 4096)), "recursive_doubling");
  EXPECT_EQ(choice(open_mpi_4_1, call("allreduce", 8, 8191)), "recursive_doubling");
  EXPECT_EQ(choice(open_mpi_4_1, call("allreduce", 8, 8192)), "rabenseifner");
  EXPECT_EQ(choice(open_mpi_4_1, call("allreduce", 32, 64)), "recursive_doubling") << "a ring of 16 elements, replaced";
  EXPECT_EQ(choice(open_mpi_4_1, call("allreduce", 32, 128)), "rabenseifner");
  EXPECT_EQ(choice(open_mpi_4_1, call("allreduce", 64, 131072)), "recursive_doubling");
  EXPECT_EQ(choice(open_mpi_4_1, call("allreduce", 64, 262144)), "rabenseifner");
  EXPECT_EQ(choice(open_mpi_4_1, call("allreduce", 128, 65536)), "nonoverlapping");
  EXPECT_EQ(choice(open_mpi_4_1, call("allreduce", 5000, 32768)), "rabenseifner");
  EXPECT_EQ(choice(open_mpi_4_1, call("allreduce", 5000, 32764)), "recursive_doubling");
  EXPECT_EQ(choice(open_mpi_4_1, call("allreduce", 5000, 1024)), "nonoverlapping");
  EXPECT_EQ(choice(open_mpi_4_1, call("allreduce", 2, 131072)), "ring") << "segmented, without a segment size";
  MpiCall ordered = call("allreduce", 300, 4096);
  ordered.commutative = false;
  EXPECT_EQ(choice(open_mpi_4_1, ordered), "recursive_doubling");
  ordered.bytes = 4095;
  EXPECT_EQ(choice(open_mpi_4_1, ordered), "nonoverlapping");
}

TEST(MpiChoice, OtherCollectivesOfOpenMpi41) {
  EXPECT_EQ(choice(open_mpi_4_1, call("allgather", 16, 1 << 20)), "recursive_doubling");
  EXPECT_EQ(choice(open_mpi_4_1, call("allgather", 17, 1 << 20)), "bruck") << "no power of two";
  EXPECT_EQ(choice(open_mpi_4_1, call("allgather", 32, 32 * 1024)), "neighbor");
  EXPECT_EQ(choice(open_mpi_4_1, call("allgather", 33, 33 * 1024)), "ring") << "odd";
  EXPECT_EQ(choice(open_mpi_4_1, call("allgather", 32, 32 * 65536)), "ring");
  EXPECT_EQ(choice(open_mpi_4_1, call("reduce_scatter", 16, 262143)), "recursive_halving");
  EXPECT_EQ(choice(open_mpi_4_1, call("reduce_scatter", 16, 262144)), "ring");
  EXPECT_EQ(choice(open_mpi_4_1, call("reduce_scatter_block", 64, 64 * 65536)), "basic_linear");
  EXPECT_EQ(choice(open_mpi_4_1, call("broadcast", 16, 1 << 20)), "scatter_allgather");
  EXPECT_EQ(choice(open_mpi_4_1, call("reduce", 300, 8192)), "in-order_binary");
  EXPECT_EQ(choice(open_mpi_4_1, call("alltoall", 64, 64 * 1023)), "modified_bruck");
  EXPECT_EQ(choice(open_mpi_4_1, call("alltoall", 64, 64 * 262144)), "pairwise");
  EXPECT_EQ(choice(open_mpi_4_1, call("gather", 6, 6 * 4096)), "basic_linear");
  EXPECT_EQ(choice(open_mpi_4_1, call("scatter", 64, 64 * 512)), "linear_nb");
}

TEST(MpiChoice, OpenMpi40HasLinesOverBytes) {
  EXPECT_EQ(choice(open_mpi_4_0, call("allreduce", 8, 9999)), "recursive_doubling");
  EXPECT_EQ(choice(open_mpi_4_0, call("allreduce", 8, 10000)), "ring");
  EXPECT_EQ(choice(open_mpi_4_0, call("allreduce", 8, 8 << 20)), "ring") << "1 MB a rank";
  EXPECT_EQ(choice(open_mpi_4_0, call("allreduce", 8, (8 << 20) + 4)), "segmented_ring");
  EXPECT_EQ(choice(open_mpi_4_0, call("allreduce", 4096, 16384)), "nonoverlapping") << "no more elements than ranks";
  EXPECT_EQ(choice(open_mpi_4_0, call("broadcast", 16, 2047)), "binomial");
  EXPECT_EQ(choice(open_mpi_4_0, call("broadcast", 16, 2048)), "split_binary_tree");
  EXPECT_EQ(choice(open_mpi_4_0, call("broadcast", 4, 1 << 20)), "split_binary_tree") << "4 ranks, the line is at 3.8";
  EXPECT_EQ(choice(open_mpi_4_0, call("broadcast", 4, 2 << 20)), "pipeline") << "the line is at 5.5";
  EXPECT_EQ(choice(open_mpi_4_0, call("broadcast", 16, 1 << 20)), "pipeline");
  EXPECT_EQ(choice(open_mpi_4_0, call("reduce", 16, 16384)), "binomial") << "16 ranks, the first line is at 11.0";
  EXPECT_EQ(choice(open_mpi_4_0, call("reduce", 16, 32768)), "pipeline") << "at 20.6, the second at 11.0";
  EXPECT_EQ(choice(open_mpi_4_0, call("reduce", 16, 200000)), "binary") << "the second at 17.7, the third at 9.4";
  EXPECT_EQ(choice(open_mpi_4_0, call("reduce_scatter", 12, 12289)), "ring") << "the line is at 22.7";
  EXPECT_EQ(choice(open_mpi_4_0, call("reduce_scatter", 16, 200000)), "recursive_halving");
  EXPECT_EQ(choice(open_mpi_4_0, call("reduce_scatter", 24, 12300)), "recursive_halving") << "24 ranks, 22.8";
  EXPECT_EQ(choice(open_mpi_4_0, call("allgather", 6, 49999)), "bruck");
  EXPECT_EQ(choice(open_mpi_4_0, call("allgather", 6, 50000)), "neighbor");
  EXPECT_EQ(choice(open_mpi_4_0, call("alltoall", 12, 12 * 100)), "linear");
  EXPECT_EQ(choice(open_mpi_4_0, call("alltoall", 13, 13 * 100)), "modified_bruck");
  EXPECT_EQ(choice(open_mpi_4_0, call("gather", 61, 61 * 6000)), "binomial");
  EXPECT_EQ(choice(open_mpi_4_0, call("gather", 61, 61 * 6001)), "linear_sync");
  EXPECT_EQ(choice(open_mpi_4_0, call("scatter", 11, 11 * 300)), "basic_linear");
}

TEST(MpiChoice, OpenMpi5CombinesRanksOfANodeByHan) {
  EXPECT_EQ(choice("Open MPI 5.0.11", on_nodes("allreduce", 4, 8, 8192)), "han");
  EXPECT_EQ(row("Open MPI 5.0.11", on_nodes("allreduce", 4, 8, 8192)), "");
  EXPECT_EQ(choice("Open MPI 5.0.11", on_nodes("allreduce", 1, 8, 8192)), "rabenseifner") << "one node";
  EXPECT_EQ(choice("Open MPI 5.0.11", on_nodes("allreduce", 8, 1, 8192)), "rabenseifner") << "one rank on each";
  EXPECT_EQ(choice("Open MPI 5.0.11", on_nodes("alltoall", 4, 8, 32 * 256)), "modified_bruck") << "han has none";
  EXPECT_EQ(choice(open_mpi_4_1, on_nodes("allreduce", 4, 8, 8192)), "rabenseifner") << "han has priority 0";
}

TEST(MpiChoice, MpichCombinesRanksOfANodeFirst) {
  const auto between = [](std::string_view library, const MpiCall& c) { return mpi_choice(library, c)->between_nodes; };
  EXPECT_EQ(choice(mpich_4, on_nodes("allreduce", 4, 8, 8)), "recursive_doubling");
  EXPECT_EQ(choice(mpich_4, on_nodes("allreduce", 4, 8, 12)), "recursive_doubling") << "3 elements, 4 nodes";
  EXPECT_EQ(choice(mpich_4, on_nodes("allreduce", 4, 8, 16)), "reduce_scatter_allgather");
  EXPECT_EQ(row(mpich_4, on_nodes("allreduce", 4, 8, 16)), "hierarchical reduce-scatter and allgather");
  EXPECT_EQ(row(mpich_4, on_nodes("allreduce", 4, 1, 16)), "reduce-scatter and allgather");
  EXPECT_TRUE(between(mpich_4, on_nodes("allreduce", 4, 8, 16)));
  EXPECT_FALSE(between(mpich_4, on_nodes("allreduce", 4, 1, 16)));
  EXPECT_EQ(choice(mpich_4, on_nodes("allreduce", 1, 8, 16)), "release_gather");
  EXPECT_EQ(choice(mpich_3_2, on_nodes("allreduce", 4, 8, 2048)), "recursive_doubling");
  EXPECT_EQ(choice(mpich_3_2, on_nodes("allreduce", 4, 8, 2052)), "reduce_scatter_allgather");
  EXPECT_EQ(choice(mpich_3_3, on_nodes("allreduce", 4, 8, 1 << 20)), "recursive_doubling") << "its size counts as 0";
  EXPECT_EQ(choice(mpich_4, on_nodes("broadcast", 8, 4, 12284)), "binomial");
  EXPECT_EQ(choice(mpich_4, on_nodes("broadcast", 8, 4, 65536)), "scatter_recursive_doubling_allgather");
  EXPECT_TRUE(between(mpich_4, on_nodes("broadcast", 8, 4, 65536)));
  EXPECT_EQ(choice(mpich_4, on_nodes("broadcast", 4, 8, 65536)), "binomial") << "of 4 nodes";
  EXPECT_EQ(choice(mpich_4, on_nodes("broadcast", 8, 4, 524288)), "scatter_recursive_doubling_allgather");
  EXPECT_FALSE(between(mpich_4, on_nodes("broadcast", 8, 4, 524288)));
  EXPECT_EQ(choice(mpich_4, on_nodes("broadcast", 8, 4, 524292)), "scatter_ring_allgather");
  EXPECT_EQ(choice(mpich_4, on_nodes("broadcast", 12, 1, 65536)), "scatter_ring_allgather") << "no power of two";
  EXPECT_EQ(choice(mpich_4, on_nodes("reduce", 4, 2, 4096)), "reduce_scatter_gather");
  EXPECT_TRUE(between(mpich_4, on_nodes("reduce", 4, 2, 4096)));
  EXPECT_EQ(choice(mpich_4, call("allgather", 12, 81919)), "brucks");
  EXPECT_EQ(choice(mpich_4, call("allgather", 12, 81920)), "ring");
  EXPECT_EQ(choice(mpich_4, call("allgather", 16, 524287)), "recursive_doubling");
  EXPECT_EQ(choice(mpich_4, call("alltoall", 9, 9 * 256)), "brucks");
  EXPECT_EQ(choice(mpich_4, call("alltoall", 8, 8 * 256)), "scattered") << "its < 8 is <= 8 there";
  EXPECT_EQ(choice(mpich_3_3, call("alltoall", 8, 8 * 256)), "brucks");
  EXPECT_EQ(choice(mpich_4, call("alltoall", 8, 8 * 32769)), "pairwise");
  EXPECT_EQ(choice(mpich_4, call("reduce_scatter", 12, 524287)), "recursive_halving");
  EXPECT_EQ(row(mpich_4, call("reduce_scatter", 12, 524288)), "ring") << "pairwise, with one rank on each node";
  EXPECT_EQ(row(mpich_4, on_nodes("reduce_scatter", 6, 2, 524288)), "");
}

TEST(MpiChoice, IsEmptyWhereNothingIsKnown) {
  for (const std::string_view library :
       {"", "none", "Intel MPI 2021.18.1", "MPICH", "MPICH ", "MPICH 2.1", "MPICH 9.0", "Open MPI 6.0", "Open MPI x",
        "Open MPI 4..1", "Open MPI 99999999999999999999", "SimGrid SMPI 3.32", "NCCL 2.18"})
    EXPECT_FALSE(mpi_choice(library, call("allreduce", 8, 8))) << library;
  EXPECT_FALSE(mpi_choice(open_mpi_4_1, call("alltoallv", 8, 8)));
  EXPECT_FALSE(mpi_choice(open_mpi_4_1, call("allreduce", 1, 8)));
  EXPECT_EQ(choice("Open MPI 4.1", call("allreduce", 8, 8)), "recursive_doubling") << "as --library names it";
  EXPECT_EQ(choice("Open MPI 4.1.7rc1", call("allreduce", 8, 8)), "recursive_doubling");
  EXPECT_EQ(mpi_source("Intel MPI 2021.18.1"), "");
  EXPECT_NE(mpi_source("MPICH 5.0.2").find("maint/tuning/coll"), std::string::npos);
}

/// Of all data files: the versions that they are of, by their first one.
std::vector<std::string> all_libraries() {
  std::vector<std::string> all;
  for (const MpiRules& rules : mpi_rules()) {
    all.push_back(rules.library + " " + std::to_string(rules.from[0]) + "." + std::to_string(rules.from[1]));
  }
  return all;
}

TEST(MpiChoice, HasOneForEveryCallAndRowsThatExist) {
  std::size_t chosen = 0;
  for (const std::string& library : all_libraries())
    for (const std::string_view collective : {"allreduce", "allgather", "reduce_scatter", "reduce_scatter_block",
                                              "broadcast", "reduce", "alltoall", "gather", "scatter"})
      for (const int nodes : {1, 2, 3, 4, 7, 8, 12, 32, 100, 300, 700, 1500, 3000, 5000})
        for (const int per_node : {1, 3, 8})
          for (std::uint64_t bytes = 1; bytes <= 1U << 28U; bytes *= 3) {
            if (nodes * per_node < 2) continue;
            const auto found = mpi_choice(library, on_nodes(collective, nodes, per_node, bytes));
            ASSERT_TRUE(found) << library << collective << nodes;
            ++chosen;
            EXPECT_TRUE(found->row.empty() || fit::algorithm_named(collective, found->row) != nullptr)
                << library << ", " << collective << ": " << found->row;
          }
  EXPECT_GT(chosen, 20000U);
}

/// The names that busbar-bench --algorithm knows, where MPI lists them in no table of ours: those of MPICH.
bool can_be_requested(const MpiRules& rules, std::string_view collective, const std::string& name) {
  for (const MpiLibrary* library : table<MpiLibrary>()) {
    if (library->name != rules.library || library->algorithms == nullptr) continue;
    const auto* row = find_call(*library->algorithms, collective);
    if (row == nullptr) return false;
    return row->algorithms.empty() || std::ranges::find(row->algorithms, name) != row->algorithms.end() ||
           find_component(*library->algorithms, collective, name) != nullptr;
  }
  return false;
}

TEST(MpiChoice, NamesAlgorithmsAsTheyAreRequested) {
  std::size_t names = 0;
  for (const MpiRules& rules : mpi_rules())
    for (const auto& [collective, of] : rules.collectives) {
      for (const Rule& rule : of.rules)
        for (const BelowSize& below : rule.by_size) {
          EXPECT_TRUE(can_be_requested(rules, collective, below.algorithm)) << collective << " " << below.algorithm;
          ++names;
        }
      for (const auto& [name, row] : of.rows)
        EXPECT_TRUE(can_be_requested(rules, collective, name)) << collective << " " << name;
    }
  EXPECT_GT(names, 300U);
}

TEST(MpiChoice, FindsRowsOfRequestedAlgorithms) {
  const MpiCall some = call("allreduce", 8, 1024);
  EXPECT_EQ(mpi_row(open_mpi_4_1, some, "segmented_ring"), "ring");
  EXPECT_EQ(mpi_row(open_mpi_4_1, some, "rabenseifner"), "reduce-scatter and allgather");
  EXPECT_EQ(mpi_row(open_mpi_4_1, some, "basic_linear"), "");
  EXPECT_EQ(mpi_row(mpich_4, some, "reduce_scatter_allgather"), "reduce-scatter and allgather");
  EXPECT_EQ(mpi_row("", some, "ring"), "");
}

TEST(MpiRules, RefusesDamagedFiles) {
  const auto error = [](std::string_view collectives, std::string_view from = "4.1") {
    return busbar::test::catch_error<Error>([&] {
      (void)parse_mpi_rules(std::string(R"({"library": "X", "source": "s", "before": "5", "from": ")") +
                                std::string(from) + R"(", "collectives": )" + std::string(collectives) + "}",
                            "x.json");
    });
  };
  EXPECT_EQ(error("{}"), "no error");
  EXPECT_EQ(error("{}", "4.x"), "x.json: '4.x' is no version");
  EXPECT_EQ(error(R"({"a": {"size": "total", "rules": [], "rows": {}}})"),
            "x.json: size 'total' is neither buffer nor block");
  EXPECT_EQ(error(R"({"a": {"size": "block", "rules": [{"if": {"moon": 1}, "use": "b"}], "rows": {}}})"),
            "x.json: no condition 'moon'");
  EXPECT_EQ(error(R"({"a": {"size": "block", "rules": [{"if": {"even": true}}], "rows": {}}})"),
            "x.json: a rule has one of use, by_size, between_nodes");
  EXPECT_NE(error("[").find("x.json: "), std::string::npos);
}

}  // namespace
}  // namespace busbar::libraries::test
