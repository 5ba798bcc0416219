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
