// SPDX-License-Identifier: Apache-2.0
#include "bench/options.hpp"

#include <gtest/gtest.h>

#include "core/backend/collective.hpp"
#include "core/base/table.hpp"
#include "core/record/method.hpp"
#include "tests/unit/catch_error.hpp"

namespace busbar::test {
namespace {

BenchOptions parse(const std::vector<std::string>& arguments) {
  return std::get<BenchOptions>(parse_options(arguments));
}

using Sizes = std::vector<std::uint64_t>;

TEST(Options, SweepAllreduceInFp32ByDefault) {
  const BenchOptions o = parse({});
  ASSERT_EQ(o.sweep.collectives.size(), 1U);
  EXPECT_EQ(o.sweep.collectives[0]->name, "allreduce");
  EXPECT_EQ(o.sweep.types, std::vector{DType::f32});
  EXPECT_EQ(o.sweep.ops, std::vector{Op::sum});
  EXPECT_EQ(o.sweep.sizes.front(), 8U);
  EXPECT_EQ(o.sweep.sizes.back(), 64U << 20);
  EXPECT_EQ(o.sweep.sizes.size(), 24U);
  EXPECT_EQ(o.settings.check, Checking::sampled);
}

TEST(Options, AcceptThoseOfNcclTests) {
  const BenchOptions o = parse({"all_reduce", "-b", "8", "-e", "64M", "-f", "4", "-n", "20", "-w", "3", "-c", "0", "-d",
                                "float", "--op", "max", "-r", "1"});
  EXPECT_EQ(o.sweep.sizes[1], 32U);
  EXPECT_EQ(o.settings.fixed_count, 20);
  EXPECT_EQ(o.settings.warmup, 3);
  EXPECT_EQ(o.settings.check, Checking::off);
  EXPECT_EQ(o.sweep.types, std::vector{DType::f32});
  EXPECT_EQ(o.sweep.ops, std::vector{Op::max});
  EXPECT_EQ(o.sweep.root, 1);
}

TEST(Options, SetSampling) {
  const Settings plain = parse({}).settings;
  EXPECT_FALSE(plain.fixed_count.has_value());
  EXPECT_DOUBLE_EQ(plain.stop.relative_half_width, 0.02);
  EXPECT_TRUE(parse({}).budget_by_cases);
  EXPECT_FALSE(parse({"-n", "10"}).budget_by_cases) << "a fixed number of samples has no time limit";
  EXPECT_FALSE(parse({"--run-budget", "60"}).budget_by_cases);
  EXPECT_EQ(parse({"--run-budget", "60"}).settings.stop.run_budget_s, 60);
  EXPECT_EQ(parse({"--quick"}).settings.stop.run_budget_s, 3);
  EXPECT_FALSE(parse({"--quick"}).asks_for_budget);
  EXPECT_TRUE(parse({"--quick", "--run-budget", "5"}).asks_for_budget);
  EXPECT_EQ(parse({"--quick", "--run-budget", "5"}).settings.stop.run_budget_s, 5);
  EXPECT_EQ(parse({}).sweep.cadences, std::vector{Cadence::barrier});
  const Settings s = parse({"--width", "0.5", "--confidence", "99", "--run-budget", "0", "--cadence", "streaming",
                            "--stream-calls", "50", "--offset", "0,16", "--overhead"})
                         .settings;
  EXPECT_DOUBLE_EQ(s.stop.relative_half_width, 0.005);
  EXPECT_DOUBLE_EQ(s.stop.confidence, 0.99);
  EXPECT_FALSE(s.stop.run_budget_s.has_value());
  EXPECT_EQ(parse({"--cadence", "streaming"}).sweep.cadences, std::vector{Cadence::streaming});
  EXPECT_EQ(s.streaming_calls, 50);
  EXPECT_EQ(s.offsets.send, 0U);
  EXPECT_EQ(s.offsets.recv, 16U);
  EXPECT_TRUE(s.costs);
  EXPECT_FALSE(parse({}).settle.has_value());
  EXPECT_EQ(parse({"--settle", "yes"}).settle, true);
  EXPECT_EQ(parse({"--settle", "no"}).settle, false);
  EXPECT_EQ(parse({"--offset", "64"}).settings.offsets.send, 64U);
}

TEST(Options, MeasureColdCallsBesideHotOnesOrAlone) {
  const auto cadences = [](const std::vector<std::string>& arguments) { return parse(arguments).sweep.cadences; };
  EXPECT_EQ(cadences({"--condition", "hot"}), std::vector{Cadence::barrier});
  EXPECT_EQ(cadences({"--condition", "cold"}), std::vector{Cadence::cold});
  EXPECT_EQ(cadences({"--condition", "cold,hot", "--cadence", "synchronised"}),
            (std::vector{Cadence::synchronised, Cadence::cold}));
}

TEST(Options, WriteTelemetryOnRequest) {
  EXPECT_FALSE(parse({}).job.telemetry_prometheus);
  EXPECT_EQ(parse({"--telemetry-prometheus", "a.prom"}).job.telemetry_prometheus, "a.prom");
}

TEST(Options, ReadSizesAsStepsOrAsAList) {
  EXPECT_EQ(parse({"-b", "0", "-e", "4K", "-i", "2K"}).sweep.sizes, (Sizes{0, 2048, 4096}));
  EXPECT_EQ(parse({"--sizes", "8,1K,3000000"}).sweep.sizes, (Sizes{8, 1024, 3000000}));
  EXPECT_EQ(parse({"-b", "100", "-e", "100"}).sweep.sizes, (Sizes{100}));
}

TEST(Options, TakeCountsForUnevenCollectivesOnly) {
  const BenchOptions o = parse({"uneven", "--counts", "even,zipf:1.2,moe:64,2,1.2,one-empty"});
  ASSERT_EQ(o.sweep.counts.size(), 4U);
  EXPECT_EQ(o.sweep.counts[2].name, "moe:64,2,1.2");
  EXPECT_EQ(parse({"alltoallv"}).sweep.counts.at(0).name, "even");
  const auto error_of = [](std::vector<std::string> words) {
    return catch_error([&words] { (void)parse_options(words); });
  };
  EXPECT_NE(error_of({"allreduce", "--counts", "linear"}).find("--counts: is for allgatherv"), std::string::npos);
  EXPECT_NE(error_of({"gatherv", "--counts", "moe:64,2,1.2"}).find("only alltoallv can have that"), std::string::npos);
}

TEST(Options, ReadNamesInAnySpelling) {
  const BenchOptions o = parse({"AllGather,reduce-scatter", "bcast", "all_to_all", "all_gather"});
  ASSERT_EQ(o.sweep.collectives.size(), 4U);
  EXPECT_EQ(o.sweep.collectives[1]->name, "reduce_scatter");
  EXPECT_EQ(o.sweep.collectives[2]->name, "broadcast");
  EXPECT_EQ(o.sweep.collectives[3]->name, "alltoall");
  for (const Collective* c : parse({"all", "-d", "all", "--op", "all"}).sweep.collectives)
    EXPECT_FALSE(c->between_pairs() || c->uneven()) << c->name;
  EXPECT_EQ(parse({"all", "uneven", "p2p", "rma", "pingpong"}).sweep.collectives.size(), table<Collective>().size());
  EXPECT_EQ(parse({"-d", "all"}).sweep.types.size(), dtypes.size());
  EXPECT_EQ(parse({"--op", "all"}).sweep.ops.size(), op_names.size());
}

TEST(Options, CombineAlgorithmsWithProtocols) {
  const auto of = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--backend", "nccl"});
    return parse(arguments).sweep.algorithms;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(of({}), Texts{""});
  EXPECT_EQ(of({"--algorithm", "ring,tree"}), (Texts{"ring", "tree"}));
  EXPECT_EQ(of({"--protocol", "ll"}), (Texts{"*/ll"}));
  EXPECT_EQ(of({"--algorithm", "ring,tree", "--protocol", "simple,ll"}),
            (Texts{"ring/simple", "ring/ll", "tree/simple", "tree/ll"}));
  EXPECT_EQ(of({"--algorithm", "auto,symmetric", "--cta-policy", "default,zero"}),
            (Texts{"", "*+zero", "symmetric", "symmetric+zero"}));
  EXPECT_THROW(of({"--cta-policy", "none"}), UsageError);
  EXPECT_EQ(parse({"--algorithm", "ring/segsize=64K"}).backend_options.algorithms, (Texts{"ring/segsize=64K"}));
  EXPECT_THROW(of({"--algorithm", "ring/segsize=64K"}), UsageError);
  EXPECT_TRUE(parse({}).backend_options.algorithms.empty());
}

TEST(Options, ReadGroupsAsLevelsLayoutsOrPairs) {
  EXPECT_TRUE(parse({}).scope.levels.empty());
  EXPECT_EQ(parse({"--groups", "node,world"}).scope.levels, (std::vector<std::string>{"node", "world"}));
  const auto layouts = parse({"--layout", "1x4,2x2"}).scope.layouts;
  ASSERT_EQ(layouts.size(), 2U);
  EXPECT_EQ(to_string(layouts[1]), "2x2");
  const auto splits = parse({"--split", "0,1;2-3", "--split", "MOD 2"}).scope.splits;
  ASSERT_EQ(splits.size(), 2U);
  EXPECT_EQ(to_string(splits[0]), "ranks 0-1;2-3");
  EXPECT_EQ(to_string(splits[1]), "rank % 2");
}

TEST(Options, MeasurePairsAtTwoSizesByDefault) {
  const BenchOptions o = parse({"pairs"});
  EXPECT_EQ(o.scope.pairs, Scope::Between::hosts_or_ranks);
  EXPECT_EQ(o.scope.turns, Scope::Turns::apart);
  EXPECT_EQ(o.sweep.collectives.at(0)->name, "sendrecv");
  EXPECT_EQ(o.sweep.sizes, (Sizes{8, 4U << 20}));
  EXPECT_EQ(o.settings.fixed_count, 40);
  const BenchOptions told = parse({"pairs", "--between", "ranks", "--concurrent", "--sizes", "1K", "--width", "5"});
  EXPECT_EQ(told.scope.pairs, Scope::Between::ranks);
  EXPECT_EQ(told.scope.turns, Scope::Turns::concurrent);
  EXPECT_EQ(told.sweep.sizes, Sizes{1024});
  EXPECT_FALSE(told.settings.fixed_count);
}

TEST(Options, StreamCallsBetweenPairsInTheirWindows) {
  const auto plan = [](const std::vector<std::string>& arguments) { return make_plan(parse(arguments).sweep, 2); };
  for (const Case& c : plan({"p2p", "put"})) {
    EXPECT_EQ(c.cadence, Cadence::streaming);
    const std::string_view name = c.collective->name;
    EXPECT_EQ(c.window, name == "pingpong" ? 0 : name == "put" ? 1 : 64) << name;
    EXPECT_LE(c.bytes, c.window == 64 ? 4U << 20 : 64U << 20) << name;
  }
  EXPECT_EQ(plan({"allreduce", "get"}).front().cadence, Cadence::barrier);
  EXPECT_EQ(plan({"get", "--cadence", "barrier"}).front().cadence, Cadence::barrier);
  const auto given = plan({"unidirectional", "--window", "1,8,1", "--sizes", "1K,16M"});
  ASSERT_EQ(given.size(), 4U);
  EXPECT_EQ(given[0].window, 1);
  EXPECT_EQ(given[2].window, 8);
  EXPECT_EQ(given[3].bytes, 16U << 20);
  EXPECT_EQ(plan({"unidirectional", "-b", "8M"}).size(), 1U);
}

TEST(Options, ChooseFormsAndWorkBesideCalls) {
  const Sweep plain = parse({}).sweep;
  EXPECT_EQ(plain.forms, std::vector{CallForm::plain});
  EXPECT_TRUE(plain.advances.empty());
  EXPECT_FALSE(parse({}).backend_options.split_calls);
  const BenchOptions o = parse({"--overlap", "library,poll,poll", "--work", "50,200 %"});
  EXPECT_EQ(o.sweep.forms, std::vector{CallForm::nonblocking});
  EXPECT_EQ(o.sweep.advances, (std::vector{Advance::library, Advance::poll}));
  EXPECT_EQ(o.sweep.works, (std::vector{50, 200}));
  EXPECT_TRUE(o.backend_options.split_calls);
  EXPECT_EQ(parse({"--overlap", "thread"}).sweep.works, std::vector{100});
  const Sweep both = parse({"--form", "plain,persistent", "--overlap", "poll"}).sweep;
  EXPECT_EQ(both.forms, (std::vector{CallForm::plain, CallForm::persistent}));
  EXPECT_TRUE(parse({"--form", "nonblocking"}).sweep.works.empty());
}

TEST(Options, KeepLabelsOfTheUser) {
  const BenchOptions o = parse({"--label", "platform=vm", "--label", "note=a=b"});
  EXPECT_EQ(o.job.labels.at("platform"), "vm");
  EXPECT_EQ(o.job.labels.at("note"), "a=b");
}

TEST(Options, TreatHelpVersionAndListAsInformation) {
  for (const char* flag : {"--help", "-h", "--version", "--list"})
    EXPECT_FALSE(std::get<Information>(parse_options({flag})).text.empty()) << flag;
}

TEST(Options, NameTheFlagOfEveryBadValue) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> bad{
      {"-b: ", {"-b", "x"}},
      {"--cadence: ", {"--cadence", "cold"}},
      {"--condition: ", {"--condition", "warm"}},
      {"--condition: ", {"pairs", "--condition", "cold"}},
      {"--condition cold: ", {"--condition", "hot,cold", "--cadence", "streaming"}},
      {"--condition cold: ", {"--condition", "cold", "--graph", "2"}},
      {"-e: ", {"-e", "1e3"}},
      {"-f: ", {"-f", "0"}},
      {"-n: ", {"-n", "1e9"}},
      {"--timeout: ", {"--timeout", "soon"}},
      {"--time-budget: ", {"--time-budget", "nan"}},
      {"-i: ", {"-i", "8", "-f", "2"}},
      {"--max-samples: ", {"--max-samples", "0"}},
      {"--progress: ", {"--progress", "maybe"}},
      {"--clock: ", {"--clock", "sun"}},
      {"--memory: ", {"--memory", "tape"}},
      {"--graph: ", {"--graph", "-1"}},
      {"--algorithm: ", {"--algorithm", "a;b"}},
      {"--protocol: ", {"--protocol", "$x"}},
      {"-r: ", {"-r", "-1"}},
      {"--groups: ", {"--groups", "rack"}},
      {"--layout: ", {"--layout", "2by2"}},
      {"--split: 'rank' forms no groups of ranks; give 'rank % N'", {"--split", "rank"}},
      {"--split: given 3 times", {"--split", "%2", "--split", "/2", "--split", "%4"}},
      {"--split: cannot be used together with --groups", {"--split", "%2", "--groups", "node"}},
      {"--split: cannot be used together with 'pairs'", {"pairs", "--split", "%2"}},
      {"--clock events: ", {"--clock", "events", "--split", "%2", "--split", "/2"}},
      {"--graph: ", {"--graph", "4", "--split", "%2", "--split", "/2"}},
      {"--gpus-per-rank: is for --backend nccl", {"--gpus-per-rank", "2"}},
      {"--launch: ", {"--launch", "threads"}},
      {"--launch: unknown 'both'", {"--gpus-per-rank", "2", "--launch", "both"}},
      {"--graph: needs a thread per GPU", {"--backend", "nccl", "--gpus-per-rank", "2", "--graph", "4"}},
      {"--nonblocking: ", {"--backend", "nccl", "--gpus-per-rank", "2", "--nonblocking"}},
      {"--layout: needs a process per GPU", {"--backend", "nccl", "--gpus-per-rank", "2", "--layout", "1x2"}},
      {"--share-gpu: ", {"--backend", "nccl", "--gpus-per-rank", "2", "--share-gpu"}},
      {"pairs: needs a process per GPU", {"pairs", "--backend", "nccl", "--gpus-per-rank", "2"}},
      {"replay: needs a process per GPU", {"replay", "x.json", "--backend", "nccl", "--gpus-per-rank", "2"}},
      {"--between: ", {"pairs", "--between", "x"}},
      {"--alone: ", {"--alone"}},
      {"--window: ", {"p2p", "--window", "0"}},
      {"--window: allreduce has none", {"--window", "4"}},
      {"pairs: ", {"pairs", "allreduce"}},
      {"--groups: ", {"pairs", "--groups", "node"}},
      {"--concurrent: ", {"pairs", "--concurrent", "--alone"}},
      {"--form: unknown 'lazy'; known: plain, nonblocking, persistent", {"--form", "lazy"}},
      {"--form, --overlap: ", {"pairs", "--form", "nonblocking"}},
      {"--overlap: unknown 'hardware'; known: library, poll, thread", {"--overlap", "hardware"}},
      {"--overlap: --form plain ", {"--overlap", "poll", "--form", "plain"}},
      {"--overlap: cannot be used together with --cadence streaming", {"--overlap", "poll", "--cadence", "streaming"}},
      {"--overlap: cannot be used together with --condition cold", {"--overlap", "poll", "--condition", "hot,cold"}},
      {"--work: belongs to --overlap", {"--work", "50"}},
      {"--work: ", {"--overlap", "poll", "--work", "0"}},
      {"--work: ", {"--overlap", "poll", "--work", "much"}}};
  for (const auto& [flag, arguments] : bad) {
    const std::string error = catch_error([&words = arguments] { (void)parse_options(words); });
    EXPECT_EQ(error.substr(0, flag.size()), flag) << error;
  }
}

}  // namespace
}  // namespace busbar::test
