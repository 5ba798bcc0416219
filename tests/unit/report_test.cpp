// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/files/sha256.hpp"
#include "core/record/arrival.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/compare/pooled.hpp"
#include "reports/document/charts.hpp"
#include "reports/drawing/chart_data.hpp"
#include "reports/drawing/chart_spec.hpp"
#include "reports/drawing/plot_spec.hpp"
#include "reports/drawing/render.hpp"
#include "reports/runs/experiments.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::report::test {
namespace {

using Json = nlohmann::json;

CaseRecord one_case(std::uint64_t bytes, double time_s, std::string type = "fp32", int ranks = 2) {
  CaseRecord c{.key = {.collective = "allreduce",
                       .backend = "mpi",
                       .type = std::move(type),
                       .bytes = bytes,
                       .in_place = false,
                       .ranks = ranks,
                       .nodes = 1}};
  set_bandwidth(c, time_s, 1.0);
  return c;
}

Run one_run(const std::string& path, std::vector<CaseRecord> cases) {
  Run run;
  run.path = path;
  run.cases = std::move(cases);
  return run;
}

Run sweep(const std::string& path, int ranks = 2) {
  return one_run(path, {one_case(8, 1e-6, "fp32", ranks), one_case(1024, 2e-6, "fp32", ranks)});
}

// Escaping

TEST(Escape, EscapesHtml) {
  EXPECT_EQ(escape_html("</script><img onerror=\"x\" a='b'>&"),
            "&lt;/script&gt;&lt;img onerror=&quot;x&quot; a=&#39;b&#39;&gt;&amp;");
  EXPECT_EQ(escape_html(std::string_view("a\0b\x1b", 4)), "a\uFFFDb\uFFFD");
  EXPECT_EQ(escape_html("Zürich 東"), "Zürich 東");
}

TEST(Escape, EscapesJsonInAScript) {
  const Json j = {{"a", "</script><!--<b>&'\"\\ \u2028\u2029 ü"}};
  const std::string text = script_json(j);
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos) << text;
  EXPECT_EQ(text.find("\u2028"), std::string::npos);
  EXPECT_EQ(text.find("\u2029"), std::string::npos);
  EXPECT_EQ(Json::parse(text), j);
}

TEST(Escape, KeepsScriptsInsideTheirElement) {
  EXPECT_EQ(script_text("a='</script>';b='</ScRiPt';c='<!--'\r\n"), "a='<\\/script>';b='<\\/ScRiPt';c='\\x3c!--'\n");
}

TEST(Escape, EscapesMarkdownCells) { EXPECT_EQ(escape_markdown("a|b\n<i>*c*\\`"), "a\\|b &lt;i&gt;\\*c\\*\\\\\\`"); }

TEST(Sha256, MatchesKnownDigests) {
  EXPECT_EQ(csp_hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(csp_hash("abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  EXPECT_EQ(csp_hash(std::string(1000, 'a')), "sha256-Qe3s5C1j6Nm/UVqbppMuHCDLyfWl0TRkWttdsblzfqM=");
}

// Names

TEST(RunNames, AreUniqueAndMarkImportedRuns) {
  std::vector<busbar::Run> runs{sweep("n2/a.jsonl"), sweep("n8/a.jsonl"), sweep("n8/a.jsonl"), sweep("n8/b.jsonl")};
  runs[3].head.origin = Origin::imported;
  EXPECT_EQ(run_names(runs), (std::vector<std::string>{"n2/a", "n8/a", "n8/a #2", "b (imported)"}));
}

TEST(RunNames, CutLongLabels) {
  auto run = sweep("a.jsonl");
  run.head.labels["note"] = std::string(500'000, '<');
  EXPECT_EQ(run_names({run}), std::vector<std::string>{"note=" + std::string(115, '<') + "..."});
  EXPECT_LT(render_html(make_document("t", {run}), "").size(), 4 * 500'000U) << "the label stands in it more than once";
}

TEST(Text, FormatsTimes) {
  EXPECT_EQ(time_rule({.rank_rule = RankRule::slowest, .statistic = Statistic::median_of_rounds}),
            "median over rounds of the medians of their samples, slowest rank of each");
  EXPECT_EQ(time_rule({.rank_rule = RankRule::slowest, .statistic = Statistic::median}),
            "median over iterations, the slowest rank of each");
  EXPECT_EQ(time_rule({}), "unknown");
}

TEST(Text, CutsLists) {
  const std::vector<std::string> names{"a", "b", "c", "d", "e"};
  EXPECT_EQ(list(names, 5), "a, b, c, d, e");
  EXPECT_EQ(list(names, 4), "a, b, c and 2 more");
}

// Charts

TEST(Charts, DrawOneLinePerRunWithoutSizeZero) {
  const auto charts = make_charts({sweep("a.jsonl"), one_run("b.jsonl", {one_case(0, 1e-6), one_case(8, 1e-6)})});
  ASSERT_EQ(charts.size(), 1U);
  ASSERT_EQ(charts[0].lines.size(), 2U);
  EXPECT_EQ(charts[0].lines[0].run, "a");
  EXPECT_EQ(charts[0].lines[1].run, "b");
  EXPECT_NE(charts[0].lines[0].style.colour, charts[0].lines[1].style.colour);
  EXPECT_NE(charts[0].lines[0].style.shape, charts[0].lines[1].style.shape);
  EXPECT_EQ(charts[0].points.size(), 3U);
  for (const ChartPoint& point : charts[0].points) EXPECT_GT(point.bytes, 0U);
}

TEST(Charts, DrawEachSeriesOfARun) {
  const auto charts = make_charts({one_run("a.jsonl", {one_case(8, 1e-6, "fp32"), one_case(8, 1e-6, "fp64")})});
  ASSERT_EQ(charts.at(0).lines.size(), 2U);
  EXPECT_EQ(charts[0].lines[0].series, "fp32");
  EXPECT_EQ(charts[0].lines[1].series, "fp64");
  EXPECT_NE(charts[0].lines[0].style.colour, charts[0].lines[1].style.colour);
}

TEST(Charts, NameDifferencesBesideRuns) {
  const auto charts = make_charts({sweep("a.jsonl", 2), sweep("b.jsonl", 4)});
  EXPECT_EQ(charts.at(0).lines.at(0).run, "a, 2 ranks on 1 node");
  EXPECT_EQ(charts[0].lines.at(1).run, "b, 4 ranks on 1 node");
}

TEST(Charts, SplitManyRunsByScaleWithTheSameAxes) {
  std::vector<busbar::Run> runs;
  for (int i = 0; i < 12; ++i) runs.push_back(sweep("run" + std::to_string(i) + ".jsonl", i < 6 ? 2 : 4));
  runs.back().cases.push_back(one_case(1 << 20, 1e-3, "fp32", 4));
  const auto charts = make_charts(runs);
  ASSERT_EQ(charts.size(), 2U);
  EXPECT_EQ(charts[0].title, "allreduce: 2 ranks on 1 node");
  EXPECT_EQ(charts[1].title, "allreduce: 4 ranks on 1 node");
  EXPECT_EQ(charts[0].lines.size(), 6U);
  EXPECT_EQ(charts[0].bytes.high, 1 << 20);
  EXPECT_EQ(charts[0].bytes.high, charts[1].bytes.high);
}

TEST(Charts, KeepManyRunsOfOneScaleTogether) {
  std::vector<busbar::Run> runs;
  for (int i = 0; i < 12; ++i) runs.push_back(sweep("run" + std::to_string(i) + ".jsonl", i + 2));
  const auto charts = make_charts(runs);
  ASSERT_EQ(charts.size(), 1U);
  EXPECT_EQ(charts[0].lines.size(), 12U);
}

TEST(Charts, OmitFailedAndSkippedCases) {
  CaseRecord failed = one_case(8, 1e-6);
  failed.status = Status::failed;
  EXPECT_TRUE(make_charts({one_run("a.jsonl", {failed})}).empty());
}

TEST(Charts, DrawTheTimeOfZeroBandwidth) {
  CaseRecord c = one_case(8, 1e-6);
  c.busbw_GBps = 0;  // one rank: the factor is 0
  const auto charts = make_charts({one_run("a.jsonl", {c})});
  EXPECT_FALSE(has_points(charts.at(0), Quantity::busbw));
  EXPECT_TRUE(has_points(charts[0], Quantity::time));
  EXPECT_EQ(figures(charts[0]).size(), 1U);
}

TEST(Charts, DrawAlgorithmBandwidthWithoutBusBandwidth) {
  CaseRecord c = one_case(8, 1e-6);
  c.key.kind = CaseKind::pair;
  c.key.collective = "pingpong";
  c.busbw_GBps.reset();
  c.bus_factor.reset();
  EXPECT_EQ(bus_bandwidth(c), "-");
  const auto charts = make_charts({one_run("a.jsonl", {c})});
  EXPECT_EQ(charts.at(0).title, "pair pingpong");
  const auto tables = figures(charts[0]);
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].title, "pair pingpong: algbw (GB/s)");
}

/// One run: the first size has an interval, the second has none.
std::vector<busbar::Run> half_with_interval() {
  busbar::Run run = sweep("a.jsonl");
  run.cases[0].busbw_GBps = 0.5 * *run.cases[0].algbw_GBps;
  run.cases[0].bus_factor = 0.5;
  run.cases[0].interval_s = Interval{.low = 0.8e-6, .high = 1.6e-6, .confidence = 0.95};
  return {run};
}

TEST(Charts, ConvertIntervalsOfTimeToBands) {
  const Charts charts = make_charts(half_with_interval()).at(0);
  const auto time = band_of(charts.points.at(0), Quantity::time);
  ASSERT_TRUE(time);
  EXPECT_DOUBLE_EQ(time->low, 0.8e-6);
  EXPECT_DOUBLE_EQ(time->high, 1.6e-6);
  const auto algbw = band_of(charts.points[0], Quantity::algbw);
  EXPECT_DOUBLE_EQ(algbw.value().low, 8 / 1.6e-6 * 1e-9);
  EXPECT_DOUBLE_EQ(algbw.value().high, 8 / 0.8e-6 * 1e-9);
  EXPECT_DOUBLE_EQ(band_of(charts.points[0], Quantity::busbw).value().high, algbw->high / 2);
  EXPECT_FALSE(band_of(charts.points.at(1), Quantity::time));
  EXPECT_DOUBLE_EQ(charts.values[static_cast<std::size_t>(Quantity::time)].low, 0.8e-6);  // the axis has room for it
}

TEST(Charts, DrawNoBandThatReachesZero) {
  ChartPoint point{.bytes = 8, .time_s = 1e-6, .algbw_GBps = 0.008, .interval_s = Interval{.low = 0, .high = 2e-6}};
  EXPECT_FALSE(band_of(point, Quantity::time));
  EXPECT_FALSE(band_of(point, Quantity::algbw));
}

TEST(Charts, SeparateSimulatedRuns) {
  std::vector<busbar::Run> runs{sweep("a.jsonl"), sweep("b.jsonl")};
  runs[1].head.origin = Origin::simulated;
  const auto charts = make_charts(runs);
  ASSERT_EQ(charts.size(), 2U);
  EXPECT_EQ(charts[0].title, "allreduce");
  EXPECT_EQ(charts[1].title, "allreduce, simulated");
  EXPECT_EQ(charts[1].lines.at(0).run, "b (simulated)");
}

TEST(ChartSpec, PutsBandsBehindLines) {
  const Charts with = make_charts(half_with_interval()).at(0), without = make_charts({sweep("a.jsonl")}).at(0);
  EXPECT_EQ(chart_spec(without, Quantity::time)["layer"].size(), 3U);
  const Json spec = chart_spec(with, Quantity::time);
  ASSERT_EQ(spec["layer"].size(), 5U);
  EXPECT_EQ(spec["layer"][4]["name"], "labels");
  EXPECT_EQ(spec["layer"][0]["mark"]["type"], "area");
  EXPECT_EQ(spec["layer"][0]["encoding"]["y2"]["field"], "time_high");
  const Json points = chart_data(with)["points"];
  EXPECT_DOUBLE_EQ(points[0]["confidence"], 0.95);
  EXPECT_DOUBLE_EQ(points[0]["time_low"], 0.8e-6);
  EXPECT_FALSE(points[1].contains("time_low"));
}

TEST(ChartColumns, LeaveOutWhatThePageCanTell) {
  const Charts charts = make_charts({sweep("a.jsonl")}).at(0);
  const Json columns = point_columns(charts);
  EXPECT_EQ(columns["line"], Json({0, 0}));
  EXPECT_EQ(columns["bytes"], Json({8, 1024}));
  EXPECT_EQ(columns["factor"], 1);
  EXPECT_TRUE(columns["p99"].is_null());
  for (const auto* name : {"size", "algbw", "busbw", "time_low"}) EXPECT_FALSE(columns.contains(name)) << name;
  EXPECT_EQ(size_texts(charts), Json({{"8", "8 B"}, {"1024", "1 KiB"}}));
}

TEST(ChartColumns, HaveBandwidthsThatDoNotFollowFromTheTime) {
  busbar::Run run = sweep("a.jsonl");
  run.cases[1].algbw_GBps = 0.51;
  const Json columns = point_columns(make_charts({run}).at(0));
  EXPECT_FALSE(columns.contains("factor"));
  EXPECT_EQ(columns["algbw"], Json({0.008, 0.51}));
  EXPECT_EQ(columns["busbw"], Json({0.008, 0.512}));
}

TEST(ChartColumns, HaveIntervalsOfThePointsThatHaveOne) {
  const Json columns = point_columns(make_charts(half_with_interval()).at(0));
  EXPECT_EQ(columns["time_low"], Json({0.8e-6, nullptr}));
  EXPECT_EQ(columns["confidence"], Json({0.95, nullptr}));
}

TEST(ChartSpec, HasLogarithmicAxesAboveZero) {
  const auto charts = make_charts({sweep("a.jsonl"), sweep("b.jsonl")});
  for (const Quantity q : quantities) {
    const Json spec = chart_spec(charts.at(0), q);
    for (const auto* axis : {"x", "y"}) {
      const Json& scale = spec["encoding"][axis]["scale"];
      EXPECT_EQ(scale["type"], "log");
      EXPECT_GT(scale["domain"][0].get<double>(), 0) << name(q) << axis;
      EXPECT_LT(scale["domain"][0].get<double>(), scale["domain"][1].get<double>());
    }
  }
  const Json data = chart_data(charts[0]);
  EXPECT_EQ(data["lines"].size(), 2U);
  EXPECT_EQ(data["points"].size(), 4U);
  EXPECT_EQ(data["points"][1]["bytes"], 1024);
  EXPECT_EQ(data["points"][1]["time"], 2e-6);
  EXPECT_TRUE(data["points"][1]["p99"].is_null());
}

TEST(Ticks, PutSizesAtPowersOfTwo) {
  const Ticks few = size_ticks({8, 64});
  EXPECT_EQ(few.labels, (std::vector<std::string>{"8 B", "16 B", "32 B", "64 B"}));
  const Ticks many = size_ticks({4, 1 << 30});
  EXPECT_EQ(many.labels, (std::vector<std::string>{"1 KiB", "1 MiB", "1 GiB"}));
  EXPECT_EQ(many.values.front(), 1024);
  EXPECT_EQ(many.minor.size(), 26U);
  EXPECT_EQ(many.minor.front(), 4);
  EXPECT_EQ(size_ticks({4, 1 << 22}).labels, (std::vector<std::string>{"32 B", "1 KiB", "32 KiB", "1 MiB"}));
  EXPECT_EQ(size_ticks({1000, 1000}).labels, (std::vector<std::string>{"1000 B"}));
}

TEST(Ticks, PutValuesAtDecadesOrFiner) {
  EXPECT_EQ(value_ticks({1e-6, 1e-2}, Quantity::time).labels,
            (std::vector<std::string>{"1 us", "10 us", "100 us", "1 ms", "10 ms"}));
  EXPECT_EQ(value_ticks({1, 9}, Quantity::busbw).labels, (std::vector<std::string>{"1", "2", "5", "10"}));
  EXPECT_TRUE(value_ticks({0, 0}, Quantity::busbw).values.empty());
}

// Documents

TEST(Document, OmitsEmptySections) {
  const Document document = make_document("t", {sweep("a.jsonl")});
  EXPECT_EQ(document.summary, "1 run that did not finish, 2 cases (0 skipped, 0 failed)");
  for (const Chapter& chapter : document.chapters) EXPECT_FALSE(chapter.blocks.empty()) << chapter.name;
}

const Table& cases_table(const Document& document) {
  for (const Chapter& chapter : document.chapters)
    if (chapter.name == "cases") return std::get<Table>(chapter.blocks.at(0));
  throw std::out_of_range("no chapter of cases");
}

TEST(Document, PassesOptionsToSections) {
  CaseRecord c = one_case(1 << 20, 1e-3);
  c.key.nodes = 2;
  c.key.ranks_per_node = 1;
  const std::vector runs{one_run("a.jsonl", {c})};
  const auto has_it = [](const Document& d) {
    return std::ranges::any_of(d.chapters, [](const Chapter& chapter) { return chapter.name == "expected"; });
  };
  EXPECT_FALSE(has_it(make_document("t", runs)));
  EXPECT_TRUE(has_it(make_document("t", runs, {.line_rate = expected::LineRate{.GBps = 25, .text = "25GB/s"}})));
}

TEST(Document, PutsRemarksBesideTheirCase) {
  busbar::Run run = sweep("a.jsonl");
  CaseRecord& c = run.cases[0];
  c.interval_s = Interval{.low = 0.99e-6, .high = 1.01e-6, .confidence = 0.95};
  c.calls_per_sample = 8;
  c.samples_taken = 50;
  c.invalid_samples = 2;
  c.contention = Contention{.reasons = {"runnable but not running 12 % of the time", "something else"}};
  c.remarks = {"times rose by 6 % from the first round to the last"};
  c.arrival = Arrival{.late = {{.rank = 1, .host = "b", .cpus = "3", .last_share = 0.9, .behind_s = 2e-6}}};
  const Document document = make_document("t", {run});
  const Table& table = cases_table(document);
  ASSERT_EQ(table.columns.back().title, "remarks");
  EXPECT_EQ(table.columns[3].title, "+-%");
  EXPECT_EQ(table.rows.at(0)[3], "1.0");
  EXPECT_EQ(
      table.rows[0].back(),
      "Contended: runnable but not running 12 % of the time; something else. Late: rank 1 (b, CPU 3) starts last in 90 "
      "% of "
      "the "
      "samples, 2 us after the first. Times rose by 6 % from the first round to the last. 2 of 52 samples missed their "
      "window and were left out. 8 calls timed as one.");
  EXPECT_EQ(table.rows.at(1)[3], "unknown");
  EXPECT_EQ(table.rows[1].back(), "");
}

TEST(Document, OmitsAnEmptyColumnOfRemarks) {
  const Document document = make_document("t", {sweep("a.jsonl")});
  EXPECT_EQ(cases_table(document).columns.back().title, "grade");
}

TEST(Document, OmitsRemarksThatTheMethodGives) {
  busbar::Run run = sweep("a.jsonl");
  run.head.method.aggregated_iterations = 20;
  run.cases[0].calls_per_sample = 20;
  const Document document = make_document("t", {run});
  EXPECT_EQ(cases_table(document).columns.back().title, "grade");
}

// Trainings

CaseRecord one_training(int ranks, double samples_per_s, TrainingKey own = {}) {
  own.compute = own.compute.empty() ? "onednn" : own.compute;
  own.computed_on = own.computed_on.empty() ? "cpu" : own.computed_on;
  own.batch = own.batch.value_or(8);
  CaseRecord c{.key = {.kind = CaseKind::training,
                       .collective = "resnet50",
                       .backend = "mpi",
                       .bytes = 102228128,
                       .ranks = ranks,
                       .nodes = 1,
                       .training = own},
               .time_s = *own.batch * ranks / samples_per_s};
  c.training = Training{.samples_per_s = samples_per_s};
  c.training->split = StepSplit{.step_s = *c.time_s, .forward_s = 0.3 * *c.time_s, .backward_s = 0.7 * *c.time_s};
  return c;
}

/// 7.4 images/s on one rank, scaled to `ranks` by the efficiency.
CaseRecord scaled_training(int ranks, double efficiency, TrainingKey own = {.overlap = "poll"}) {
  CaseRecord c = one_training(ranks, 7.4 * ranks * efficiency, std::move(own));
  c.training->scaling = Scaling{.baseline_ranks = 1,
                                .baseline_samples_per_s = 7.4,
                                .speed_up = ranks * efficiency,
                                .efficiency = efficiency,
                                .efficiency_interval = Interval{efficiency - 0.01, efficiency + 0.01, 0.95}};
  return c;
}

const Chapter& chapter(const Document& document, std::string_view name) {
  for (const Chapter& c : document.chapters)
    if (c.name == name) return c;
  throw std::out_of_range("no such chapter");
}

template <class T>
std::vector<T> blocks_of(const Chapter& c) {
  std::vector<T> all;
  for (const Block& block : c.blocks)
    if (const T* one = std::get_if<T>(&block)) all.push_back(*one);
  return all;
}

std::string paragraphs(const Chapter& c) {
  std::string all;
  for (const Paragraph& p : blocks_of<Paragraph>(c)) all += p.text + "\n";
  return all;
}

TEST(Experiments, GroupTrainingsThatDifferOnlyInRanks) {
  const auto all = models({one_run("a.jsonl", {scaled_training(4, 0.9), scaled_training(2, 0.95), one_training(1, 7.4),
                                               scaled_training(2, 0.8, {.overlap = "none"})})});
  ASSERT_EQ(all.size(), 1U);
  ASSERT_EQ(all[0].experiments.size(), 2U);
  const Experiment& poll = all[0].experiments[0];
  ASSERT_EQ(poll.cases.size(), 3U);
  EXPECT_EQ(poll.cases[0]->key.ranks, 1);  // reduces nothing, so it belongs to both
  EXPECT_EQ(poll.cases[2]->key.ranks, 4);
  EXPECT_EQ(poll.series, "overlap poll");
  EXPECT_EQ(all[0].experiments[1].cases.size(), 2U);
  EXPECT_EQ(baseline_of(poll), poll.cases[0]);
}

TEST(Experiments, ShareTheSingleRankAmongAllOverlaps) {
  const auto all =
      models({one_run("a.jsonl", {one_training(1, 7, {.overlap = "none"}), scaled_training(2, 0.8, {.overlap = "none"}),
                                  scaled_training(2, 0.9)})});
  ASSERT_EQ(all.at(0).experiments.size(), 2U);
  for (const Experiment& e : all[0].experiments) EXPECT_EQ(e.cases.at(0)->key.ranks, 1) << e.label();
}

TEST(Experiments, KeepStrongScalingTogether) {
  const auto in_all = [](int batch) { return TrainingKey{.batch = batch, .scaling = "strong", .overlap = "none"}; };
  const auto all = models({one_run("a.jsonl", {one_training(2, 14, in_all(32)), one_training(4, 27, in_all(32))})});
  ASSERT_EQ(all.at(0).experiments.size(), 1U);
  EXPECT_EQ(training_parts(all[0].experiments[0].key())[3], "batch 32 in all");
  const auto two = models({one_run("a.jsonl", {one_training(2, 14, in_all(32)), one_training(4, 27, in_all(64))})});
  EXPECT_EQ(two.at(0).experiments.size(), 2U);  // 32 and 64 in all
}

TEST(Experiments, MarkReplayedTrainings) {
  const TrainingKey replay{.compute = "replay", .computed_on = "a100-pcie", .overlap = "poll"};
  const auto alone = models({one_run("a.jsonl", {one_training(2, 5000, replay)})});
  EXPECT_EQ(alone.at(0).experiments.at(0).label(), "a, replayed (a100-pcie)");
  const auto both = models({one_run("a.jsonl", {one_training(2, 5000, replay), scaled_training(2, 0.9)})});
  EXPECT_EQ(both.at(0).experiments.at(0).label(), "a, replayed (a100-pcie)");
  EXPECT_EQ(both[0].experiments.at(1).label(), "a, onednn on cpu");
  for (const LegendEntry& entry : lines_of(alone[0].experiments).legend)
    EXPECT_NE(entry.label.find("replayed"), std::string::npos);
}

TEST(Experiments, SeparateSimulatedTrainings) {
  const std::vector<CaseRecord> cases{one_training(1, 7.4), scaled_training(2, 0.9)};
  std::vector<busbar::Run> runs{one_run("a.jsonl", cases), one_run("b.jsonl", cases)};
  runs[1].head.origin = Origin::simulated;
  const auto all = models(runs);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "resnet50");
  EXPECT_EQ(all[1].name, "resnet50 (simulated)");
}

TEST(TrainingReport, NamesTheBaselineInTheTable) {
  const Document document = make_document(
      "t", {one_run("a.jsonl", {one_training(1, 7.4), scaled_training(2, 0.95), scaled_training(4, 1.02)})});
  const Chapter& training = chapter(document, "training");
  const Table t = blocks_of<Table>(training).at(0);
  EXPECT_EQ(t.title, "resnet50, weak scaling: a");
  ASSERT_EQ(t.rows.size(), 3U);
  EXPECT_EQ(t.rows[0], (std::vector<std::string>{"1", "7.40", "-", "7.40", "1.00", "baseline", "-", "1.08 s"}));
  EXPECT_EQ(t.rows[1][5], "95.0 %");
  EXPECT_EQ(t.rows[1][6], "94.0 to 96.0 %");
  EXPECT_EQ(t.rows[2][5], "102.0 % *");
  EXPECT_NE(paragraphs(training).find("relative to 1 rank of the same launch: 7.40 images/s."), std::string::npos);
  EXPECT_NE(paragraphs(training).find("* Above 100 %"), std::string::npos);
}

TEST(TrainingReport, PutsEqualRunsSideBySide) {
  const std::vector<busbar::Run> runs{one_run("metal.jsonl", {one_training(1, 7.4), scaled_training(2, 0.95)}),
                                      one_run("vm.jsonl", {one_training(1, 7.3), scaled_training(2, 0.94)})};
  const Document document = make_document("t", runs);
  const Table t = blocks_of<Table>(chapter(document, "training")).at(0);
  EXPECT_EQ(t.title, "resnet50: images/s of runs side by side");
  EXPECT_EQ(t.columns.at(3).title, "vs metal");
  ASSERT_EQ(t.rows.size(), 2U);
  EXPECT_EQ(t.rows[0], (std::vector<std::string>{"1", "7.40", "7.30", "-1.4 %"}));
}

TEST(TrainingReport, OmitsSpeedUpWithoutASmallerGroup) {
  const Document document = make_document("t", {one_run("a.jsonl", {one_training(2, 14)})});
  const Chapter& training = chapter(document, "training");
  EXPECT_TRUE(blocks_of<Figure>(training).empty());
  EXPECT_EQ(blocks_of<Table>(training).at(0).rows.at(0)[4], "-");
  EXPECT_NE(paragraphs(training).find("measured no smaller group"), std::string::npos);
}

TEST(TrainingReport, DrawsBaselineIdealLinesAndIntervals) {
  const Document document = make_document("t", {one_run("a.jsonl", {one_training(1, 7.4), scaled_training(4, 0.9)})});
  const Figure figure = blocks_of<Figure>(chapter(document, "training")).at(0);
  ASSERT_EQ(figure.plots.size(), 3U);
  const Plot& speed_up = figure.plots[1];
  ASSERT_EQ(speed_up.marks.size(), 2U);
  EXPECT_DOUBLE_EQ(speed_up.marks[0].value, 1);
  EXPECT_FALSE(speed_up.marks[0].interval);
  EXPECT_DOUBLE_EQ(speed_up.marks[1].interval.value().low, 4 * 0.89);
  ASSERT_EQ(speed_up.guides.size(), 1U);
  EXPECT_DOUBLE_EQ(speed_up.guides[0].points.back().second, 4);
  EXPECT_DOUBLE_EQ(figure.plots[2].marks[1].value, 90);
  EXPECT_DOUBLE_EQ(figure.plots[2].guides.at(0).points[0].second, 100);
}

TEST(TrainingReport, WarnsOfSlowRanksAndReplayedCompute) {
  CaseRecord c = scaled_training(2, 0.9, {.compute = "replay", .computed_on = "a100-pcie", .overlap = "poll"});
  c.training->slow_ranks = {{.rank = 1, .host = "b", .cpus = "3", .compute_s = 0.4, .others_compute_s = 0.3}};
  const Document document = make_document("t", {one_run("a.jsonl", {c})});
  const auto all = blocks_of<Paragraph>(chapter(document, "training"));
  EXPECT_EQ(all.at(0).tone, Tone::warning);
  EXPECT_NE(all[0].text.find("replayed, not measured"), std::string::npos);
  EXPECT_EQ(all.at(1).tone, Tone::warning);
  EXPECT_NE(all[1].text.find("rank 1 (b, CPU 3) computes for 400 ms per step"), std::string::npos);
}

TEST(TrainingReport, DrawsPartsOfAStepWithoutHiddenCommunication) {
  CaseRecord c = one_training(2, 16);
  c.training->split = StepSplit{.step_s = 1,
                                .forward_s = 0.3,
                                .backward_s = 0.5,
                                .exposed_s = 0.1,
                                .optimiser_s = 0.06,
                                .other_s = 0.04,
                                .hidden_s = 0.2};
  const Document document = make_document("t", {one_run("a.jsonl", {c})});
  const Figure figure = blocks_of<Figure>(chapter(document, "step")).at(0);
  ASSERT_EQ(figure.plots.at(0).marks.size(), 5U);
  EXPECT_DOUBLE_EQ(figure.plots[0].marks[1].base, 0.3);
  EXPECT_DOUBLE_EQ(figure.plots[0].marks.back().value, 1);
  EXPECT_EQ(figure.tables.at(0).rows.at(0).back(), "200 ms");
}

TEST(TrainingReport, ShowsOnlyComputeForOneRank) {
  CaseRecord c = one_training(1, 8);
  c.training->arithmetic =
      Arithmetic{.flop_per_step = 60e9,
                 .peak_flop_per_s = 120e9,
                 .reorder_s = 0.05,
                 .layers = {{.kind = "convolution", .layers = 53, .flop = 59e9, .forward_s = 0.2, .backward_s = 0.39}}};
  c.training->memory = Memory{.peak_bytes = 300 << 20, .needed_bytes = 200 << 20};
  const auto tables = blocks_of<Table>(chapter(make_document("t", {one_run("a.jsonl", {c})}), "rank"));
  ASSERT_EQ(tables.size(), 3U);
  EXPECT_EQ(tables[0].rows.at(0)[4], "60.0");   // 60 GFLOP in 1 s
  EXPECT_EQ(tables[0].rows[0][6], "50.0 %");    // of the peak
  EXPECT_EQ(tables[0].rows[0][7], "5.0 %");     // layout changes
  EXPECT_EQ(tables[1].rows.at(0)[6], "100.0");  // GFLOP/s of convolutions
  EXPECT_EQ(tables[2].rows.at(0).back(), "1.50");
  c.key.training->compute = "replay";
  const Document replayed = make_document("t", {one_run("a.jsonl", {c})});
  EXPECT_THROW(std::ignore = chapter(replayed, "rank"), std::out_of_range);
}

TEST(TrainingReport, ComparesConcurrentJobsWithASingleOne) {
  CaseRecord c = one_training(4, 24, {.overlap = "poll", .jobs = 2});
  c.training->jobs = {{.ranks = {0, 1}, .samples_per_s = 13, .slow_down = 1.1},
                      {.ranks = {2, 3}, .samples_per_s = 11, .slow_down = 1.3}};
  const Document document = make_document("t", {one_run("a.jsonl", {one_training(2, 14.3, {.overlap = "poll"}), c})});
  const Figure figure = blocks_of<Figure>(chapter(document, "tenancy")).at(0);
  EXPECT_EQ(figure.tables.at(0).rows.at(2),
            (std::vector<std::string>{"together", "4 ranks", "24.00", "-", "1.19", "onednn on cpu"}));
  ASSERT_EQ(figure.plots.at(0).marks.size(), 4U);
  EXPECT_EQ(figure.plots[0].marks[0].group, "alone");
  EXPECT_DOUBLE_EQ(figure.plots[0].marks[0].value, 14.3);
  for (const Table& t : blocks_of<Table>(chapter(document, "training"))) EXPECT_EQ(t.rows.size(), 1U);
}

TEST(TrainingReport, ShowsTheBubbleOfPipelines) {
  CaseRecord c = one_training(4, 30, {.parallel = "pipeline", .micro_batches = 8, .schedule = "1f1b"});
  c.training->pipeline = Pipeline{.stages = 4,
                                  .micro_batches = 8,
                                  .bubble = 0.33,
                                  .ideal_bubble = 3.0 / 11,
                                  .stage_compute_s = {0.1, 0.2, 0.1, 0.2},
                                  .most_in_flight = 4};
  const auto tables = blocks_of<Table>(chapter(make_document("t", {one_run("a.jsonl", {c})}), "pipeline"));
  EXPECT_EQ(tables.at(0).rows.at(0)[4], "33.0 %");
  EXPECT_EQ(tables[0].rows[0][5], "-");
  EXPECT_EQ(tables[0].rows[0][6], "27.3 %");
  EXPECT_EQ(tables.at(1).rows.at(0)[2], "1.33");
}

TEST(TrainingReport, ShowsTrainingsInTheirOwnTable) {
  const std::vector<busbar::Run> runs{
      one_run("a.jsonl", {one_case(8, 1e-6), one_training(1, 7.4), scaled_training(2, 0.9)})};
  EXPECT_EQ(make_charts(runs).at(0).points.size(), 1U);
  const Document document = make_document("t", runs);
  const auto tables = blocks_of<Table>(chapter(document, "cases"));
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[1].title, "training resnet50: a");
  EXPECT_EQ(tables[1].rows.size(), 2U);
  for (const auto& row : tables[1].rows) EXPECT_EQ(row.size(), tables[1].columns.size());
}

TEST(Plots, KeepTextOfARecordOutOfExpressions) {
  CaseRecord one = one_training(1, 7.4), two = scaled_training(2, 0.9);
  for (CaseRecord* c : {&one, &two}) {
    c->training->sample = "'+evil()+'";
    c->key.collective = "'+evil()+'";
    c->key.training->computed_on = "'+evil()+'";
  }
  const Document document = make_document("t", {one_run("a.jsonl", {one, two})});
  for (const Chapter& c : document.chapters) {
    for (const Figure& figure : blocks_of<Figure>(c)) {
      for (std::size_t i = 0; i < figure.plots.size(); ++i) {
        const PlotGroup group{.lines = figure.lines, .legend = figure.legend, .labels = true};
        const Json flat = plot_spec(figure.plots[i], i, group).flatten();
        for (const auto& [path, value] : flat.items()) {
          const bool data = path.find("/data/values/") != std::string::npos;  // names at lines
          const bool shown = data || path.ends_with("/title") || path == "/description";
          if (shown || !value.is_string()) continue;
          EXPECT_EQ(value.get<std::string>().find("evil"), std::string::npos) << path;
        }
      }
    }
  }
}

TEST(Ticks, AreRoundInPlots) {
  const auto text = [](double v) { return std::to_string(static_cast<int>(v)); };
  EXPECT_EQ(linear_ticks({80, 108}, text).labels, (std::vector<std::string>{"80", "85", "90", "95", "100", "105"}));
  EXPECT_EQ(linear_ticks({0, 108}, text).labels, (std::vector<std::string>{"0", "20", "40", "60", "80", "100"}));
  EXPECT_TRUE(linear_ticks({1, 1}, text).labels.empty());
  EXPECT_EQ(doubling_ticks({0.9, 9}).labels, (std::vector<std::string>{"1", "2", "4", "8"}));
  EXPECT_EQ(doubling_ticks({1, 5000}).labels.size(), 7U);
}

TEST(TrainingText, FormatsNumbersAndRanks) {
  EXPECT_EQ(rate(7.412), "7.41");
  EXPECT_EQ(rate(345.23), "345.2");
  EXPECT_EQ(rate(10675.1), "10675");
  EXPECT_EQ(about_size(102228128), "97.5 MiB");
  EXPECT_EQ(rank_list(std::vector<int>{0, 1, 2, 5, 8, 9}), "0-2, 5, 8-9");
  EXPECT_EQ(half_width(std::nullopt), "-");
  EXPECT_EQ(percent(std::optional(0.0052)), "0.52 %");
}

TEST(Html, ShowsTablesWithoutTheLibrary) {
  const Document document = make_document("t", {one_run("a.jsonl", {one_training(1, 7.4), scaled_training(2, 0.95)})});
  const std::string without = render_html(document, ""), with = render_html(document, "draw()");
  EXPECT_EQ(without.find("<script"), std::string::npos);
  EXPECT_NE(without.find("<h4>images/s, speedup and efficiency over ranks</h4>"), std::string::npos);
  EXPECT_NE(with.find("<summary>images/s, speedup and efficiency over ranks</summary>"), std::string::npos);
  EXPECT_NE(render_markdown(document).find("#### images/s, speedup and efficiency over ranks"), std::string::npos);
}

TEST(Html, HasNoScriptWithoutTheLibraryAndSaysSo) {
  const std::string page = render_html(make_document("t", {sweep("a.jsonl")}), "");
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_NE(page.find("built without the chart library"), std::string::npos);
  EXPECT_NE(page.find("allreduce: busbw (GB/s)"), std::string::npos);
}

TEST(Html, PutsLongClosedTablesBehindThePageAsText) {
  Table t{.title = "cases", .columns = {{"text"}}, .rows = {}, .folded = true};
  t.rows.assign(5000, {"</script><b>"});
  const Document document{.title = "t", .chapters = {{.name = "cases", .title = "Cases", .blocks = {t}}}};
  const std::string page = render_html(document, "/* draws */");
  const std::size_t text = page.find("<script type=\"text/html\" id=\"late-0-0\">");
  ASSERT_NE(text, std::string::npos);
  EXPECT_GT(text, page.find("</main>"));
  EXPECT_GT(page.find("<tr>", page.find("<main>")), page.find("</main>")) << "a row stands in the page";
  EXPECT_EQ(page.find("</script><b>"), std::string::npos);
  EXPECT_EQ(render_html(document, "").find("text/html"), std::string::npos) << "nothing is there to show it";
}

TEST(Html, AllowsItsScriptsByHashWithoutEval) {
  const std::string page = render_html(make_document("t", {sweep("a.jsonl")}), "draw()");
  EXPECT_NE(page.find("script-src '" + csp_hash("draw()")), std::string::npos);
  EXPECT_EQ(page.find("unsafe-"), std::string::npos);
}

// Options of a report

/// Labelled launches of a sweep that take `factor` times as long as the first.
busbar::Run labelled(const std::string& path, std::map<std::string, std::string> labels, double factor) {
  busbar::Run run = one_run(path, {one_case(8, 1e-6 * factor), one_case(1024, 2e-6 * factor)});
  run.head.labels = std::move(labels);
  return run;
}

std::vector<busbar::Run> four_launches() {
  return {labelled("a", {{"platform", "metal"}, {"fabric", "hdr"}, {"day", "1"}}, 1),
          labelled("b", {{"platform", "metal"}, {"fabric", "hdr"}, {"day", "2"}}, 1.21),
          labelled("c", {{"platform", "vm"}, {"fabric", "hdr"}, {"day", "1"}}, 2),
          labelled("d", {{"platform", "vm"}, {"fabric", "hdr"}, {"day", "2"}}, 2)};
}

TEST(Pooled, MakesARunPerValueWithMeansOverLaunches) {
  const std::vector<busbar::Run> launches = four_launches();
  const Pooled made = pooled("--group-by", "platform", launches);
  const std::vector<busbar::Run>& runs = made.runs;
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(run_names(runs).at(0), "platform=metal");  // the fabric is the same, days differ
  const CaseRecord& c = runs[0].cases.at(0);
  EXPECT_NEAR(*c.time_s, 1.1e-6, 1e-12);
  EXPECT_NEAR(*c.busbw_GBps, 8 / 1.1e-6 * 1e-9, 1e-9);
  // t with one degree of freedom at 95 % (12.706) over the logarithms 0 and ln 1.21
  EXPECT_NEAR(c.interval_s->high, 1.1e-6 * std::exp(12.7062 * std::log(1.21) / 2), 1e-10);
  EXPECT_THROW(static_cast<void>(pooled("--group-by", "colour", four_launches())), UsageError);
}

TEST(ChartOptions, SetColourAndFacetByLabel) {
  const auto label = [](const std::string& name) {
    return [name](const busbar::Run& run, const CaseRecord&) { return run.head.labels.at(name); };
  };
  const auto runs = four_launches();
  const auto charts = make_charts(runs, {.colour = label("platform"), .facet = label("day")});
  ASSERT_EQ(charts.size(), 2U);
  EXPECT_EQ(charts[0].title, "allreduce, 1");
  ASSERT_EQ(charts[0].lines.size(), 2U);
  const Charts all = make_charts(runs, {.colour = label("platform")}).at(0);
  EXPECT_EQ(all.lines[0].style.colour, all.lines[1].style.colour);
  EXPECT_NE(all.lines[0].style.colour, all.lines[2].style.colour);
  EXPECT_NE(all.lines[0].style.shape, all.lines[1].style.shape);
}

TEST(ChartSpec, DrawsACeilingAsADashedLine) {
  const Charts charts = make_charts({sweep("a.jsonl")}, {.finish =
                                                             [](const CaseRecord&, ChartPoint& p) {
                                                               p.ceiling_GBps = 25;
                                                               p.ceiling = "network between nodes";
                                                             }})
                            .at(0);
  EXPECT_EQ(charts.values[static_cast<std::size_t>(Quantity::busbw)].high, 25);
  const Json layers = chart_spec(charts, Quantity::busbw).at("layer");
  ASSERT_EQ(layers.size(), 5U);
  EXPECT_EQ(layers[1]["data"]["values"][0]["name"], "ceiling 25.00 GB/s: network between nodes");
  EXPECT_EQ(chart_spec(charts, Quantity::time)["layer"].size(), 3U);
  EXPECT_EQ(chart_data(charts)["points"][0]["ceiling_text"], "25.00 GB/s: network between nodes");
}

TEST(RenderJson, WritesEveryChapterAndChartSpecification) {
  const Json j = render_json(make_document("T", four_launches(), {.notes = {"a note"}}));
  EXPECT_EQ(j["title"], "T");
  EXPECT_EQ(j["notes"], Json({"a note"}));
  EXPECT_EQ(j["overview"]["figures"][0]["title"], "allreduce, 8 B");
  bool charts = false;
  for (const Json& chapter : j["chapters"]) {
    for (const Json& block : chapter["blocks"])
      charts = charts || (block["kind"] == "charts" && block["specs"].contains("busbw"));
  }
  EXPECT_TRUE(charts);
}

/// The same over 24 days; the last twelve took 10 % longer.
TEST(Trend, ListsChangesWithTheirDay) {
  std::vector<busbar::Run> runs;
  const std::vector<double> wobble{1, 1.02, 0.985, 1.01, 0.99, 1.015, 0.98};
  for (std::size_t i = 0; i < 24; ++i) {
    runs.push_back(labelled("r" + std::to_string(i), {}, (i < 12 ? 1 : 1.1) * wobble[i % 7]));
    runs.back().head.start_utc = (i < 9 ? "2026-02-0" : "2026-02-") + std::to_string(i + 1) + "T02:00:00Z";
  }
  const std::string md = render_markdown(make_document("T", runs));
  EXPECT_NE(md.find("## Over time"), std::string::npos);
  EXPECT_NE(md.find("Since 2026-02-13T02:00:00Z"), std::string::npos) << md.substr(md.find("## Over time"), 600);
  for (busbar::Run& run : runs) run.head.start_utc = "2026-02-01T02:00:00Z";
  EXPECT_EQ(render_markdown(make_document("T", runs)).find("## Over time"), std::string::npos);
}

}  // namespace
}  // namespace busbar::report::test
