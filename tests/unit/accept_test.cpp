// SPDX-License-Identifier: Apache-2.0
#include "reports/accept/accept.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/json.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"
#include "reports/accept/outputs.hpp"
#include "reports/accept/similarity.hpp"
#include "tests/unit/catch_error.hpp"

namespace {

using namespace busbar;
using accept::Acceptance, accept::Outcome, accept::Profile, accept::Rule;
using ::testing::ElementsAre, ::testing::HasSubstr;

constexpr std::uint64_t MiB = 1 << 20;

/// An allreduce of 64 MiB at this busbw, on good conditions.
CaseRecord a_case(double busbw_GBps, int nodes = 2) {
  CaseRecord c{.key = {.collective = "allreduce",
                       .backend = "nccl",
                       .memory = "device",
                       .bytes = 64 * MiB,
                       .in_place = false,
                       .ranks = 8 * nodes,
                       .nodes = nodes}};
  const double factor = 2.0 * (8 * nodes - 1) / (8 * nodes);
  set_bandwidth(c, 64 * MiB * factor / (busbw_GBps * 1e9), factor);
  c.interval_s = Interval{.low = *c.time_s * 0.99, .high = *c.time_s * 1.01, .confidence = 0.95};
  c.check.state = CheckState::passed;
  return c;
}

busbar::Run a_run(std::vector<CaseRecord> cases, const std::vector<std::string>& hosts = {"n1", "n2"}) {
  static int number = 0;
  const std::string id = "run-" + std::to_string(++number);
  busbar::Run run{.path = id + ".jsonl", .head = {.id = id, .ranks = 16}, .cases = std::move(cases)};
  for (const std::string& name : hosts) run.head.hosts.push_back(Host{.name = name});
  run.end = EndRecord{.status = EndStatus::ok};
  return run;
}

Profile at_least(double busbw_GBps) {
  return {
      .name = "test",
      .sources = {"made up"},
      .rules = {{.name = "bandwidth", .collective = "allreduce", .least_bytes = MiB, .least_busbw_GBps = busbw_GBps}}};
}

Outcome outcome_of(const Profile& profile, const std::vector<busbar::Run>& runs) {
  return accept::accept_runs(profile, runs, {}).outcome();
}

/// The text of the first limit with this outcome.
std::string text_of(const Profile& profile, const std::vector<busbar::Run>& runs, Outcome outcome) {
  const Acceptance a = accept::accept_runs(profile, runs, {});
  const auto at = std::ranges::find(a.limits, outcome, &accept::CheckedLimit::outcome);
  return at == a.limits.end() ? "none" : at->text;
}

TEST(Accept, PassesFiguresAboveTheLimitAndFailsThoseBelow) {
  EXPECT_EQ(outcome_of(at_least(300), {a_run({a_case(350)})}), Outcome::pass);
  EXPECT_EQ(outcome_of(at_least(300), {a_run({a_case(250)})}), Outcome::fail);
  EXPECT_EQ(text_of(at_least(300), {a_run({a_case(250)})}, Outcome::fail), "busbw 250 GB/s, at least 300");
}

TEST(Accept, CannotTellIfTheIntervalContainsTheLimit) {
  EXPECT_EQ(outcome_of(at_least(300), {a_run({a_case(301)})}), Outcome::unknown);
  EXPECT_THAT(text_of(at_least(300), {a_run({a_case(299)})}, Outcome::unknown), HasSubstr("contains the limit"));
}

TEST(Accept, CannotTellByDisturbedFigures) {
  busbar::Run run = a_run({a_case(50)});
  run.cases[0].contention = Contention{.reasons = {"runnable but not running 53 % of the time"}};
  EXPECT_EQ(outcome_of(at_least(300), {run}), Outcome::unknown);
  EXPECT_EQ(text_of(at_least(300), {run}, Outcome::unknown), "grade D (contention): measure again");
}

TEST(Accept, FailsWrongData) {
  busbar::Run run = a_run({a_case(350)});
  run.cases[0].status = Status::failed;
  run.cases[0].check.state = CheckState::failed;
  EXPECT_EQ(outcome_of(at_least(300), {run}), Outcome::fail);
}

TEST(Accept, CannotTellWithoutCheckedDataUnlessTheProfileAllowsIt) {
  busbar::Run run = a_run({a_case(350)});
  run.cases[0].check.state = CheckState::off;
  EXPECT_EQ(outcome_of(at_least(300), {run}), Outcome::unknown);
  Profile lax = at_least(300);
  lax.checked = false;
  EXPECT_EQ(outcome_of(lax, {run}), Outcome::pass);
}

TEST(Accept, CannotTellWithoutAMatchingCase) {
  CaseRecord other = a_case(350);
  other.key.collective = "alltoall";
  EXPECT_EQ(outcome_of(at_least(300), {a_run({other})}), Outcome::unknown);
  EXPECT_EQ(outcome_of(at_least(300), {}), Outcome::unknown);
}

TEST(Accept, FailsRunsThatDidNotEnd) {
  busbar::Run killed = a_run({a_case(350)}), aborted = a_run({a_case(350)});
  killed.end.reset();
  aborted.end->status = EndStatus::aborted;
  aborted.end->reason = "launch failed";
  EXPECT_EQ(text_of(at_least(300), {killed}, Outcome::fail), "it has no end: it was killed");
  EXPECT_EQ(text_of(at_least(300), {aborted}, Outcome::fail), "aborted: launch failed");
}

TEST(Accept, SkippedCasesCannotBeTold) {
  busbar::Run run = a_run({a_case(350)});
  run.cases[0].status = Status::skipped;
  run.cases[0].time_s.reset();
  EXPECT_EQ(outcome_of(at_least(300), {run}), Outcome::unknown);
}

TEST(Accept, ChecksTimesSharesAndEfficiency) {
  Profile latency{.name = "t", .rules = {{.name = "latency", .most_time_us = 500}}};
  EXPECT_EQ(outcome_of(latency, {a_run({a_case(350)})}), Outcome::pass);
  latency.rules[0].most_time_us = 300;
  EXPECT_EQ(outcome_of(latency, {a_run({a_case(350)})}), Outcome::fail);
  const Profile share{.name = "t", .rules = {{.name = "share", .least_share_of_ceiling = 0.8}}};
  const auto line_rate = expected::parse_line_rate("8x400Gb/s");
  const auto with_rate = [&](double busbw) {
    return accept::accept_runs(share, {a_run({a_case(busbw)})}, {.line_rate = line_rate, .known = {}}).outcome();
  };
  EXPECT_EQ(with_rate(360), Outcome::pass);
  EXPECT_EQ(with_rate(200), Outcome::fail);
  EXPECT_EQ(accept::accept_runs(share, {a_run({a_case(360)})}, {}).outcome(), Outcome::unknown);
}

/// Held against the median of three public results, 300 GB/s.
TEST(Accept, ChecksTheShareOfWhatOthersGot) {
  expected::KnownSource source{.title = "a page", .url = "https://example.org"};
  for (const double busbw : {200.0, 300.0, 400.0})
    source.results.push_back(
        {.device = "H100-SXM5-80GB",
         .nodes = 2,
         .ranks = 16,
         .rows = {{.collective = "allreduce", .bytes = 64 * MiB, .busbw_GBps = busbw, .line = "a line"}}});
  const Profile profile{.name = "t", .rules = {{.name = "as others", .least_share_of_others = 0.8}}};
  const auto outcome = [&](double busbw, const std::string& gpu) {
    busbar::Run run = a_run({a_case(busbw)});
    for (Host& host : run.head.hosts) host.gpus = {Gpu{.name = gpu}};
    return accept::accept_runs(profile, {run}, {.line_rate = {}, .known = {source}}).outcome();
  };
  EXPECT_EQ(outcome(260, "NVIDIA H100 80GB HBM3"), Outcome::pass);
  EXPECT_EQ(outcome(220, "NVIDIA H100 80GB HBM3"), Outcome::fail);
  EXPECT_EQ(outcome(260, "NVIDIA L4"), Outcome::unknown);
}

TEST(Accept, FailsASpreadBetweenLaunches) {
  const Profile spread{.name = "t", .rules = {{.name = "spread", .most_spread = 1.1}}};
  EXPECT_EQ(outcome_of(spread, {a_run({a_case(350)}), a_run({a_case(352)}), a_run({a_case(345)})}), Outcome::pass);
  EXPECT_EQ(outcome_of(spread, {a_run({a_case(350)}), a_run({a_case(352)}), a_run({a_case(280)})}), Outcome::fail);
  EXPECT_EQ(outcome_of(spread, {a_run({a_case(350)}), a_run({a_case(352)})}), Outcome::unknown);
}

std::vector<std::string> taken_out(const std::vector<busbar::Run>& runs) {
  std::vector<std::string> names;
  for (const accept::SlowNode& node : accept::slow_nodes(runs)) names.push_back(node.name);
  return names;
}

TEST(Accept, NamesASlowHostOfAFleetAndNoOther) {
  std::vector<busbar::Run> runs;
  for (int i = 0; i < 8; ++i) runs.push_back(a_run({a_case(i == 5 ? 240 : 350 + i, 1)}, {"n" + std::to_string(i)}));
  EXPECT_THAT(taken_out(runs), ElementsAre("n5"));
  EXPECT_EQ(outcome_of(at_least(100), runs), Outcome::fail);
  runs.erase(runs.begin() + 5);
  EXPECT_THAT(taken_out(runs), ElementsAre());
}

TEST(Accept, NamesASlowHostByRunsOnPairs) {
  std::vector<busbar::Run> runs;
  for (int i = 0; i < 5; ++i)
    for (int j = i + 1; j < 5; ++j)
      runs.push_back(a_run({a_case(i == 3 || j == 3 ? 100 : 180)}, {"n" + std::to_string(i), "n" + std::to_string(j)}));
  EXPECT_THAT(taken_out(runs), ElementsAre("n3"));
}

TEST(Accept, ASlowPairIsNoSlowHost) {
  std::vector<busbar::Run> runs;
  for (int i = 0; i < 5; ++i)
    for (int j = i + 1; j < 5; ++j)
      runs.push_back(a_run({a_case(i == 1 && j == 3 ? 90 : 180)}, {"n" + std::to_string(i), "n" + std::to_string(j)}));
  EXPECT_THAT(taken_out(runs), ElementsAre());
}

TEST(Accept, NamesASlowHostOfAPairsRun) {
  std::vector<CaseRecord> cases;
  for (int i = 0; i < 4; ++i) {
    for (int j = i + 1; j < 4; ++j) {
      CaseRecord c = a_case(i == 2 || j == 2 ? 10 : 24);
      c.key.kind = CaseKind::pair;
      c.key.collective = "sendrecv";
      c.key.group = "n" + std::to_string(i) + "<->n" + std::to_string(j);
      cases.push_back(c);
    }
  }
  EXPECT_THAT(taken_out({a_run(cases)}), ElementsAre("n2"));
}

TEST(Accept, NamesHostsOfLateAndSlowRanks) {
  busbar::Run run = a_run({a_case(350)}, {"n1", "n2"});
  run.cases[0].arrival = Arrival{.late = {LateRank{.rank = 9, .host = "n2", .last_share = 0.9, .behind_s = 1e-4}}};
  EXPECT_THAT(taken_out({run}), ElementsAre("n2"));
  run.head.clock = ClockFacts{.method = "HCA3", .residual_s = 9e-5, .uncertainty_s = 2e-5};
  EXPECT_THAT(taken_out({run}), ElementsAre()) << "the clocks may differ by as much";
  run.head.clock.reset();
  for (int i = 0; i < 4; ++i) {
    run.cases.push_back(a_case(350));
    run.cases.back().arrival = Arrival{};
  }
  EXPECT_THAT(taken_out({run}), ElementsAre()) << "once in five cases is chance";
  run.cases.pop_back();
  EXPECT_THAT(taken_out({run}), ElementsAre("n2"));
  run.head.hosts.pop_back();
  EXPECT_THAT(taken_out({run}), ElementsAre()) << "one host has no other to compare with";
}

// Learning

TEST(Similarity, IsOneForEqualAndHalfForTwiceAsLong) {
  const std::vector<double> one{1, 1.1, 1.2}, two{2, 2.2, 2.4};
  EXPECT_DOUBLE_EQ(accept::similarity(one, one, false), 1);
  EXPECT_NEAR(accept::similarity(one, two, false), 0.5, 1e-9);
  EXPECT_NEAR(accept::similarity(one, two, true), 0.5, 1e-9);
  EXPECT_DOUBLE_EQ(accept::similarity(two, one, true), 1) << "faster is no defect";
}

std::vector<busbar::Run> fleet(int slow) {
  std::vector<busbar::Run> runs;
  for (int i = 0; i < 8; ++i) runs.push_back(a_run({a_case(i == slow ? 280 : 350 + i, 1)}, {"n" + std::to_string(i)}));
  return runs;
}

TEST(Learning, LeavesOutTheOutlierOfItsFleet) {
  const accept::Learning learning = accept::learn_profile(fleet(6), "fleet");
  ASSERT_EQ(learning.profile.learned.size(), 1U);
  EXPECT_EQ(learning.profile.learned[0].launches, 7);
  ASSERT_EQ(learning.left_out.size(), 1U);
  EXPECT_EQ(learning.left_out[0].hosts, "n6");
}

TEST(Learning, TheProfileRejectsASlowerNodeAndSurvivesItsFile) {
  const accept::Learning learning = accept::learn_profile(fleet(-1), "fleet");
  const Profile read = accept::parse_profile(accept::json_of(learning.profile).dump(), "fleet.json");
  EXPECT_EQ(outcome_of(read, {a_run({a_case(350, 1)}, {"n9"})}), Outcome::pass);
  EXPECT_EQ(outcome_of(read, {a_run({a_case(400, 1)}, {"n9"})}), Outcome::pass);
  EXPECT_EQ(outcome_of(read, {a_run({a_case(310, 1)}, {"n9"})}), Outcome::fail);
  EXPECT_EQ(outcome_of(read, {a_run({a_case(350, 2)})}), Outcome::unknown) << "not measured";
}

TEST(Learning, LearnsNothingFromUnlikeLaunches) {
  std::vector<busbar::Run> runs;
  for (const double busbw : {100, 130, 170, 220}) runs.push_back(a_run({a_case(busbw, 1)}, {"n"}));
  const accept::Learning learning = accept::learn_profile(runs, "fleet");
  EXPECT_TRUE(learning.profile.learned.empty());
  EXPECT_EQ(learning.unlike.size(), 1U);
}

// Files and outputs

std::string error_in(const std::string& rules) {
  return test::catch_error([&] {
    (void)accept::parse_profile(
        R"({"format": "busbar acceptance profile", "version": 1, "name": "t", "rules": [)" + rules + "]}", "p.json");
  });
}

TEST(ProfileFile, NamesWhatIsWrong) {
  EXPECT_EQ(
      error_in(R"({"name": "a", "least_busbw": 3})"),
      "p.json: rules[0]: unknown key least_busbw; known: name, collective, backend, memory, least_size, most_size, "
      "least_nodes, most_nodes, in_place, least_busbw_GBps, most_time_us, least_share_of_ceiling, "
      "least_share_of_others, least_efficiency, most_spread");
  EXPECT_EQ(error_in(R"({"name": "a"})"), "p.json: rules[0] has no limit");
  EXPECT_EQ(error_in(R"({"most_spread": 2})"), "p.json: rules[0] has no name");
  EXPECT_EQ(error_in(R"({"name": "a", "most_spread": -2})"), "p.json: rules[0]: a limit is not a positive number");
  EXPECT_EQ(error_in(""), "p.json: the profile has neither rules nor learned cases");
}

TEST(AcceptOutputs, SayTheVerdictFirst) {
  const std::vector<busbar::Run> runs = fleet(2);
  const Acceptance a = accept::accept_runs(at_least(300), runs, {});
  EXPECT_EQ(accept::verdict(a), "FAIL: 1 of 16 limits missed; take out n2");
  EXPECT_EQ(accept::to_json(a, at_least(300)).at("outcome"), "fail");
  EXPECT_THAT(accept::junit(a), HasSubstr("<testsuites name=\"busbar accept\" tests=\"17\" failures=\"2\""));
  EXPECT_EQ(accept::verdict(accept::accept_runs(at_least(200), fleet(-1), {})), "PASS: all 16 limits met");
}

}  // namespace
