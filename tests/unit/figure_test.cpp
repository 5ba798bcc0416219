// SPDX-License-Identifier: Apache-2.0
#include "reports/figure/figure.hpp"

#include <algorithm>
#include <cmath>
#include <regex>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/drawing/page.hpp"
#include "reports/figure/scene.hpp"
#include "reports/figure/words.hpp"
#include "tests/unit/catch_error.hpp"

namespace busbar::figure::test {
namespace {

using busbar::test::catch_error;
using report::Figure, report::Mark, report::Plot, report::PlotKind, report::Range;
using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::Not;

CaseRecord one_case(std::uint64_t bytes, double time_s) {
  CaseRecord c{.key = {.collective = "allreduce", .backend = "mpi", .type = "fp32", .bytes = bytes, .ranks = 2}};
  set_bandwidth(c, time_s, 1.0);
  c.interval_s = Interval{.low = 0.9 * time_s, .high = 1.2 * time_s, .confidence = 0.95};
  return c;
}

/// Two runs of two sizes; the second is `factor` times slower.
std::vector<busbar::Run> two_runs(double factor, Origin origin = Origin::measured) {
  std::vector<busbar::Run> runs(2);
  for (std::size_t i = 0; i < 2; ++i) {
    const double slower = i == 0 ? 1 : factor;
    runs[i].path = i == 0 ? "a.jsonl" : "b.jsonl";
    runs[i].head.id = i == 0 ? "id-a" : "id-b";
    runs[i].head.origin = origin;
    runs[i].cases = {one_case(8, 1e-6 * slower), one_case(1 << 20, 1e-4 * slower)};
  }
  return runs;
}

std::vector<Chart> charts_over_size(const std::vector<busbar::Run>& runs) {
  report::Document document;
  document.chapters.push_back({.name = "collectives", .title = "", .blocks = {}});
  for (report::Charts& charts : report::make_charts(runs)) document.chapters[0].blocks.emplace_back(std::move(charts));
  return charts_of(document);
}

Chart chart_of(Plot plot, std::vector<std::string> lines = {}) {
  Figure figure{.title = "resnet50 over ranks", .caption = "", .lines = {}, .legend = {}, .plots = {}, .tables = {}};
  for (const std::string& line : lines) report::add_line(figure, line);
  figure.plots.push_back(std::move(plot));
  report::Document document;
  document.chapters.push_back({.name = "a", .title = "", .blocks = {figure}});
  return charts_of(document).at(0);
}

Sheet sheet(double width_cm = 8.4, double height_cm = 6) {
  return {.width = width_cm * points_per_cm, .height = height_cm * points_per_cm};
}

// Names

TEST(FigureNames, AreTitleAndQuantity) {
  std::vector<std::string> names;
  for (const Chart& chart : charts_over_size(two_runs(1.5))) names.push_back(chart.name);
  EXPECT_THAT(names, ElementsAre("allreduce-busbw", "allreduce-algbw", "allreduce-time"));
}

TEST(FigureNames, LeaveOutWhatTheAxisSays) {
  Plot plot{.marks = {{.x = 1, .value = 1}}};
  plot.x.title = "ranks";
  plot.y.title = "efficiency (%)";
  const Chart chart = chart_of(plot, {"a"});
  EXPECT_EQ(chart.name, "resnet50-efficiency");
  EXPECT_EQ(subject_of(chart), "resnet50: efficiency (%) over ranks");
}

TEST(FigureNames, AreUniqueAndShort) {
  std::vector<Chart> charts(3, Chart{.title = "Größe: " + std::string(100, 'x') + " and more", .plot = {}});
  for (Chart& chart : charts) chart.plot.y.title = "images/s";
  name_charts(charts);
  EXPECT_EQ(charts[0].name + "-2", charts[1].name);
  EXPECT_EQ(charts[0].name + "-3", charts[2].name);
  EXPECT_LE(charts[0].name.size(), 64U);
  EXPECT_TRUE(charts[0].name.ends_with("-images-per-s")) << charts[0].name;
  EXPECT_TRUE(std::regex_match(charts[0].name, std::regex("[a-z0-9.-]+")));
}

TEST(FigureNames, KeepThePlotsTitle) {
  std::vector<Chart> charts(1, Chart{.title = std::string(60, 'x') + " over nodes", .plot = {.title = "64 KiB"}});
  charts[0].plot.x.title = "nodes";
  charts[0].plot.y.title = "time";
  name_charts(charts);
  EXPECT_EQ(charts[0].name, std::string(52, 'x') + "-64-kib-time");
}

TEST(FigureNames, SuggestNearOnes) {
  const auto charts = charts_over_size(two_runs(1.5));
  EXPECT_EQ(find_chart(charts, "allreduce-time").name, "allreduce-time");
  EXPECT_THAT(catch_error([&] { (void)find_chart(charts, "allreduce-busb"); }), HasSubstr("mean allreduce-busbw?"));
  EXPECT_THAT(catch_error([&] { (void)find_chart(charts, "allreduce"); }),
              HasSubstr("mean allreduce-busbw, allreduce-algbw, allreduce-time?"));
  EXPECT_THAT(catch_error([&] { (void)find_chart(charts, "zzz"); }), HasSubstr("they have allreduce-busbw"));
  EXPECT_EQ(catch_error([&] { (void)find_chart({}, "zzz"); }), "these records have no chart");
}

// Lines

TEST(FigureLines, AreThoseThatTheReportShows) {
  report::Document document;
  document.chapters.push_back({.name = "collectives", .title = "", .blocks = {}});
  std::vector<busbar::Run> runs;
  for (int i = 0; i < 10; ++i) {
    runs.push_back(two_runs(1 + i).back());
    runs.back().path = fmt::format("{}.jsonl", i);
    runs.back().head.id = fmt::format("id-{}", i);
  }
  for (report::Charts& charts : report::make_charts(runs)) document.chapters[0].blocks.emplace_back(std::move(charts));
  const Chart chart = charts_of(document).at(0);
  EXPECT_EQ(drawn_lines(chart).size(), 8U);
  EXPECT_EQ(chart.legend.size(), 8U);
  EXPECT_THAT(chart.caption, HasSubstr("8 of 10 lines: fastest, slowest and 6 between at 1 MiB."));
  EXPECT_EQ(runs_of(chart, runs).size(), 8U) << "the caption lists the runs that are drawn";
  const Chart all = charts_of(document, LinesToDraw::all).at(0);
  EXPECT_EQ(drawn_lines(all).size(), 10U);
  EXPECT_EQ(all.legend.size(), 10U);
  EXPECT_THAT(all.caption, Not(HasSubstr("of 10 lines")));
}

// Pictures

TEST(Picture, HasTheColoursOfThePage) {
  const std::string css(report::page_css());
  for (std::size_t i = 0; i < line_colours.size(); ++i)
    EXPECT_THAT(css, HasSubstr(fmt::format("--line-{}: #{:06x};", i, line_colours[i])));
  for (std::size_t i = 0; i < shade_colours.size(); ++i)
    EXPECT_THAT(css, HasSubstr(fmt::format("--shade-{}: #{:06x};", i, shade_colours[i])));
  for (const auto& [name, colour] : {std::pair{"text", ink}, {"quiet", quiet}, {"rule", grid_colour}, {"card", paper}})
    EXPECT_THAT(css, HasSubstr(fmt::format("--{}: #{:06x};", name, colour)));
}

TEST(Picture, HasTicksAtPowersOf1024) {
  const report::PlotAxis sizes{.title = "size", .domain = {4, 1 << 28}, .logarithmic = true};
  const Axis axis = axis_of(sizes);
  EXPECT_THAT(axis.major.labels, ElementsAre("1 KiB", "1 MiB"));
  EXPECT_EQ(axis.minor.size(), 27U) << "4 B to 256 MiB";
  EXPECT_THAT(axis_of({.title = "size", .domain = {800, 5000}, .logarithmic = true}).major.labels,
              ElementsAre("1 KiB", "4 KiB"));
}

TEST(Picture, DrawsBandsOnlyBetweenIntervals) {
  Plot plot{.marks = {{.x = 1, .value = 2, .interval = Range{1, 3}},
                      {.x = 2, .value = 2, .interval = Range{1, 30}},
                      {.x = 3, .value = 2},
                      {.x = 4, .value = 2, .interval = Range{1, 3}}}};
  plot.x.domain = {0, 5};
  plot.y.domain = {0, 10};
  const Picture picture = picture_of(chart_of(plot, {"a"}));
  ASSERT_EQ(picture.areas.size(), 1U) << "one point makes no band";
  EXPECT_EQ(picture.areas[0].corners.size(), 4U);
  EXPECT_EQ(picture.whiskers.size(), 3U);
  EXPECT_EQ(picture.whiskers[1].range.high, 10) << "cut at the end of the axis";
}

TEST(Picture, PlacesBarsSideBySideOrOnTop) {
  Plot plot{.kind = PlotKind::bars,
            .marks = {{.line = 0, .group = "one", .value = 1}, {.line = 1, .group = "one", .base = 1, .value = 3}}};
  const auto corners = [&](bool side_by_side, std::size_t i) {
    plot.side_by_side = side_by_side;
    return picture_of(chart_of(plot, {"a", "b"})).areas.at(i).corners;
  };
  EXPECT_EQ(corners(false, 0)[0].x, corners(false, 1)[0].x);
  EXPECT_EQ(corners(false, 0)[2].y, corners(false, 1)[0].y);
  EXPECT_NEAR(corners(true, 0)[1].x, corners(true, 1)[0].x, 1e-9);
}

// Layout

/// Texts that overlap the edge of the paper.
std::vector<std::string> texts_outside(const Scene& scene) {
  std::vector<std::string> outside;
  for (const auto& part : scene.parts) {
    const auto* words = std::get_if<Words>(&part);
    if (words == nullptr) continue;
    const double width = estimated_width(words->text, words->size);
    const double from = -words->anchor * width, to = from + width;
    const bool inside = words->upward ? words->at.y - to > -1 && words->at.y - from < scene.height + 1 &&
                                            words->at.x > 0 && words->at.x < scene.width
                                      : words->at.x + from > -1 && words->at.x + to < scene.width + 1 &&
                                            words->at.y > 0 && words->at.y < scene.height;
    if (!inside) outside.push_back(words->text);
  }
  return outside;
}

TEST(FigureLayout, LabelsFewLinesAtTheirEnds) {
  const Picture apart = picture_of(charts_over_size(two_runs(8)).at(2));
  const Layout layout = lay_out(apart, sheet(), estimated_width);
  ASSERT_EQ(layout.end_labels.size(), 2U);
  EXPECT_THAT(layout.keys, IsEmpty());
  EXPECT_THAT(texts_outside(scene_of(apart, layout)), IsEmpty());
}

TEST(FigureLayout, HasALegendWhereLabelsCollide) {
  Plot plot{.marks = {}};
  for (std::size_t line = 0; line < 4; ++line)
    for (const double x : {1.0, 2.0}) plot.marks.push_back({.line = line, .x = x, .value = 5 + 1e-3 * x});
  plot.x.domain = {0, 3};
  plot.y.domain = {0, 10};
  const Picture close = picture_of(chart_of(plot, {"a", "b", "c", "d"}));
  const Layout layout = lay_out(close, sheet(), estimated_width);
  EXPECT_THAT(layout.end_labels, IsEmpty());
  EXPECT_EQ(layout.keys.size(), 4U);
  EXPECT_THAT(texts_outside(scene_of(close, layout)), IsEmpty());
}

TEST(FigureLayout, CutsLongLabels) {
  std::vector<busbar::Run> runs = two_runs(2);
  for (busbar::Run& run : runs) run.head.labels["note"] = run.path + std::string(90, 'x');
  const Picture picture = picture_of(charts_over_size(runs).at(0));
  const Layout layout = lay_out(picture, sheet(), estimated_width);
  EXPECT_THAT(layout.keys.at(0).label, testing::EndsWith("..."));
  EXPECT_THAT(texts_outside(scene_of(picture, layout)), IsEmpty());
}

TEST(FigureLayout, WrapsOrTurnsNames) {
  const auto names_of = [](const std::string& name) {
    Plot plot{.kind = PlotKind::bars};
    for (int i = 0; i < 4; ++i) plot.marks.push_back({.group = name + std::to_string(i), .value = 1});
    plot.y.domain = {0, 1};
    const Picture picture = picture_of(chart_of(plot, {"a"}));
    const Layout layout = lay_out(picture, sheet(), estimated_width);
    EXPECT_THAT(texts_outside(scene_of(picture, layout)), IsEmpty()) << name;
    return layout.names;
  };
  EXPECT_EQ(names_of("2 "), NameLayout::plain);
  EXPECT_EQ(names_of("4 ranks on two nodes "), NameLayout::wrapped);
  EXPECT_EQ(names_of(std::string(30, 'x')), NameLayout::turned);
}

TEST(FigureLayout, RefusesASheetWithoutRoom) {
  const Picture picture = picture_of(charts_over_size(two_runs(8)).at(0));
  EXPECT_THAT(catch_error([&] { (void)lay_out(picture, sheet(8.4, 2), estimated_width); }),
              HasSubstr("--height: 2 cm leave no room"));
  EXPECT_THAT(catch_error([&] { (void)lay_out(picture, sheet(2, 6), estimated_width); }),
              HasSubstr("--width: 2 cm leave no room"));
}

TEST(FigureLayout, LimitsTheLegend) {
  Plot plot{.marks = {}};
  std::vector<std::string> lines;
  for (std::size_t line = 0; line < 50; ++line) {
    lines.push_back(fmt::format("line {}", line));
    plot.marks.push_back({.line = line, .x = 1, .value = 1});
  }
  const Picture picture = picture_of(chart_of(plot, lines));
  ASSERT_EQ(picture.keys.size(), 20U);
  EXPECT_EQ(picture.keys.back().label, "and 31 more");
  EXPECT_EQ(picture.curves.size(), 50U);
}

TEST(FigureLayout, GrowsWithTheLegend) {
  Plot plot{.marks = {}};
  std::vector<std::string> lines;
  for (std::size_t line = 0; line < 12; ++line) {
    lines.push_back(fmt::format("platform={} with a long name", line));
    plot.marks.push_back({.line = line, .x = 1, .value = 1});
  }
  plot.x.domain = plot.y.domain = {0, 2};
  const Picture picture = picture_of(chart_of(plot, lines));
  EXPECT_GT(usual_height(picture, sheet(), estimated_width), sheet().height + 50);
}

// Words

TEST(FigureWords, NameTheOrigin) {
  EXPECT_EQ(origin_note(charts_over_size(two_runs(2)).at(0), two_runs(2), {}), "");
  const auto simulated = two_runs(2, Origin::simulated);
  const Chart chart = charts_over_size(simulated).at(0);
  EXPECT_EQ(origin_note(chart, simulated, {"a (simulated)", "b (simulated)"}), "") << "each label says it";
  EXPECT_EQ(origin_note(chart, simulated, {"a (simulated)", "b (simul..."}), "simulated") << "a label is cut";
}

TEST(FigureWords, NameAPartOfTheOrigin) {
  auto mixed = two_runs(2);
  mixed[1].head.origin = Origin::imported;
  const Chart over_size = charts_over_size(mixed).at(0);
  EXPECT_EQ(origin_note(over_size, mixed, {"a", "b (imported)"}), "") << "the label of the imported run says it";
  EXPECT_EQ(origin_note(over_size, mixed, {"a", "b (impo..."}), "partly imported");
  Plot plot{.marks = {{.x = 1, .value = 1}}};
  EXPECT_EQ(origin_note(chart_of(plot, {"step"}), mixed, {"step"}), "partly imported");
  plot.title = "a, data parallel";
  EXPECT_EQ(origin_note(chart_of(plot, {"step"}), mixed, {"step"}), "") << "of the measured run only";
  plot.title = "b (imported): data parallel";
  EXPECT_EQ(origin_note(chart_of(plot, {"step"}), mixed, {"step"}), "imported");
}

TEST(FigureWords, FindTheRunsOfAChart) {
  auto runs = two_runs(2);
  runs[1].path = "allreduce.jsonl";  // named like a collective
  const auto ids = [&](const Chart& chart) {
    std::string all;
    for (const busbar::Run* run : runs_of(chart, runs)) all += run->head.id + " ";
    return all;
  };
  Plot plot{.title = "allreduce", .marks = {{.x = 1, .value = 1}}};
  EXPECT_EQ(ids(chart_of(plot, {"8 B"})), "id-a id-b ");
  EXPECT_EQ(ids(chart_of(plot, {"allreduce, 2 ranks"})), "id-b ");
  plot.title = "a: over the run";
  EXPECT_EQ(ids(chart_of(plot, {"8 B"})), "id-a ");
  EXPECT_EQ(ids(charts_over_size(runs).at(0)), "id-a id-b ");
}

TEST(FigureWords, ShowTheOriginInThePicture) {
  auto simulated = two_runs(8, Origin::simulated);
  for (busbar::Run& run : simulated) run.head.labels["note"] = run.path + std::string(80, 'x');
  const auto pgf = [](const std::vector<busbar::Run>& runs) {
    return make_figure(charts_over_size(runs).at(2), runs, {}, FileType::pgf, "-o").picture;
  };
  EXPECT_THAT(pgf(simulated), HasSubstr("{simulated};\n")) << "the labels are cut";
  EXPECT_THAT(pgf(two_runs(8, Origin::simulated)), HasSubstr("a (simulated)"));
}

TEST(FigureWords, PutUnitsIntoColumnNames) {
  const auto head = [](const Chart& chart) {
    const std::string csv = data_csv(chart);
    return csv.substr(0, csv.find('\n'));
  };
  const auto charts = charts_over_size(two_runs(2));
  EXPECT_EQ(head(charts.at(0)), "run,series,size_bytes,busbw_GBps,busbw_low_GBps,busbw_high_GBps");
  EXPECT_EQ(head(charts.at(2)), "run,series,size_bytes,time_s,time_low_s,time_high_s");
  EXPECT_THAT(data_csv(charts.at(2)), HasSubstr("\na,,8,1e-06,9e-07,1.2e-06\n"));
  Plot plot{.marks = {{.x = 1, .value = 1}}};
  plot.x.title = "ranks";
  plot.y.title = "images/s";
  EXPECT_EQ(head(chart_of(plot, {"a"})), "run,series,ranks,images_per_s,images_low_per_s,images_high_per_s");
  plot.y.title = "efficiency (%)";
  EXPECT_EQ(head(chart_of(plot, {"a"})),
            "run,series,ranks,efficiency_percent,efficiency_low_percent,efficiency_high_percent");
}

TEST(FigureWords, ExplainAFigure) {
  auto runs = two_runs(8);
  runs[0].head.method = {.rank_rule = RankRule::slowest, .statistic = Statistic::median};
  runs[1].head.method = runs[0].head.method;
  const std::string text = caption_text(charts_over_size(runs).at(0), runs);
  for (const char* part : {"allreduce: busbw (GB/s) over size.", "Lines: a; b.", "95 % confidence intervals",
                           "median over iterations, the slowest rank of each", "Both axes are logarithmic.",
                           "\nRuns:\na: measured", "run id-b"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(FigureWords, EscapeForTex) {
  auto runs = two_runs(8);
  runs[0].head.labels["a_b"] = "\\input{x}%$~^";
  const Chart chart = charts_over_size(runs).at(2);
  const Picture picture = picture_of(chart);
  const std::string text = pgf_text(picture, lay_out(picture, sheet(), estimated_width), provenance_of(chart, runs));
  EXPECT_THAT(text, HasSubstr("a\\_b=\\textbackslash{}input\\{x\\}\\%\\$\\textasciitilde{}\\textasciicircum{}"));
  EXPECT_THAT(text, Not(HasSubstr("\\input{x}")));
  EXPECT_THAT(text, HasSubstr("xmode=log"));
}

}  // namespace
}  // namespace busbar::figure::test
