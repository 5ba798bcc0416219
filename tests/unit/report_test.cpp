// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/charts.hpp"
#include "reports/document.hpp"
#include "reports/escape.hpp"
#include "reports/render.hpp"
#include "reports/sha256.hpp"
#include "reports/text.hpp"

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

TEST(Escape, HtmlTextIsText) {
  EXPECT_EQ(escape_html("</script><img onerror=\"x\" a='b'>&"),
            "&lt;/script&gt;&lt;img onerror=&quot;x&quot; a=&#39;b&#39;&gt;&amp;");
  EXPECT_EQ(escape_html(std::string_view("a\0b\x1b", 4)), "a\uFFFDb\uFFFD");
  EXPECT_EQ(escape_html("Zürich 東"), "Zürich 東");
}

TEST(Escape, JsonInAScriptHoldsNoMarkupAndReadsBackAsItWas) {
  const Json j = {{"a", "</script><!--<b>&'\"\\ \u2028\u2029 ü"}};
  const std::string text = script_json(j);
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos) << text;
  EXPECT_EQ(text.find("\u2028"), std::string::npos);
  EXPECT_EQ(text.find("\u2029"), std::string::npos);
  EXPECT_EQ(Json::parse(text), j);
}

TEST(Escape, ScriptsCannotEndTheirElement) {
  EXPECT_EQ(script_text("a='</script>';b='</ScRiPt';c='<!--'\r\n"), "a='<\\/script>';b='<\\/ScRiPt';c='\\x3c!--'\n");
}

TEST(Escape, MarkdownCellsStayCells) { EXPECT_EQ(escape_markdown("a|b\n<i>*c*\\`"), "a\\|b &lt;i&gt;\\*c\\*\\\\\\`"); }

TEST(Sha256, KnownDigests) {
  EXPECT_EQ(csp_hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(csp_hash("abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  EXPECT_EQ(csp_hash(std::string(1000, 'a')), "sha256-Qe3s5C1j6Nm/UVqbppMuHCDLyfWl0TRkWttdsblzfqM=");
}

// Names

TEST(RunNames, AreUnlikeEachOtherAndSayWhatIsImported) {
  std::vector<busbar::Run> runs{sweep("n2/a.jsonl"), sweep("n8/a.jsonl"), sweep("n8/a.jsonl"), sweep("n8/b.jsonl")};
  runs[3].head.origin = "imported";
  EXPECT_EQ(run_names(runs), (std::vector<std::string>{"n2/a", "n8/a", "n8/a #2", "n8/b (imported)"}));
}

TEST(Text, TimeRules) {
  EXPECT_EQ(time_rule({.rank_rule = "slowest", .statistic = "median_of_rounds"}),
            "median over rounds of the medians of their samples, slowest rank of each");
  EXPECT_EQ(time_rule({.rank_rule = "slowest", .statistic = "median"}),
            "median over iterations, the slowest rank of each");
  EXPECT_EQ(time_rule({}), "unknown");
}

TEST(Text, ListsAreCut) {
  const std::vector<std::string> names{"a", "b", "c", "d", "e"};
  EXPECT_EQ(list(names, 5), "a, b, c, d, e");
  EXPECT_EQ(list(names, 4), "a, b, c and 2 more");
}

// Charts

TEST(Charts, OneLineARunAndNoneForSizeZero) {
  const auto charts = make_charts({sweep("a.jsonl"), one_run("b.jsonl", {one_case(0, 1e-6), one_case(8, 1e-6)})});
  ASSERT_EQ(charts.size(), 1U);
  ASSERT_EQ(charts[0].lines.size(), 2U);
  EXPECT_EQ(charts[0].lines[0].run, "a");
  EXPECT_EQ(charts[0].lines[1].run, "b");
  EXPECT_NE(charts[0].lines[0].style.colour, charts[0].lines[1].style.colour);
  EXPECT_NE(charts[0].lines[0].style.shape, charts[0].lines[1].style.shape);
  EXPECT_EQ(charts[0].points.size(), 3U);
  for (const Point& point : charts[0].points) EXPECT_GT(point.bytes, 0U);
}

TEST(Charts, SeriesOfOneRunAreTheirOwnLines) {
  const auto charts = make_charts({one_run("a.jsonl", {one_case(8, 1e-6, "fp32"), one_case(8, 1e-6, "fp64")})});
  ASSERT_EQ(charts.at(0).lines.size(), 2U);
  EXPECT_EQ(charts[0].lines[0].series, "fp32");
  EXPECT_EQ(charts[0].lines[1].series, "fp64");
  EXPECT_NE(charts[0].lines[0].style.colour, charts[0].lines[1].style.colour);
}

TEST(Charts, WhatDiffersBetweenRunsStandsBesideTheirNames) {
  const auto charts = make_charts({sweep("a.jsonl", 2), sweep("b.jsonl", 4)});
  EXPECT_EQ(charts.at(0).lines.at(0).run, "a, 2 ranks on 1 node");
  EXPECT_EQ(charts[0].lines.at(1).run, "b, 4 ranks on 1 node");
}

TEST(Charts, ManyRunsAreSplitByScaleWithTheSameAxes) {
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

TEST(Charts, ManyRunsThatCannotBeSplitStayTogether) {
  std::vector<busbar::Run> runs;
  for (int i = 0; i < 12; ++i) runs.push_back(sweep("run" + std::to_string(i) + ".jsonl", i + 2));
  const auto charts = make_charts(runs);
  ASSERT_EQ(charts.size(), 1U);
  EXPECT_EQ(charts[0].lines.size(), 12U);
}

TEST(Charts, FailedAndSkippedCasesAreNotDrawn) {
  CaseRecord failed = one_case(8, 1e-6);
  failed.status = Status::failed;
  EXPECT_TRUE(make_charts({one_run("a.jsonl", {failed})}).empty());
}

TEST(Charts, ZeroBandwidthIsNotDrawnButItsTimeIs) {
  CaseRecord c = one_case(8, 1e-6);
  c.busbw_GBps = 0;  // one rank: the factor is 0
  const auto charts = make_charts({one_run("a.jsonl", {c})});
  EXPECT_FALSE(has_points(charts.at(0), Quantity::busbw));
  EXPECT_TRUE(has_points(charts[0], Quantity::time));
  EXPECT_EQ(figures(charts[0]).size(), 1U);
}

/// One run whose first size has an interval and whose second has none.
std::vector<busbar::Run> half_with_interval() {
  busbar::Run run = sweep("a.jsonl");
  run.cases[0].busbw_GBps = 0.5 * *run.cases[0].algbw_GBps;
  run.cases[0].bus_factor = 0.5;
  run.cases[0].interval_s = Interval{.low = 0.8e-6, .high = 1.6e-6, .confidence = 0.95};
  return {run};
}

TEST(Charts, ABandIsWhereTheQuantityLiesByTheIntervalOfTheTime) {
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

TEST(Charts, AnIntervalThatReachesZeroHasNoBand) {
  Point point{.bytes = 8, .time_s = 1e-6, .algbw_GBps = 0.008, .interval_s = Interval{.low = 0, .high = 2e-6}};
  EXPECT_FALSE(band_of(point, Quantity::time));
  EXPECT_FALSE(band_of(point, Quantity::algbw));
}

TEST(ChartSpec, BandsStandBehindTheLinesWhereThereAreIntervals) {
  const Charts with = make_charts(half_with_interval()).at(0), without = make_charts({sweep("a.jsonl")}).at(0);
  EXPECT_EQ(chart_spec(without, Quantity::time)["layer"].size(), 2U);
  EXPECT_EQ(chart_spec(without, Quantity::time).dump().find("interval"), std::string::npos);
  const Json spec = chart_spec(with, Quantity::time);
  ASSERT_EQ(spec["layer"].size(), 4U);
  EXPECT_EQ(spec["layer"][0]["mark"]["type"], "area");
  EXPECT_EQ(spec["layer"][0]["encoding"]["y2"]["field"], "time_high");
  const Json points = chart_data(with)["points"];
  EXPECT_EQ(points[0]["interval"], "800 ns to 1.6 us (95 %)");
  EXPECT_DOUBLE_EQ(points[0]["time_low"], 0.8e-6);
  EXPECT_EQ(points[1]["interval"], "unknown");
  EXPECT_FALSE(points[1].contains("time_low"));
}

TEST(ChartSpec, AxesAreLogarithmicWithDomainsAboveZero) {
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
  EXPECT_EQ(data["points"][1]["size"], "1 KiB");
  EXPECT_EQ(data["points"][1]["time_text"], "2 us");
  EXPECT_EQ(data["points"][1]["p99"], "unknown");
}

TEST(Ticks, SizesArePowersOfTwoWithTheRoundOnes) {
  const Ticks few = size_ticks({8, 64});
  EXPECT_EQ(few.labels, (std::vector<std::string>{"8 B", "16 B", "32 B", "64 B"}));
  const Ticks many = size_ticks({4, 1 << 30});
  EXPECT_EQ(many.labels, (std::vector<std::string>{"32 B", "1 KiB", "32 KiB", "1 MiB", "32 MiB", "1 GiB"}));
  EXPECT_EQ(many.values.front(), 32);
  EXPECT_EQ(size_ticks({1000, 1000}).labels, (std::vector<std::string>{"1000 B"}));
}

TEST(Ticks, ValuesAreDecadesOrFinerWhereTheRangeIsSmall) {
  EXPECT_EQ(value_ticks({1e-6, 1e-2}, Quantity::time).labels,
            (std::vector<std::string>{"1 us", "10 us", "100 us", "1 ms", "10 ms"}));
  EXPECT_EQ(value_ticks({1, 9}, Quantity::busbw).labels, (std::vector<std::string>{"1", "2", "5", "10"}));
  EXPECT_TRUE(value_ticks({0, 0}, Quantity::busbw).values.empty());
}

// Documents

TEST(Document, SectionsWithoutBlocksAreLeftOut) {
  const Document document = make_document("t", {sweep("a.jsonl")});
  EXPECT_EQ(document.summary, "1 run, 2 cases (0 skipped, 0 failed)");
  for (const Chapter& chapter : document.chapters) EXPECT_FALSE(chapter.blocks.empty()) << chapter.name;
}

const Table& cases_table(const Document& document) {
  for (const Chapter& chapter : document.chapters)
    if (chapter.name == "cases") return std::get<Table>(chapter.blocks.at(0));
  throw std::out_of_range("no chapter of cases");
}

TEST(Document, RemarksStandBesideTheirCase) {
  busbar::Run run = sweep("a.jsonl");
  CaseRecord& c = run.cases[0];
  c.interval_s = Interval{.low = 0.99e-6, .high = 1.01e-6, .confidence = 0.95};
  c.calls_per_sample = 8;
  c.samples_taken = 50;
  c.invalid_samples = 2;
  c.contention = Contention{.reasons = {"waited 12 % of the time for a CPU", "something else"}};
  c.remarks = {"times rose by 6 % from the first round to the last"};
  c.arrival = Arrival{.late = {{.rank = 1, .host = "b", .cpus = "3", .last_share = 0.9, .behind_s = 2e-6}}};
  const Document document = make_document("t", {run});
  const Table& table = cases_table(document);
  ASSERT_EQ(table.columns.back().title, "remarks");
  EXPECT_EQ(table.columns[3].title, "+-%");
  EXPECT_EQ(table.rows.at(0)[3], "1.0");
  EXPECT_EQ(
      table.rows[0].back(),
      "Contended: waited 12 % of the time for a CPU; something else. Times rose by 6 % from the first round to the "
      "last. Late: rank 1 (b, CPU 3) starts last in 90 % of the samples, 2 us behind the first. 2 of 52 samples "
      "missed their window and were left out. 8 calls timed as one.");
  EXPECT_EQ(table.rows.at(1)[3], "unknown");
  EXPECT_EQ(table.rows[1].back(), "");
}

TEST(Document, ThereIsNoColumnOfRemarksWhereThereAreNone) {
  const Document document = make_document("t", {sweep("a.jsonl")});
  EXPECT_EQ(cases_table(document).columns.back().title, "status");
}

TEST(Document, CallsOfASampleAreNoRemarkWhereTheMethodSaysSo) {
  busbar::Run run = sweep("a.jsonl");
  run.head.method.aggregated_iterations = 20;
  run.cases[0].calls_per_sample = 20;
  const Document document = make_document("t", {run});
  EXPECT_EQ(cases_table(document).columns.back().title, "status");
}

TEST(Html, WithoutTheLibraryThePageHasNoScriptAndSaysWhatIsMissing) {
  const std::string page = render_html(make_document("t", {sweep("a.jsonl")}), "");
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_NE(page.find("built without the chart library"), std::string::npos);
  EXPECT_NE(page.find("allreduce: busbw (GB/s)"), std::string::npos);
}

TEST(Html, PolicyAllowsTheScriptsOfThePageByHashAndNoEval) {
  const std::string page = render_html(make_document("t", {sweep("a.jsonl")}), "draw()");
  EXPECT_NE(page.find("script-src '" + csp_hash("draw()")), std::string::npos);
  EXPECT_EQ(page.find("unsafe-"), std::string::npos);
}

}  // namespace
}  // namespace busbar::report::test
