// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/fit.hpp"

#include <cmath>
#include <fstream>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "tests/unit/catch_error.hpp"

// Times come from known coefficients, which the fit must recover.

namespace busbar::fit::test {
namespace {

using busbar::test::catch_error;

constexpr int per_node = 4;

Scale on_nodes(int nodes) { return {.ranks = nodes * per_node, .nodes = nodes}; }

/// Coefficients of a made-up machine.
struct Truth {
  std::string collective = "allreduce", backend = "nccl";
  std::string algorithm = "ring";
  Terms coefficients{10e-6, 3e-6, 1.0 / 20e9};
  double launch_sigma = 0, size_sigma = 0;
};

double true_time(const Truth& t, const Scale& scale, std::uint64_t bytes) {
  return dot(*terms_of(t.collective, t.algorithm, scale, static_cast<double>(bytes)), t.coefficients);
}

std::vector<std::uint64_t> sizes(unsigned from, unsigned to) {
  std::vector<std::uint64_t> all;
  for (unsigned e = from; e <= to; ++e) all.push_back(std::uint64_t{1} << e);
  return all;
}

/// A record of one launch, by a function of the size.
busbar::Run launch(const Truth& t, int nodes, const std::vector<std::uint64_t>& bytes,
                   const std::function<double(std::uint64_t)>& time_s) {
  busbar::Run run;
  run.path = "n" + std::to_string(nodes) + ".jsonl";
  run.head.ranks = nodes * per_node;
  run.head.nodes = nodes;
  for (const std::uint64_t size : bytes) {
    CaseRecord c;
    c.key = {.collective = t.collective,
             .backend = t.backend,
             .bytes = size,
             .ranks = nodes * per_node,
             .nodes = nodes,
             .ranks_per_node = per_node};
    c.time_s = time_s(size);
    run.cases.push_back(c);
  }
  return run;
}

class Machine {
 public:
  explicit Machine(Truth truth, unsigned seed = 1) : truth_(std::move(truth)), random_(seed) {}

  busbar::Run operator()(int nodes, const std::vector<std::uint64_t>& bytes) {
    const double off = truth_.launch_sigma * normal_(random_);
    return launch(truth_, nodes, bytes, [&](std::uint64_t size) {
      return true_time(truth_, on_nodes(nodes), size) * std::exp(off + truth_.size_sigma * normal_(random_));
    });
  }

 private:
  Truth truth_;
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
};

Fit fit_of(const std::vector<busbar::Run>& runs, double spread = 0.1) { return fit_runs(runs, {}, spread); }

TEST(LeastSquares, FindsKnownCoefficients) {
  std::vector<Row> rows;
  std::size_t launch = 0;
  for (const double steps : {2.0, 6.0, 14.0}) {
    for (const double bytes : {8.0, 1e4, 1e6, 1e8})
      rows.push_back({.x = {1, steps, bytes}, .time_s = 5e-6 + 2e-6 * steps + bytes / 1e10, .launch = launch});
    ++launch;
  }
  const LogFit fit = fit_logs(rows, {true, true, true}, 0.1).value();
  EXPECT_NEAR(fit.coefficients[0], 5e-6, 1e-10);
  EXPECT_NEAR(fit.coefficients[1], 2e-6, 1e-10);
  EXPECT_NEAR(fit.coefficients[2], 1e-10, 1e-15);
  EXPECT_EQ(fit.degrees, 9);
  EXPECT_EQ(fit.residuals.size(), rows.size());
}

TEST(LeastSquares, HasNoNegativeCoefficient) {
  std::vector<Row> rows;
  for (const double steps : {2.0, 4.0, 8.0, 16.0})
    rows.push_back({.x = {1, steps, 0}, .time_s = 10e-6 - 0.3e-6 * steps});
  const LogFit fit = fit_logs(rows, {true, true, false}, 0.1).value();
  EXPECT_EQ(fit.coefficients[1], 0);
  EXPECT_GT(fit.covariance[1][1], 0) << "a coefficient at its bound is not known exactly";
}

TEST(LeastSquares, RefusesDependentColumns) {
  std::vector<Row> rows;
  for (const double bytes : {8.0, 64.0, 512.0, 4096.0})
    rows.push_back({.x = {1, 3, bytes}, .time_s = 1e-6 + bytes * 1e-9});
  EXPECT_FALSE(fit_logs(rows, {true, true, true}, 0.1));
  EXPECT_TRUE(fit_logs(rows, {true, false, true}, 0.1));
  EXPECT_FALSE(fit_logs(std::span(rows).first(2), {true, false, true}, 0.1)) << "no more rows than coefficients";
}

TEST(LeastSquares, ResistsADisturbedSize) {
  std::vector<Row> rows;
  for (double bytes = 8; bytes < 1e8; bytes *= 2) rows.push_back({.x = {1, 0, bytes}, .time_s = 10e-6 + bytes / 1e10});
  rows[4].time_s *= 6;
  const LogFit fit = fit_logs(rows, {true, false, true}, 0.1).value();
  EXPECT_NEAR(fit.coefficients[0], 10e-6, 0.2e-6);
  EXPECT_NEAR(fit.coefficients[2], 1e-10, 2e-12);
}

TEST(Sweeps, KnowTheirLibraryAndDevice) {
  busbar::Run first = launch({}, 2, sizes(3, 10), [](std::uint64_t) { return 1e-5; }), second = first;
  second.path = "second.jsonl";
  for (busbar::Run* run : {&first, &second}) {
    run->head.libraries = {{"nccl", "2.18.3+cuda12.2"}};
    run->head.hosts = {{.name = "a", .cpu_model = "CPU", .gpus = {{.name = "GPU"}}}};
    for (CaseRecord& c : run->cases) c.key.memory = "device";
  }
  const Sweep one = sweeps({first, second}, {}).all.front();
  EXPECT_EQ(one.library + ", " + one.device + ", " + one.cpu, "NCCL 2.18.3, GPU, CPU");
  EXPECT_EQ(sweeps({first}, {.library = "NCCL 2.21"}).all.front().library, "NCCL 2.18.3") << "records know better";
  EXPECT_EQ(sweeps({first}, {.library = "none"}).all.front().library, "none");
  second.head.libraries["nccl"] = "2.20.5", second.head.hosts.front().gpus.front().name = "other";
  const Sweep both = sweeps({first, second, first}, {}).all.front();
  EXPECT_EQ(both.library + both.device, "") << "launches differ";
  second.head.libraries.clear();
  EXPECT_EQ(sweeps({second}, {.library = "NCCL 2.21"}).all.front().library, "NCCL 2.21");
  EXPECT_EQ(sweeps({second}, {.library = "Open MPI 4.1"}).all.front().library, "") << "another backend's";
  for (CaseRecord& c : second.cases) c.key.backend = "mpi", c.key.memory = "host";
  second.head.mpi = Mpi{.library = "Open MPI 4.1.4"};
  const Sweep mpi = sweeps({second}, {}).all.front();
  EXPECT_EQ(mpi.library + ", " + mpi.device, "Open MPI 4.1.4, CPU");
}

TEST(Libraries, AreParsed) {
  EXPECT_EQ(parse_library("auto"), "auto");
  EXPECT_EQ(parse_library("none"), "none");
  EXPECT_EQ(parse_library("nccl-2.21"), "NCCL 2.21");
  EXPECT_EQ(parse_library("Open MPI 4.1.4"), "Open MPI 4.1.4");
  EXPECT_EQ(parse_library("intel-mpi-2021.9"), "Intel MPI 2021.9");
  for (const char* wrong : {"", "nccl", "nccl-", "nccl-new", "gloo-1", "2.21"})
    EXPECT_THROW((void)parse_library(wrong), UsageError) << wrong;
}

TEST(Regions, SplitWhereTheCurveChanges) {
  const Truth small{.coefficients = {10e-6, 1e-6, 1.0 / 2e9}}, large{.coefficients = {60e-6, 4e-6, 1.0 / 20e9}};
  const auto time = [&](int nodes) {
    return
        [&, nodes](std::uint64_t bytes) { return true_time(bytes <= 32768 ? small : large, on_nodes(nodes), bytes); };
  };
  const Fit fit = fit_of({launch(small, 2, sizes(3, 26), time(2)), launch(small, 8, sizes(3, 26), time(8))});
  ASSERT_EQ(fit.sweeps.size(), 1U);
  const auto& regions = fit.sweeps.front().regions;
  ASSERT_EQ(regions.size(), 2U);
  EXPECT_EQ(regions[0].last, 32768U);
  EXPECT_EQ(regions[1].first, 65536U);
  EXPECT_NEAR(1e-9 / regions[1].best().coefficients[2], 20, 0.1);
  EXPECT_NEAR(regions[1].best().coefficients[1], 4e-6, 0.1e-6);
  EXPECT_LT(regions[1].rms, 0.01);
}

TEST(Regions, KeepOneCurveWhole) {
  Machine machine({.launch_sigma = 0, .size_sigma = 0.02}, 7);
  const Fit fit = fit_of({machine(2, sizes(3, 28)), machine(4, sizes(3, 28)), machine(8, sizes(3, 28))});
  EXPECT_EQ(fit.sweeps.front().regions.size(), 1U);
}

TEST(Regions, FindTheAlgorithmByTheGrowthOfTimes) {
  for (const std::string algorithm : {"ring", "tree", "recursive doubling"}) {
    Machine machine({.backend = "mpi", .algorithm = algorithm, .launch_sigma = 0.02, .size_sigma = 0.02}, 3);
    std::vector<busbar::Run> runs;
    for (const int nodes : {2, 4, 8, 16, 32}) runs.push_back(machine(nodes, sizes(3, 28)));
    const Fit fit = fit_of(runs, 0.03);
    EXPECT_EQ(fit.sweeps.front().regions.back().best().algorithm, algorithm);
  }
}

TEST(Regions, LeaveGrowthOpenWithTwoScales) {
  Machine machine({.algorithm = "tree"});
  const Fit fit = fit_of({machine(2, sizes(3, 8)), machine(8, sizes(3, 8))});
  EXPECT_EQ(fit.sweeps.front().regions.front().curves.size(), 2U) << "ring and tree both pass through two points";
}

TEST(Regions, RejectARingFasterThanThatOfAllgather) {
  Machine reduce({.algorithm = "tree", .coefficients = {10e-6, 4e-6, 1.0 / 20e9}});
  Machine gather({.collective = "allgather", .coefficients = {10e-6, 4e-6, 1.0 / 20e9}});
  const auto small = sizes(3, 12);
  const Fit fit = fit_of({reduce(2, small), reduce(8, small), gather(2, small), gather(8, small)});
  const Region& region = fit.sweeps.front().regions.front();
  ASSERT_EQ(region.curves.size(), 1U);
  EXPECT_EQ(region.best().algorithm, "tree");
}

TEST(Regions, UseTheAlgorithmThatTheLibraryReported) {
  Machine machine({.algorithm = "tree"});
  std::vector<busbar::Run> runs{machine(2, sizes(3, 8)), machine(8, sizes(3, 8))};
  for (busbar::Run& run : runs)
    for (CaseRecord& c : run.cases) c.choice = LibraryChoice{.algorithm = "tree", .protocol = "ll"};
  const Region region = fit_of(runs).sweeps.front().regions.front();
  ASSERT_EQ(region.curves.size(), 1U);
  EXPECT_EQ(region.best().algorithm, "tree");
  EXPECT_TRUE(region.best().told);
  EXPECT_EQ(region.choices, std::vector<std::string>{"tree/ll"});
}

TEST(Fit, SeparatesLevelsAndLabels) {
  Machine machine({});
  std::vector<busbar::Run> runs{machine(1, sizes(3, 10)), machine(2, sizes(3, 10)), machine(4, sizes(3, 10))};
  runs.push_back(runs[2]);
  runs.back().head.labels["setting"] = "other";
  const Fit fit = fit_of(runs);
  ASSERT_EQ(fit.sweeps.size(), 3U);
  EXPECT_EQ(fit.sweeps[0].sweep.level, in_node);
  EXPECT_EQ(fit.sweeps[1].sweep.level, between_nodes);
  EXPECT_EQ(fit.sweeps[1].sweep.scales().size(), 2U);
  EXPECT_EQ(fit.sweeps[2].sweep.label, "setting=other");
  EXPECT_EQ(fit_runs(runs, {.pool = {"setting"}}, 0.1).sweeps.size(), 2U);
  EXPECT_TRUE(fit_runs(runs, {.collectives = {"alltoall"}}, 0.1).sweeps.empty());
}

/// Launches on 2, 4 and 8 nodes, each with a value of a label.
std::vector<busbar::Run> labelled(const std::string& name, const std::vector<std::string>& values) {
  Machine machine({});
  std::vector<busbar::Run> runs;
  for (std::size_t i = 0; i < values.size(); ++i) {
    runs.push_back(machine(2 << i % 3, sizes(3, 10)));
    runs.back().head.labels[name] = values[i];
  }
  return runs;
}

TEST(Fit, PoolsLabelsThatFollowTheScale) {
  const auto remark_of = [](const std::string& name, const std::vector<std::string>& values) {
    const Fit fit = fit_of(labelled(name, values));
    EXPECT_EQ(fit.sweeps.size(), 1U) << name;
    EXPECT_EQ(fit.sweeps[0].sweep.scales().size(), 3U);
    EXPECT_EQ(fit.sweeps[0].sweep.label, "");
    return fit.remarks.empty() ? "" : fit.remarks.front();
  };
  EXPECT_EQ(remark_of("nodes", {"2", "4", "8"}),
            "label 'nodes' follows the number of nodes: pooled over it; --by nodes keeps them apart");
  EXPECT_EQ(remark_of("scale", {"8r", "16r", "32r", "8r"}),
            "label 'scale' follows the number of ranks: pooled over it; --by scale keeps them apart");
  EXPECT_EQ(remark_of("jobid", {"17", "18", "23", "31"}),
            "label 'jobid' has other values at each scale: pooled over it; --by jobid keeps them apart");
}

TEST(Fit, KeepsLabelsThatMayBeSystems) {
  for (const std::vector<std::string>& values :
       {std::vector<std::string>{"polaris", "frontier", "polaris-2"}, {"2.18", "2.19", "2.20"}}) {
    const Fit fit = fit_of(labelled("of", values));
    EXPECT_EQ(fit.sweeps.size(), 3U) << values[0];
    ASSERT_EQ(fit.remarks.size(), 1U);
    EXPECT_EQ(fit.remarks[0],
              "label 'of' has other values at each scale, so that each fit has one scale; --pool of fits all of them "
              "together");
  }
}

TEST(Fit, KeepsLabelsWhoseValuesRepeatAcrossScales) {
  const Fit fit = fit_of(labelled("setting", {"1", "1", "1", "2", "2", "2"}));
  EXPECT_EQ(fit.sweeps.size(), 2U);
  EXPECT_TRUE(fit.remarks.empty());
  auto partly = labelled("nodes", {"2", "4", "8"});
  partly.back().head.labels.clear();
  EXPECT_EQ(fit_of(partly).sweeps.size(), 3U) << "a run without the label may be anything";
}

TEST(Fit, ObeysByAndPoolOverLabelsThatFollowTheScale) {
  const auto runs = labelled("nodes", {"2", "4", "8"});
  const Fit apart = fit_runs(runs, {.by = "nodes"}, 0.1);
  EXPECT_EQ(apart.sweeps.size(), 3U);
  EXPECT_TRUE(apart.remarks.empty());
  const Fit pooled = fit_runs(runs, {.pool = {"nodes"}}, 0.1);
  EXPECT_EQ(pooled.sweeps.size(), 1U);
  EXPECT_TRUE(pooled.remarks.empty()) << "the user asked for it";
}

TEST(Fit, HasNoStepFromOneScale) {
  Machine machine({.backend = "mpi"});
  const Fit fit = fit_of({machine(2, sizes(3, 20))});
  EXPECT_FALSE(fit.sweeps.front().regions.front().best().step_known);
}

// NCCL's call is known beside the times, so one scale shows the step: nearly exactly if the call is as expected, and
// with an error of as much as it is off by.
TEST(Fit, KnowsTheCallOfNccl) {
  for (const double call_s : {6e-6, 8e-6, 10e-6}) {
    Machine machine({.collective = "allgather", .coefficients = {call_s, 20e-6, 1.0 / 20e9}});
    const Curve best = fit_of({machine(2, sizes(3, 20))}).sweeps.front().regions.front().best();
    EXPECT_TRUE(best.step_known);
    EXPECT_NEAR(best.coefficients[1], 20e-6 + (call_s - 8e-6) / 2, 0.1e-6);
    EXPECT_NEAR(best.coefficients[0], 8e-6, 0.2e-6);
  }
}

TEST(Fit, TrustsTheTimesOfTwoScalesInTheCall) {
  Machine machine({.collective = "allgather", .coefficients = {60e-6, 20e-6, 1.0 / 20e9}});
  const Fit fit = fit_of({machine(2, sizes(3, 20)), machine(8, sizes(3, 20))});
  EXPECT_NEAR(fit.sweeps.front().regions.front().best().coefficients[0], 60e-6, 0.1e-6);
}

TEST(Fit, ReportsUnknownNodes) {
  busbar::Run run = Machine({})(2, sizes(3, 10));
  for (CaseRecord& c : run.cases) c.key.nodes.reset();
  const Fit fit = fit_of({run});
  EXPECT_TRUE(fit.sweeps.empty());
  ASSERT_EQ(fit.left_out.size(), 1U);
  EXPECT_EQ(fit.left_out[0], "8 cases left out: the record does not say how many nodes");
}

TEST(Fit, EstimatesTheSpreadFromLaunches) {
  Machine machine({.launch_sigma = 0.05}, 5);
  std::vector<busbar::Run> runs;
  for (int i = 0; i < 12; ++i) runs.push_back(machine(i % 2 == 0 ? 2 : 8, sizes(3, 8)));
  const LaunchSpread spread = fit_of(runs).sweeps.front().regions.front().launches;
  EXPECT_EQ(spread.degrees, 10);
  EXPECT_NEAR(spread.value, 0.05, 0.025);
}

// Over made-up machines with the assumed spread, intervals cover the true coefficients at their confidence.
TEST(Fit, CoversAsItsIntervalsClaim) {
  const Truth truth{.launch_sigma = 0.05, .size_sigma = 0.03};
  int step = 0, bandwidth = 0;
  constexpr int machines = 200;
  for (unsigned seed = 0; seed < machines; ++seed) {
    Machine machine(truth, seed);
    std::vector<busbar::Run> runs;
    for (const int nodes : {2, 4, 8, 16})
      for (int i = 0; i < 2; ++i) runs.push_back(machine(nodes, sizes(10, 24)));
    for (busbar::Run& run : runs)
      for (CaseRecord& c : run.cases) c.choice = LibraryChoice{.algorithm = "ring", .protocol = "simple"};
    const Region region = fit_of(runs, 0.05).sweeps.front().regions.front();
    const auto holds = [&](std::size_t term) {
      const Estimate e = estimate(region.best(), region.launches, term);
      return e.low <= truth.coefficients[term] && truth.coefficients[term] <= e.high;
    };
    step += holds(1);
    bandwidth += holds(2);
  }
  EXPECT_GE(step, 0.9 * machines);
  EXPECT_GE(bandwidth, 0.9 * machines);
}

std::string written(const std::string& text) {
  const std::string path = testing::TempDir() + "fit.json";
  std::ofstream(path) << text;
  return path;
}

TEST(FitFile, IsReadBack) {
  Machine machine({.size_sigma = 0.02});
  const Fit fit = fit_of({machine(2, sizes(3, 20)), machine(8, sizes(3, 20))});
  const std::string text = json_of(fit).dump();
  EXPECT_EQ(json_of(read_fit(written(text))).dump(), text);
  nlohmann::json earlier = nlohmann::json::parse(text);
  for (const char* key : {"library", "device", "cpu"}) earlier["sweeps"][0]["sweep"].erase(key);
  EXPECT_EQ(json_of(read_fit(written(earlier.dump()))).dump(), text) << "files of earlier versions have no library";
}

TEST(FitFile, RefusesOtherTextsInOneLine) {
  Machine machine({});
  const auto good = json_of(fit_of({machine(2, sizes(3, 20)), machine(8, sizes(3, 20))}));
  const auto changed = [&](const char* pointer, const nlohmann::json& value) {
    auto j = good;
    j[nlohmann::json::json_pointer(pointer)] = value;
    return j.dump();
  };
  const std::string curve = "/sweeps/0/regions/0/curves/0/";
  for (const std::string& text :
       {std::string(),
        std::string("{"),
        std::string("[]"),
        std::string("{\"format\": 1}"),
        changed("/format", "busbar prediction"),
        changed("/version", 2),
        changed("/sweeps", 3),
        changed("/sweeps/0/sweep/points", nlohmann::json::array()),
        changed("/sweeps/0/sweep/points/0/launch", 99),
        changed("/sweeps/0/sweep/points/0/bytes", 0),
        changed("/sweeps/0/sweep/points/0/scale/nodes", 0),
        changed("/sweeps/0/regions/0/curves", nlohmann::json::array()),
        changed((curve + "algorithm").c_str(), "magic"),
        changed((curve + "coefficients").c_str(), {-1, 0, 0}),
        changed((curve + "coefficients").c_str(), {0, 0, 0}),
        changed((curve + "coefficients").c_str(), {1e300, 0, 0}),
        changed((curve + "scatter").c_str(), nullptr),
        changed((curve + "weight").c_str(), 7),
        changed("/sweeps/0/regions/0/first_bytes", 0),
        changed("/sweeps/0/regions", {good["sweeps"][0]["regions"][0], good["sweeps"][0]["regions"][0]})}) {
    const std::string error = catch_error([&] { (void)read_fit(written(text)); });
    EXPECT_NE(error.find("fit.json: "), std::string::npos) << error << ": " << text.substr(0, 200);
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
  EXPECT_THROW(static_cast<void>(read_fit("/no/such/fit.json")), UsageError);
}

}  // namespace
}  // namespace busbar::fit::test
