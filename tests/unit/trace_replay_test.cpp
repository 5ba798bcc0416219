// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include "bench/replay/read_trace.hpp"
#include "bench/replay/schedule.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "tests/unit/catch_error.hpp"

/// Readers of traces, and what is planned from them.
namespace busbar::replay {
namespace {

using nlohmann::json;
using test::catch_error;

constexpr const char* param = R"([
  {"comms": "init", "pg_id": 0, "global_ranks": [0, 1, 2, 3], "world_size": 4, "req": -1},
  {"comms": "init", "pg_id": 1, "global_ranks": [0, 2], "world_size": 2, "req": -1},
  {"comms": "all_reduce", "pg_id": 0, "req": 1, "startTime_ns": 1000, "in_msg_size": 10, "out_msg_size": 10, "dtype": "Float"},
  {"comms": "wait", "pg_id": 0, "req": 1},
  {"comms": "broadcast", "pg_id": 1, "root": 2, "startTime_ns": 5000, "in_msg_size": 3, "out_msg_size": 3, "dtype": "long"},
  {"compute": "gemm", "mm_dim": 8, "dtype": "float32"},
  {"comms": "all_to_allv", "pg_id": 0, "req": 2, "in_msg_size": 8, "out_msg_size": 8, "in_split": [1, 3, 2, 2],
   "out_split": [2, 2, 2, 2], "dtype": "half"}])";

/// A record_param_comms of schema 1.1.0, over the group "0" of `size` ranks.
json node(const std::string& name, int in, int out, int position, int size, const std::string& group = "0") {
  const auto attribute = [](const char* key, const json& value) { return json{{"name", key}, {"value", value}}; };
  return {{"id", 9},
          {"name", "record_param_comms"},
          {"inputs",
           {{"values", {json::array({1, 2, 0, in, 4, "cuda:0"}), 5, json::array({group, ""}), position, name}},
            {"types", {"Tensor(float)"}}}},
          {"outputs", {{"values", json::array()}}},
          {"attrs",
           {attribute("collective_name", name), attribute("in_msg_nelems", in), attribute("out_msg_nelems", out),
            attribute("dtype", "Float"), attribute("pg_name", group), attribute("pg_size", size),
            attribute("global_rank_start", 0), attribute("global_rank_stride", 1)}}};
}

Trace trace_of_nodes(const json& nodes, const std::string& file = "t.json") {
  return parse_trace(json{{"schema", "1.1.0-chakra.0.0.4"}, {"nodes", nodes}}.dump(), file);
}

std::string refusal(const std::string& text) {
  return catch_error<UsageError>([&] { (void)parse_trace(text, "t.json"); });
}

TEST(ParamTrace, ReadsCallsGroupsAndWaits) {
  const Trace t = parse_trace(param, "t.json");
  EXPECT_EQ(t.format, "PARAM comms trace");
  EXPECT_EQ(t.ranks, 4);
  ASSERT_EQ(t.calls.size(), 3U);
  EXPECT_EQ(t.calls[0].collective, "allreduce");
  EXPECT_EQ(t.calls[0].dtype, DType::f32);
  EXPECT_TRUE(t.calls[0].waited_for);
  EXPECT_FALSE(t.calls[1].waited_for);
  EXPECT_EQ(t.calls[1].root, 1) << "rank 2 is the second of its group";
  EXPECT_EQ(t.groups.at("1").ranks, (std::vector{0, 2}));
  EXPECT_EQ(t.calls[2].in_split, (std::vector<std::uint64_t>{1, 3, 2, 2}));
  EXPECT_NEAR(*t.calls[1].start_s, 5e-6, 1e-12);
  EXPECT_EQ(t.notes, (std::vector<std::string>{"1 compute entries of the trace are not run"}));
}

TEST(ParamTrace, RefusesWrongEntries) {
  EXPECT_EQ(
      refusal(R"([{"comms": "all_reduce", "in_msg_size": -1, "out_msg_size": 1, "dtype": "float"}])").substr(0, 17),
      "t.json: entry 0: ");
  EXPECT_NE(refusal(R"([{"comms": "all_reduce"}])").find("entry 0: no 'in_msg_size'"), std::string::npos);
  EXPECT_NE(refusal(R"([{"comms": "barrier"}, 7])").find("entry 1: number where an object must be"), std::string::npos);
  EXPECT_NE(refusal(R"([{"what": 1}])").find("entry 0: has neither 'comms' nor 'compute'"), std::string::npos);
  EXPECT_NE(refusal(R"([{"comms": "barrier", "pg_id": 1, "global_ranks": [0, 0]}])").find("in a group twice"),
            std::string::npos);
  EXPECT_NE(
      refusal(R"([{"comms": "all_reduce", "in_msg_size": 1e18, "out_msg_size": 1, "dtype": "int"}])").find("more than"),
      std::string::npos);
}

TEST(AnyTrace, RefusesWhatIsNoTrace) {
  EXPECT_EQ(refusal(""), "t.json: is empty");
  EXPECT_EQ(refusal("\x1f\x8b\x08"), "t.json: is compressed: unpack it with gunzip first");
  EXPECT_NE(refusal("\x0a\x05hello").find("protobuf files (.et) are not read"), std::string::npos);
  EXPECT_NE(refusal("{\"a\": 1}").find("is no trace"), std::string::npos);
  EXPECT_NE(refusal(std::string(param).substr(0, 100)).find("t.json: "), std::string::npos);
  EXPECT_NE(refusal(std::string(100, '[')).find("more than 64 levels"), std::string::npos);
}

TEST(ExecutionTrace, ReadsAttributes) {
  const Trace t = trace_of_nodes({node("allreduce", 10, 10, 1, 2), node("_allgather_base", 5, 10, 1, 2)});
  EXPECT_EQ(t.rank, 1);
  EXPECT_EQ(t.groups.at("0").ranks, (std::vector{0, 1}));
  ASSERT_EQ(t.calls.size(), 2U);
  EXPECT_EQ(t.calls[1].collective, "allgather");
  EXPECT_EQ(t.calls[1].out, 10U);
}

TEST(ExecutionTrace, ReadsSchemaBeforeAttributes) {
  const Trace t = parse_trace(R"x({"schema": "1.0.1", "nodes": [
    {"name": "record_param_comms", "id": 7, "inputs": [[1, 2, 0, 24, 8, "cuda:3"], 147, 94398426290464, 3, "all_to_allv",
     [3, 3, 3, 3, 3, 3, 3, 3], [3, 3, 3, 3, 3, 3, 3, 3]], "input_types": ["Tensor(long int)"],
     "outputs": [[4, 5, 0, 24, 8, "cuda:3"]]},
    {"name": "record_param_comms", "id": 8, "inputs": [147, 0, 3, "wait", [], []], "input_types": ["Int"], "outputs": []}]
})x",
                              "t.json");
  ASSERT_EQ(t.calls.size(), 1U);
  EXPECT_EQ(t.calls[0].dtype, DType::i64);
  EXPECT_EQ(t.calls[0].in, 24U);
  EXPECT_EQ(t.calls[0].in_split.size(), 8U);
  EXPECT_TRUE(t.calls[0].waited_for);
  EXPECT_EQ(t.rank, 3);
}

TEST(KinetoTrace, ReadsKernelsWithTheirTimes) {
  const auto event = [](const char* cat, double at) {
    return json{{"cat", cat},
                {"name", cat == std::string("kernel") ? "ncclKernel_AllReduce" : "record_param_comms"},
                {"ts", at},
                {"dur", 7},
                {"args",
                 {{"Collective name", "allreduce"},
                  {"In msg nelems", 4},
                  {"Out msg nelems", 4},
                  {"dtype", "BFloat16"},
                  {"Process Group Name", "0"},
                  {"Process Group Ranks", "[0, 1]"}}}};
  };
  const json document{{"distributedInfo", {{"rank", 1}, {"world_size", 2}}},
                      {"traceEvents", {event("kernel", 30), event("cpu_op", 5), event("kernel", 20)}}};
  const Trace t = parse_trace(document.dump(), "t.json");
  EXPECT_EQ(t.rank, 1);
  EXPECT_EQ(t.ranks, 2);
  ASSERT_EQ(t.calls.size(), 2U);
  EXPECT_NEAR(*t.calls[0].start_s, 20e-6, 1e-12) << "in the order of their times";
  EXPECT_NEAR(*t.calls[0].duration_s, 7e-6, 1e-12);
  EXPECT_EQ(t.calls[0].dtype, DType::bf16);
  EXPECT_NE(
      refusal(R"({"traceEvents": [{"name": "record_param_comms", "args": {}}]})").find("none says its collective"),
      std::string::npos);
}

TEST(Trace, SurvivesJson) {
  const Trace t = parse_trace(param, "t.json");
  const json once = t;
  EXPECT_EQ(json(once.get<Trace>()), once);
}

TEST(Trace, FindsTheRankInAName) {
  EXPECT_EQ(rank_in_name("dlrm_eg_3.json"), 3);
  EXPECT_EQ(rank_in_name("worker12_step_4.169.pt.trace.json"), 12);
  EXPECT_EQ(rank_in_name("x/rank-7.Jul_15.json"), 7);
  EXPECT_EQ(rank_in_name("trace.json"), std::nullopt);
}

TEST(Schedule, GivesEachRankItsGroups) {
  const Schedule s = make_schedule({parse_trace(param, "t.json")}, 4, {.rescale = false});
  ASSERT_EQ(s.levels.size(), 2U);
  EXPECT_EQ(s.levels[0].name, "world");
  EXPECT_EQ(s.levels[1].teams, (std::vector<std::vector<int>>{{0, 2}, {1, 3}}));
  ASSERT_EQ(s.cases.size(), 2U);
  EXPECT_EQ(s.cases[0].spec.bytes, 40U);
  EXPECT_EQ(s.cases[1].spec.root, 1);
  ASSERT_EQ(s.left_out.size(), 1U);
  EXPECT_EQ(s.left_out[0].reason, "uneven splits: one rank's trace does not say those of the others");
  EXPECT_EQ(s.left_out[0].bytes, 16U);
  EXPECT_TRUE(s.lists[0][1].from_start);
  EXPECT_NEAR(*s.lists[0][1].pause_s, 4e-6, 1e-12);
}

TEST(Schedule, RefusesAnotherNumberOfRanks) {
  const std::vector traces{parse_trace(param, "t.json")};
  const auto why = catch_error<UsageError>([&] { (void)make_schedule(traces, 2, {.rescale = false}); });
  EXPECT_NE(why.find("was recorded with 4 ranks, this job has 2"), std::string::npos) << why;
  const Schedule s = make_schedule(traces, 2, {.rescale = true});
  ASSERT_EQ(s.cases.size(), 1U);
  EXPECT_EQ(s.left_out.size(), 2U) << "the uneven call, and that over a part of the ranks";
}

TEST(Schedule, MatchesTheTracesOfAllRanks) {
  const Trace zero = trace_of_nodes({node("allreduce", 10, 10, 0, 2), node("allreduce", 20, 20, 0, 2)}, "rank0.json");
  const Trace one = trace_of_nodes(json::array({node("allreduce", 10, 10, 1, 2)}), "rank1.json");
  const Schedule s = make_schedule({one, zero}, 2, {.rescale = false});
  EXPECT_EQ(s.cases.size(), 1U);
  ASSERT_EQ(s.left_out.size(), 1U);
  EXPECT_EQ(s.left_out[0].reason, "the traces of other ranks of its group end before it");
  const Trace other = trace_of_nodes(json::array({node("allreduce", 11, 11, 1, 2)}), "rank1.json");
  const auto why = catch_error<UsageError>([&] { (void)make_schedule({zero, other}, 2, {.rescale = false}); });
  EXPECT_NE(why.find("rank1.json: node 9: allreduce of 11 x fp32 where rank 0 has allreduce of 10"), std::string::npos)
      << why;
  EXPECT_NE(catch_error<UsageError>([&] { (void)make_schedule({zero, zero}, 2, {.rescale = false}); }).find("as is"),
            std::string::npos);
}

/// An all-to-all of one of two ranks, whose order in the group is 1, 0.
Trace exchange(int rank, const std::string& sent, int in, int out) {
  Trace t = parse_trace(R"([{"comms": "init", "pg_id": 0, "global_ranks": [1, 0]}, {"comms": "all_to_allv", "pg_id": 0,
    "in_msg_size": )" + std::to_string(in) +
                            R"(, "out_msg_size": )" + std::to_string(out) + R"(, "dtype": "int", "in_split": )" + sent +
                            "}]",
                        "t.json");
  t.rank = rank;
  return t;
}

TEST(Schedule, MakesUnevenAllToAllsOfEqualTotals) {
  const Schedule s = make_schedule({exchange(0, "[1, 7]", 8, 11), exchange(1, "[4, 4]", 8, 5)}, 2, {.rescale = false});
  ASSERT_EQ(s.cases.size(), 1U);
  EXPECT_TRUE(s.left_out.empty());
  const Case& c = s.cases[0].spec;
  EXPECT_EQ(c.collective->name, "alltoallv");
  EXPECT_EQ(c.bytes, 32U);
  EXPECT_EQ(c.shares->name(), "trace:1");
  EXPECT_EQ(c.shares->count(0, 0, c.count), 7U);
  EXPECT_EQ(c.shares->count(0, 1, c.count), 1U);
  EXPECT_EQ(c.shares->count(1, 0, c.count), 4U);
  const auto why = [](const Trace& zero, const Trace& one) {
    return catch_error<UsageError>([&] { (void)make_schedule({zero, one}, 2, {.rescale = false}); });
  };
  EXPECT_NE(why(exchange(0, "[1, 7]", 8, 12), exchange(1, "[4, 5]", 9, 5)).find("different totals"), std::string::npos);
  EXPECT_NE(why(exchange(0, "[1, 7]", 8, 12), exchange(1, "[4, 4]", 8, 5)).find("another number of elements"),
            std::string::npos);
  EXPECT_NE(why(exchange(0, "[1, 6]", 8, 11), exchange(1, "[4, 4]", 8, 5)).find("do not fit its size"),
            std::string::npos);
}

TEST(Schedule, RefusesCallsThatWouldWaitForEachOther) {
  const json a = node("allreduce", 10, 10, 0, 2, "a"), b = node("allreduce", 10, 10, 0, 2, "b");
  const auto group = [](const char* name, const char* ranks) {
    return std::string(R"({"pg_name": ")") + name + R"(", "ranks": )" + ranks + R"(, "group_size": 2})";
  };
  const json init{
      {"id", 1},
      {"name", "## process_group:init ##"},
      {"inputs",
       {{"values", {"[" + group("a", "[0, 1]") + "," + group("b", "[1, 2]") + "," + group("c", "[0, 2]") + "]"}},
        {"types", json::array()}}}};
  const json c = node("allreduce", 10, 10, 0, 2, "c");
  const std::vector<Trace> traces{trace_of_nodes({init, a, c}, "rank0.json"),
                                  trace_of_nodes({init, b, a}, "rank1.json"),
                                  trace_of_nodes({init, c, b}, "rank2.json")};
  std::vector<Trace> ranked = traces;
  for (int r = 0; r < 3; ++r) ranked[static_cast<std::size_t>(r)].rank = r;
  const auto why = catch_error<UsageError>([&] { (void)make_schedule(ranked, 3, {.rescale = false}); });
  EXPECT_NE(why.find("would wait for each other for ever"), std::string::npos) << why;
}

}  // namespace
}  // namespace busbar::replay
