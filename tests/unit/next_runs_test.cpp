// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/next_runs.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "core/base/json.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/statistics/summary.hpp"
#include "reports/predict/candidates.hpp"
#include "reports/predict/prediction_blocks.hpp"
#include "reports/predict/prediction_figures.hpp"
#include "tests/unit/catch_error.hpp"

// What to run next, on machines with known times: what the ranking expects is compared with what follows when the run
// is really made. On more machines: bench/micro/next_run_value.cpp.

namespace busbar::predict::test {
namespace {

using busbar::test::catch_error;
using fit::Scale, fit::Terms;

constexpr int per_node = 4, target = 256;
Scale on_nodes(int nodes) { return {.ranks = nodes * per_node, .nodes = nodes}; }

/// Launches of one algorithm, off by a factor of their own and by one of each size.
class Launches {
 public:
  Launches(std::string collective, std::string algorithm, unsigned seed)
      : collective_(std::move(collective)), algorithm_(std::move(algorithm)), random_(seed) {}

  busbar::Run on(int nodes, const std::vector<std::uint64_t>& sizes = {}) {
    busbar::Run run;
    run.path = "n" + std::to_string(nodes) + "-" + std::to_string(++launches_) + ".jsonl";
    const double off = 0.05 * normal_(random_);
    for (const std::uint64_t bytes : sizes.empty() ? usual_sizes() : sizes) {
      CaseRecord c;
      c.key.collective = collective_;
      c.key.backend = "nccl";
      c.key.bytes = bytes;
      c.key.ranks = nodes * per_node;
      c.key.nodes = nodes;
      c.key.ranks_per_node = per_node;
      const Terms x = *fit::terms_of(collective_, algorithm_, on_nodes(nodes), static_cast<double>(bytes));
      c.time_s = fit::dot(x, {8e-6, 6e-6, 1.0 / 20e9}) * std::exp(off + 0.02 * normal_(random_));
      run.cases.push_back(c);
    }
    return run;
  }

 private:
  static std::vector<std::uint64_t> usual_sizes() {
    std::vector<std::uint64_t> all;
    for (unsigned e = 3; e <= 25; e += 2) all.push_back(std::uint64_t{1} << e);
    return all;
  }

  std::string collective_, algorithm_;
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
  int launches_ = 0;
};

const FromFitOptions to_target{.nodes = {target}};

double width_of(const std::vector<busbar::Run>& runs) {
  std::vector<double> widths;
  const Prediction prediction = predict_from(fit::fit_runs(runs, {}, 0.1), to_target);
  for (const Predicted& p : prediction.series.at(0).predicted) widths.push_back(std::log(p.time_s.high / p.time_s.low));
  return std::exp(median(widths));
}

NextRuns next_of(const std::vector<busbar::Run>& runs) {
  const auto fit = fit::fit_runs(runs, {}, 0.1);
  return next_runs(fit, predict_from(fit, to_target), to_target).at(0);
}

TEST(NextRuns, ExpectWhatFollowsWhenTheRunIsMade) {
  constexpr unsigned machines = 6;
  int first_of_two = 0;
  for (unsigned seed = 0; seed < machines; ++seed) {
    Launches machine("allgather", "ring", seed);
    const std::vector<busbar::Run> runs{machine.on(2), machine.on(8)};
    const NextRuns next = next_of(runs);
    EXPECT_NEAR(next.width, width_of(runs), 1e-9);
    EXPECT_TRUE(std::ranges::is_sorted(next.runs, {}, &NextRun::width));
    const auto candidates = candidates_of(fit::fit_runs(runs, {}, 0.1).sweeps.at(0), {}, target, {target});
    std::vector<double> seen;
    for (const NextRun& run : next.runs) {
      const auto c = std::ranges::find(candidates, run.what, &Candidate::what);
      ASSERT_NE(c, candidates.end()) << run.what;
      EXPECT_EQ(run.node_launches, c->node_launches());
      auto more = runs;
      for (const NewLaunch& launch : c->launches) more.push_back(machine.on(launch.scale.nodes, launch.sizes));
      seen.push_back(width_of(more));
      EXPECT_NEAR(std::log(run.width / seen.back()), 0, std::log(1.25)) << seed << ": " << run.what;
    }
    EXPECT_LT(seen.front(), next.width);
    first_of_two += std::ranges::count_if(seen, [&](double width) { return width < seen.front(); }) < 2;
  }
  EXPECT_GE(first_of_two, static_cast<int>(machines) - 1);
}

TEST(NextRuns, AdviseAnotherNumberOfNodesWhereThereIsOne) {
  Launches machine("allgather", "ring", 1);
  const NextRuns next = next_of({machine.on(4)});
  EXPECT_EQ(next.at.nodes, target);
  EXPECT_EQ(next.runs.front().what, "128 nodes");
  EXPECT_LT(next.runs.front().width, next.width);
  EXPECT_TRUE(std::ranges::any_of(next.runs, [](const NextRun& r) { return r.what == "2 nodes"; })) << "cheap";
}

TEST(NextRuns, AdviseAnAllgatherWhereARingIsNotRefuted) {
  Launches allreduce("allreduce", "tree", 1), gather("allgather", "ring", 2);
  fit::Fit fit = fit::fit_runs({allreduce.on(2), allreduce.on(8), gather.on(2), gather.on(8)}, {}, 0.1);
  fit::SweepFit& reduced = fit.sweeps.at(0);
  const auto advised = [&](const std::vector<fit::SweepFit>& others) {
    return std::ranges::any_of(candidates_of(reduced, others, target, {target}), &Candidate::allgather);
  };
  EXPECT_FALSE(advised({})) << "its tree is known";
  reduced.regions.front().curves.push_back(reduced.regions.front().curves.front());
  reduced.regions.front().curves.back().algorithm = "ring";
  EXPECT_TRUE(advised({}));
  EXPECT_FALSE(advised({fit.sweeps.at(1)})) << "there is one";
}

TEST(NextRuns, CountNodesBetweenMeasuredAndPredictedOnes) {
  EXPECT_EQ(node_counts({on_nodes(2), on_nodes(8)}, 128, {128}), (std::vector{4, 16, 32, 64}));
  EXPECT_EQ(node_counts({on_nodes(4), on_nodes(8)}, 100, {48, 100}), (std::vector{2, 16, 32, 48, 64}));
  EXPECT_EQ(node_counts({on_nodes(2)}, 2, {2}), std::vector<int>{});
  EXPECT_LE(node_counts({on_nodes(2)}, 1'000'000, {}).size(), 7U);
}

// Trainings

CaseRecord training(int nodes, double samples_per_s) {
  CaseRecord c;
  c.key.kind = CaseKind::training;
  c.key.collective = "resnet50";
  c.key.backend = "horovod";
  c.key.ranks = c.key.nodes.emplace(nodes);
  c.key.ranks_per_node = 1;
  c.key.training = TrainingKey{.batch = 64};
  c.training = Training{.samples_per_s = samples_per_s};
  c.time_s = 64 * nodes / samples_per_s;
  return c;
}

TEST(NextTrainings, TellWhatLeavesFewerReadings) {
  busbar::Run run;
  run.path = "training.jsonl";
  run.cases = {training(1, 2757), training(2, 5200)};
  TrainingOptions o{.nodes = {16}, .network = {.rate = expected::LineRate{.GBps = 12.5, .text = "100gbe"}}};
  const NextRuns next = next_trainings({run}, predict_trainings({run}, o), o).at(0);
  const auto width = [&](std::string_view what) {
    const auto at =
        std::ranges::find_if(next.runs, [&](const NextRun& r) { return r.what.find(what) != std::string::npos; });
    return at == next.runs.end() ? -1 : at->width;
  };
  EXPECT_GT(width("a group on 4 nodes"), 1);
  EXPECT_LT(width("a group on 4 nodes"), next.width) << "a second residual: more degrees of freedom";
  EXPECT_GT(width("type of gradients"), 0);
  EXPECT_LT(width("overlaps with backward"), next.width);
  EXPECT_EQ(width("for --network"), 0) << "no interval contains a nominal rate's error";
  o.gradients = "fp32";
  o.overlap = std::string(no_overlap);
  const NextRuns known = next_trainings({run}, predict_trainings({run}, o), o).at(0);
  EXPECT_TRUE(std::ranges::none_of(known.runs, [](const NextRun& r) { return r.what.starts_with("type"); }));
}

// Files, tables and charts

Prediction with_next(double width) {
  Prediction p;
  p.next = {{.series = "allreduce, <b>",
             .at = on_nodes(64),
             .width = 4,
             .runs = {{.what = "32 nodes", .node_launches = 32, .width = 2, .tells = "tree or ring: 60 % to 90 % sure"},
                      {.what = "16 nodes", .node_launches = 16, .width = width, .tells = ""}}}};
  return p;
}

TEST(NextRuns, SurviveAFile) {
  const Prediction p = with_next(3);
  const Prediction again = parse_prediction(json_of(p).dump(), "p.json");
  ASSERT_EQ(again.next.size(), 1U);
  EXPECT_EQ(json_of(again), json_of(p));
  const auto message =
      catch_error<UsageError>([] { (void)parse_prediction(json_of(with_next(0.5)).dump(), "p.json"); });
  EXPECT_EQ(message, "p.json: a run to come has no cost or no interval");
}

TEST(NextRuns, NameTheCheapestThatHelps) {
  const auto blocks = next_blocks(with_next(3));
  ASSERT_EQ(blocks.size(), 3U);
  const auto& table = std::get<report::Table>(blocks[0]);
  EXPECT_EQ(table.rows[1],
            (std::vector<std::string>{"32 nodes", "50 %", "2", "32", "tree or ring: 60 % to 90 % sure"}));
  EXPECT_EQ(table.rows[2][1], "21 %");
  EXPECT_EQ(std::get<report::Paragraph>(blocks[1]).text, "Cheapest that narrows by a tenth: 16 nodes.");
  EXPECT_EQ(next_blocks(with_next(3.9)).size(), 3U) << "then it is 32 nodes";
  EXPECT_TRUE(next_blocks({}).empty());
}

TEST(OverNodes, ShowsThreeSizesAndOffersOthers) {
  Launches machine("allreduce", "tree", 1);
  const auto p = predict_from(fit::fit_runs({machine.on(2), machine.on(8)}, {}, 0.1), to_target);
  const report::Figure figure = over_nodes(p.series.at(0), p.confidence);
  std::vector<std::string> shown;
  for (const report::Plot& plot : figure.plots)
    if (!plot.hidden) shown.push_back(plot.words.at(0) + " " + plot.title);
  ASSERT_EQ(shown.size(), 3U);
  EXPECT_EQ(shown.front(), "time 8 B");
  EXPECT_EQ(shown.back(), "time 32 MiB");
  EXPECT_GT(figure.plots.size(), 6U);
  EXPECT_EQ(figure.lines.at(0).run, "measured");
  EXPECT_EQ(figure.lines.at(1).run, "predicted");
  EXPECT_TRUE(std::ranges::all_of(figure.lines, [](const report::Line& l) {
    return l.style.thin == (l.run != "measured" && l.run != "predicted");
  }));
  EXPECT_NE(figure.plots.front().caption.find("256 nodes: "), std::string::npos);
  EXPECT_TRUE(over_nodes(Series{}, 0.95).plots.empty());
}

}  // namespace
}  // namespace busbar::predict::test
