// SPDX-License-Identifier: Apache-2.0
// Curves, order and output of findings. Tests of rules are in explain/.
#include <set>

#include "core/base/json.hpp"
#include "core/machine/contention.hpp"
#include "core/record/end_record.hpp"
#include "core/record/status.hpp"
#include "reports/explain/curve.hpp"
#include "reports/explain/show.hpp"
#include "reports/explain/verdict.hpp"
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

using busbar::test::share_of;
using busbar::test::Synthetic;
using ::testing::EndsWith;
using ::testing::StartsWith;

// Curves

Curve curve_of(const std::vector<CaseRecord>& cases) {
  Curve curve;
  for (const CaseRecord& c : cases)
    curve.points.push_back({.bytes = c.key.bytes, .time_s = *c.time_s, .interval = c.interval_s, .record = &c});
  return curve;
}

TEST(Curves, FindNothingOddInLatencyPlusBandwidth) {
  for (const double latency_s : {1e-7, 1e-5, 1e-3})
    for (const double bytes_per_s : {1e8, 1e10, 1e12}) {
      const auto cases =
          sweep([=](std::uint64_t bytes) { return latency_s + static_cast<double>(bytes) / bytes_per_s; });
      const Curve curve = curve_of(cases);
      for (std::size_t i = 0; i < curve.points.size(); ++i) {
        EXPECT_FALSE(dip_at(curve, i));
        EXPECT_FALSE(fall_at(curve, i));
        EXPECT_LE(step_at(curve, i).value_or(Excess{}).ratio, 1 + 1e-9);
      }
    }
}

TEST(Curves, CompareADipWithTheLineBetweenItsNeighbours) {
  const auto cases = sweep([](std::uint64_t bytes) { return (bytes == 1024 ? 3 : 1) * 1e-5; });
  const Curve curve = curve_of(cases);
  const auto dip = dip_at(curve, 7);
  ASSERT_TRUE(dip);
  EXPECT_NEAR(dip->ratio, 3, 1e-9);
  EXPECT_FALSE(dip->at_least);
  EXPECT_NEAR(between_neighbours_s(curve, 7), 1e-5, 1e-15);
}

TEST(Curves, UseTheIntervalEndsThatWeakenAFinding) {
  auto cases = sweep([](std::uint64_t bytes) { return (bytes == 1024 ? 3 : 1) * 1e-5; });
  for (CaseRecord& c : cases)
    c.interval_s = Interval{.low = *c.time_s * 0.9, .high = *c.time_s * 1.1, .confidence = 0.95};
  EXPECT_NEAR(*dip_at(curve_of(cases), 7)->at_least, 3 * 0.9 / 1.1, 1e-9);
}

TEST(Curves, IgnoreDistantNeighbours) {
  auto cases = sweep([](std::uint64_t bytes) { return (bytes == 1024 ? 3 : 1) * 1e-5; });
  std::erase_if(cases, [](const CaseRecord& c) { return c.key.bytes > 32 && c.key.bytes < 1024; });
  EXPECT_FALSE(dip_at(curve_of(cases), 3));
}

TEST(Curves, LabelWhatDistinguishesCurves) {
  busbar::Run run = imported_run(smooth_s, smooth_s);
  run.cases.push_back(a_case(8, 1e-6));
  run.cases.back().key.collective = "broadcast";
  run.cases.push_back(run.cases.front());  // the same size twice
  std::set<std::string> labels;
  std::vector<Curve> all = unlabelled_curves(run);
  label_curves(all);
  for (const Curve& curve : all) {
    labels.insert(curve.label);
    EXPECT_EQ(curve.points.size(), curve.label == "broadcast" ? 1U : sizes().size());
  }
  EXPECT_EQ(labels, (std::set<std::string>{"allreduce, in place", "allreduce, out of place", "broadcast"}));
}

// All rules

TEST(Explain, FindsNothingInAQuietRun) {
  busbar::Run run = quiet_run();
  add_gpus(run);
  for (const char* group : {"GPU0<-GPU1", "GPU1<-GPU0"}) {
    CaseRecord copy{.key = {.kind = CaseKind::copy, .collective = "read", .backend = "nvbandwidth", .group = group}};
    copy.algbw_GBps = 400;
    copy.check.state = CheckState::unknown;
    run.cases.push_back(std::move(copy));
  }
  for (const char* ranks : {"0-1", "2-3"}) run.cases[0].groups.push_back({.kind = "rank / 2", .ranks = ranks});
  for (const char* counts : {"even", "linear"}) {
    CaseRecord copy = run.cases.front();
    copy.key.counts = counts;
    run.cases.push_back(std::move(copy));
  }
  run.cases.push_back(run.cases.front());
  run.cases.back().key.algorithm = "ring";
  const Explanation e = look_at(run);
  for (const Found& found : e.found) ADD_FAILURE() << found.rule->name << ": " << text_of(found.finding);
  EXPECT_THAT(e.without_data, IsEmpty());
}

/// Share of noisy sweeps in which a rule for curves finds something, with at least this certainty.
double false_alarms(double sigma, Certainty least, bool rounds) {
  Synthetic random(7);
  const auto noisy = [&](std::uint64_t bytes) { return smooth_s(bytes) * random.lognormal(sigma); };
  return share_of(500, [&] {
    busbar::Run run = rounds ? quiet_run() : imported_run(noisy, noisy);
    if (rounds) run.cases = sweep(smooth_s, [&](CaseRecord& c) { c = in_rounds(c, 20, sigma, random); });
    for (const char* rule : {"dip", "step", "falling_time"})
      for (const Finding& f : apply_rule(rule, run))
        if (f.certainty <= least) return true;
    return false;
  });
}

TEST(Explain, FindsNothingInNoise) {
  EXPECT_EQ(false_alarms(0.05, Certainty::possible, false), 0);
  EXPECT_LE(false_alarms(0.1, Certainty::likely, false), 0.01);
  EXPECT_LE(false_alarms(0.1, Certainty::possible, false), 0.05);
  EXPECT_EQ(false_alarms(0.1, Certainty::possible, true), 0);
  EXPECT_LE(false_alarms(0.3, Certainty::possible, true), 0.05);
}

TEST(Explain, GivesRulesUniqueNamesAndOrders) {
  std::set<std::string_view> names;
  std::set<int> orders;
  for (const Rule* rule : table<Rule>()) {
    EXPECT_TRUE(names.insert(rule->name).second) << rule->name;
    EXPECT_TRUE(orders.insert(rule->order).second) << rule->name << " and another have one place in the order";
    EXPECT_EQ(rule->name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos) << rule->name;
    EXPECT_FALSE(rule->about.empty());
  }
}

TEST(Explain, AcceptsAnEmptyRun) {
  const Explanation e = look_at(busbar::Run{});
  ASSERT_THAT(e.found, SizeIs(1));
  EXPECT_EQ(e.found[0].rule->name, "ended_early");
}

Run with_two_findings() {
  busbar::Run run =
      imported_run([](std::uint64_t bytes) { return smooth_s(bytes) * (bytes == 4096 ? 3 : 1); }, smooth_s);
  run.path = "logs/run.jsonl";
  run.cases.push_back(a_case(8, 1e-6));
  run.cases.back().status = Status::failed;
  run.cases.back().reason = "rank 1:\x1b[2J out\x07 of <b>memory</b>|";
  return run;
}

TEST(Show, ListsRelevantFindingsFirst) {
  const std::vector<busbar::Run> runs{with_two_findings()};
  const auto all = explained(runs);
  ASSERT_THAT(all.at(0).explanation.found, SizeIs(2));
  EXPECT_EQ(all[0].explanation.found[0].rule->name, "failed_cases");
  EXPECT_EQ(all[0].explanation.found[1].rule->name, "dip");
}

TEST(Show, NumbersFindingsAndListsRules) {
  const std::vector<busbar::Run> runs{with_two_findings()};
  const auto all = explained(runs);
  EXPECT_EQ(summary(all.at(0)), "2 findings in 45 cases");
  const auto blocks = blocks_of(all[0].explanation);
  ASSERT_THAT(blocks, SizeIs(3));
  const auto& first = std::get<report::KeyValues>(blocks[0]);
  EXPECT_EQ(first.title, "1. 1 of 45 cases failed");
  EXPECT_EQ(first.rows.at(0), std::pair(std::string("certainty"), std::string("known (rule failed_cases)")));
  EXPECT_EQ(first.rows.at(1).first, "evidence");
  EXPECT_EQ(first.rows.at(2).first, "try");
  EXPECT_EQ(first.rows.back(), std::pair(std::string("where"), std::string("8 B")));
  EXPECT_THAT(std::get<report::Paragraph>(blocks[2]).text,
              HasSubstr("Looked for: ended_early, failed_cases, dip, step, falling_bandwidth, falling_time. The record "
                        "has no data for: "
                        "wrong_data, contended_cpus, throttled_gpus"));
}

TEST(Show, SaysWhereThereAreNoFindings) {
  const std::vector<busbar::Run> runs{imported_run(smooth_s, smooth_s)};
  EXPECT_EQ(summary(explained(runs).at(0)), "no findings in 44 cases");
}

TEST(Show, WritesTheDocumentedKeysAsJson) {
  const std::vector<busbar::Run> runs{with_two_findings()};
  const nlohmann::json j = json_of(explained(runs));
  EXPECT_EQ(j.at("schema"), 1);
  const auto& run = j.at("runs").at(0);
  EXPECT_EQ(run.at("path"), "logs/run.jsonl");
  EXPECT_EQ(run.at("cases"), 45);
  EXPECT_THAT(run.at("looked_for"), SizeIs(6));
  const auto& finding = run.at("findings").at(1);
  EXPECT_EQ(finding.at("rule"), "dip");
  EXPECT_EQ(finding.at("certainty"), "possible");
  EXPECT_EQ(finding.at("where").at("sizes_bytes"), nlohmann::json({4096}));
  EXPECT_EQ(finding.at("where").at("series").at(0), series_name(runs[0].cases[0].key));
  for (const char* key : {"title", "evidence", "try"}) EXPECT_FALSE(finding.at(key).empty()) << key;
}

TEST(Verdict, SaysWhetherASweepLooksNormal) {
  const busbar::Run run = quiet_run();
  EXPECT_THAT(*verdict(run, {}), StartsWith("allreduce: 20 us at 8 B, busbw up to "));
  EXPECT_THAT(*verdict(run, {}), HasSubstr(" % of what the network between nodes allows: "));
  EXPECT_THAT(*verdict(run, {}), EndsWith(": nothing suspicious; no earlier launches to compare with"));
  EXPECT_THAT(*verdict(run, OverEarlier{.ratio = 1.02, .launches = 12}),
              EndsWith(": as expected, like 12 earlier launches (ratio 1.02)"));
}

Contention contended() {
  Usage usage;
  usage.wall_s = usage.cpu_s = 1;
  usage.waited_s = 0.3;
  return contention_in_case({&usage, 1}, 1);
}

TEST(Verdict, GivesTheReasonForASuspicion) {
  busbar::Run run = quiet_run();
  EXPECT_THAT(*verdict(run, OverEarlier{.ratio = 2, .launches = 12}),
              EndsWith(": suspicious: 2.00x the time of 12 earlier launches"));
  run.cases[8].time_s = *run.cases[8].time_s * 3;
  run.cases[8].interval_s->low *= 3;
  run.cases[8].interval_s->high *= 3;
  EXPECT_THAT(*verdict(run, {}), HasSubstr(": suspicious: allreduce"));
  for (std::size_t i = 0; i < 4; ++i) run.cases[i].contention = contended();
  EXPECT_THAT(*verdict(run, {}), HasSubstr(": suspicious: CPUs were contended in 4 of 22 cases ("));
  run.cases[0].status = Status::failed;  // comes before what slowed the others down
  EXPECT_THAT(*verdict(run, {}), HasSubstr(": suspicious: 1 of 22 cases failed"));
}

TEST(Verdict, SaysWhatWorkHides) {
  busbar::Run run = quiet_run();
  run.cases.resize(2);
  for (CaseRecord& c : run.cases) {
    c.key.bytes = 4 << 20;
    c.key.form = "nonblocking";
    c.key.work = 100;
    c.overlap = Overlap{.hidden = 0.125};
  }
  run.cases[0].key.progress = "library";
  run.cases[1].key.progress = "poll";
  run.cases[1].overlap = Overlap{.hidden = 0.5, .hidden_interval = Interval{.low = 0.25, .high = 0.75}};
  EXPECT_THAT(*verdict(run, {}),
              StartsWith("of a 4 MiB allreduce, work of 100 % of its time hides 12 % with the library "
                         "alone, 50 % (25 to 75) with polling: "));
}

TEST(Verdict, NeedsOneSweepOverSizes) {
  busbar::Run run = quiet_run();
  run.cases[1].key.in_place = true;
  EXPECT_EQ(verdict(run, {}), std::nullopt);
  run.cases.resize(1);
  EXPECT_EQ(verdict(run, {}), std::nullopt);
}

}  // namespace
}  // namespace busbar::explain::test
