// SPDX-License-Identifier: Apache-2.0
// Which lines a chart shows, their labels, ratios of two runs, and axes shared by all charts of a document.
#include <set>

#include <gtest/gtest.h>

#include "core/base/json.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/statistics/log_ratio.hpp"
#include "reports/compare/pooled.hpp"
#include "reports/compare/ratio_band.hpp"
#include "reports/compare/sides.hpp"
#include "reports/document/document.hpp"
#include "reports/drawing/chart_spec.hpp"
#include "reports/drawing/chart_words.hpp"
#include "reports/drawing/line_labels.hpp"
#include "reports/drawing/plot_spec.hpp"
#include "reports/drawing/render.hpp"

namespace busbar::report::test {
namespace {

using Json = nlohmann::json;
using Texts = std::vector<std::string>;

/// Cases of `factor` us at 8 B and 10 times that at 64 KiB.
Run sweep(const std::string& path, double factor) {
  Run run;
  run.path = path;
  run.head.id = path;
  for (const auto& [bytes, time_us] : {std::pair<std::uint64_t, double>{8, 1}, {1 << 16, 10}}) {
    CaseRecord c{.key = {.collective = "allreduce",
                         .backend = "mpi",
                         .type = "fp32",
                         .bytes = bytes,
                         .in_place = false,
                         .ranks = 2,
                         .nodes = 1}};
    set_bandwidth(c, factor * time_us * 1e-6, 1.0);
    run.cases.push_back(c);
  }
  return run;
}

Charts charts_of(const std::vector<busbar::Run>& runs) { return make_charts(runs).at(0); }

std::size_t count_shown(const Charts& charts) {
  return static_cast<std::size_t>(
      std::ranges::count_if(charts.lines, [&](const Line& l) { return is_shown(l, charts.legend); }));
}

/// Names of the runs that are shown.
Texts shown_runs(const Charts& charts) {
  Texts names;
  for (const Line& line : charts.lines)
    if (is_shown(line, charts.legend)) names.push_back(line.run);
  return names;
}

TEST(ShownLines, AreTheFastestTheSlowestAndSomeBetweenInTheOrderOfTheRuns) {
  std::vector<busbar::Run> runs;  // by time: 3, 6, 9, 12, 2, 5, 8, 11, 1, 4, 7, 10, 0
  for (int i = 0; i < 13; ++i) runs.push_back(sweep("run" + std::to_string(i) + ".jsonl", 1 + (9 * i + 12) % 13));
  const Charts charts = charts_of(runs);
  EXPECT_EQ(charts.lines.size(), 13U);
  EXPECT_EQ(count_shown(charts), most_shown_lines);
  EXPECT_EQ(shown_runs(charts), (Texts{"run0", "run3", "run4", "run5", "run7", "run9", "run11", "run12"}))
      << "ranks 0, 2, 3, 5, 7, 9, 10, 12 by time";
  EXPECT_EQ(charts.choice, "8 of 13 lines: fastest, slowest and 6 between at 64 KiB");
  std::set<std::size_t> colours_shown;
  for (std::size_t i = 0; i < charts.legend.size(); ++i) {
    EXPECT_EQ(charts.legend[i].style.colour, charts.lines[i].style.colour);
    if (charts.legend[i].shown) colours_shown.insert(charts.legend[i].style.colour % colours);
  }
  EXPECT_EQ(colours_shown.size(), 8U) << "two lines that are shown have the same colour";
  const Json spec = chart_spec(charts, Quantity::time);
  EXPECT_EQ(spec["params"][0]["value"], Json({"run1", "run2", "run6", "run8", "run10"}));
  const std::string words = chart_words(charts, Quantity::time);
  EXPECT_EQ(words.find("run2:"), std::string::npos) << words;
  EXPECT_NE(words.find("run12:"), std::string::npos) << words;
  EXPECT_NE(words.find("And 5 more lines."), std::string::npos) << words;
}

TEST(ShownLines, AreAllIfTheyAreFew) {
  std::vector<busbar::Run> runs;
  for (int i = 0; i < 8; ++i) runs.push_back(sweep("run" + std::to_string(i) + ".jsonl", 1));
  EXPECT_EQ(count_shown(charts_of(runs)), 8U);
  EXPECT_EQ(charts_of(runs).choice, "");
}

/// Lines of as many runs, and their legend.
std::pair<std::vector<Line>, std::vector<LegendEntry>> lines_of_runs(std::size_t count) {
  std::pair<std::vector<Line>, std::vector<LegendEntry>> made;
  for (std::size_t i = 0; i < count; ++i) {
    made.first.push_back({.run = std::to_string(i)});
    made.second.push_back({.label = std::to_string(i)});
  }
  return made;
}

std::string bytes_text(double x) { return std::to_string(static_cast<int>(x)) + " B"; }

TEST(ShownLines, AreChosenAtTheLargestSizeThatMostLinesHave) {
  auto [lines, legend] = lines_of_runs(10);
  LineValues by{.values = {{.line = 0, .x = 512, .value = 1}}, .text = bytes_text};  // a size that others lack
  for (std::size_t i = 0; i < 9; ++i) {
    by.values.push_back({.line = i, .x = 8, .value = 1.0 + static_cast<double>(i)});
    by.values.push_back({.line = i, .x = 64, .value = 100.0 - static_cast<double>(i)});
  }
  EXPECT_EQ(show_few(legend, lines, by), "8 of 10 lines: lowest, highest and 6 between at 64 B");
  EXPECT_TRUE(is_shown(lines[0], legend));
  EXPECT_TRUE(is_shown(lines[8], legend));
  EXPECT_FALSE(is_shown(lines[9], legend)) << "it has no value there";
}

TEST(ShownLines, AreFilledUpWhereFewHaveTheSameSize) {
  auto [lines, legend] = lines_of_runs(12);
  LineValues by{.values = {}, .text = bytes_text};
  for (std::size_t i = 0; i < 12; ++i) by.values.push_back({.line = i, .x = i < 9 ? 1.0 + double(i) : 100, .value = 1});
  EXPECT_EQ(show_few(legend, lines, by), "8 of 12 lines: those with 100 B, then the first of the others");
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(is_shown(lines[i], legend), i < 5 || i > 8) << i;
}

TEST(ShownLines, OfOneRunAreSeries) {
  std::vector<Line> lines;
  std::vector<LegendEntry> legend;
  LineValues by{.values = {}, .text = bytes_text};
  for (std::size_t i = 0; i < 9; ++i) {
    lines.push_back({.run = "run", .series = std::to_string(i)});
    legend.push_back({.is_run = false, .label = std::to_string(i)});
    by.values.push_back({.line = i, .x = 8, .value = double(i)});
  }
  EXPECT_EQ(show_few(legend, lines, by), "8 of 9 lines: lowest, highest and 6 between at 8 B");
  EXPECT_TRUE(is_shown(lines[0], legend) && is_shown(lines[8], legend));
}

TEST(ShownLines, OfAFigureAreChosenByItsFirstPlotAndNamedOnThePage) {
  Figure figure{.title = "Hidden share over size", .plots = {Plot{}}};
  for (std::size_t i = 0; i < 9; ++i) {
    add_line(figure, "run " + std::to_string(i));
    figure.plots[0].marks.push_back({.line = i, .x = 1024, .value = i == 4 ? 100 : double(i)});
  }
  figure.plots[0].x = size_axis({1024, 2048});
  show_few(figure, place_of_size);
  EXPECT_EQ(figure.choice, "8 of 9 lines: lowest, highest and 6 between at 1 KiB");
  EXPECT_TRUE(figure.legend[0].shown && figure.legend[4].shown);
  EXPECT_EQ(figure.lines[8].style.colour, figure.legend[8].style.colour);
  const std::string page = render_html({.chapters = {{.name = "a", .blocks = {figure}}}}, "draw()");
  EXPECT_NE(page.find("<span class=\"choice\">" + figure.choice + "</span>"), std::string::npos);
}

TEST(ShownLines, KeepColoursThatEntriesShareOnPurpose) {
  auto [lines, legend] = lines_of_runs(10);
  for (LegendEntry& entry : legend) entry.style.colour = 1;
  EXPECT_FALSE(show_few(legend, lines, {.values = {}, .text = bytes_text}).empty());
  EXPECT_TRUE(std::ranges::all_of(legend, [](const LegendEntry& e) { return e.style.colour == 1; }));
}

TEST(ShownLines, KeepTheSeriesThatMostRunsHave) {
  auto [lines, legend] = lines_of_runs(7);
  for (Line& line : lines) line.series = "fp32";
  for (const char* run : {"0", "1"}) lines.push_back({.run = run, .series = "fp16"});
  legend.push_back({.is_run = false, .label = "fp16"});
  legend.push_back({.is_run = false, .label = "fp32"});
  EXPECT_EQ(show_few(legend, lines, {.values = {}, .text = bytes_text}), "7 of 9 lines: only fp32");
  EXPECT_FALSE(legend[7].shown);
}

TEST(ShownLines, LoseTheirSeriesBeforeTheirRuns) {
  std::vector<busbar::Run> runs;
  for (int i = 0; i < 6; ++i) {
    runs.push_back(sweep("run" + std::to_string(i) + ".jsonl", 1));
    for (std::size_t c = 0; c < 2; ++c) {
      runs.back().cases.push_back(runs.back().cases[c]);
      runs.back().cases.back().key.in_place = true;
    }
  }
  const Charts charts = charts_of(runs);
  EXPECT_EQ(charts.lines.size(), 12U);
  EXPECT_EQ(count_shown(charts), 6U);
  EXPECT_EQ(charts.choice, "6 of 12 lines: only out of place");
  EXPECT_TRUE(std::ranges::all_of(charts.legend, [](const LegendEntry& e) { return e.shown || !e.is_run; }));
}

TEST(LineNames, LeaveOutWhatAllOfThemBeginWith) {
  EXPECT_EQ(spec::short_names({{.run = "platform=vm"}, {.run = "platform=vega"}}), (Texts{"vm", "vega"}));
  EXPECT_EQ(spec::short_names({{.run = "a", .series = "fp32"}, {.run = "a", .series = "fp64"}}),
            (Texts{"fp32", "fp64"}));
  EXPECT_EQ(spec::short_names({{.run = "a"}, {.run = "a", .series = "in place"}}), (Texts{"a", "in place"}));
  EXPECT_EQ(spec::short_names({{.run = "platform=vm"}}), Texts{"platform=vm"});
}

TEST(LineLabels, AreForFewLinesWithShortNames) {
  EXPECT_TRUE(spec::can_label(std::vector<Line>{{.run = "vm"}, {.run = "metal"}}));
  EXPECT_FALSE(spec::can_label(std::vector<Line>(5, Line{.run = "vm"})));
  EXPECT_FALSE(spec::can_label(std::vector<Line>{{.run = std::string(40, 'x')}, {.run = "y"}}));
  EXPECT_FALSE(spec::can_label(std::vector<Line>{}));
}

TEST(LineLabels, DoNotCoverEachOther) {
  EXPECT_EQ(spec::moved_apart({50, 52, 51}, 10, {0, 100}), (std::vector<double>{50, 70, 60}));
  EXPECT_EQ(spec::moved_apart({95, 99}, 10, {0, 100}), (std::vector<double>{90, 100}));
  EXPECT_EQ(spec::moved_apart({1, 90}, 10, {0, 100}), (std::vector<double>{1, 90}));
}

TEST(LineLabels, AreAtTheLargestSizes) {
  const Json spec = chart_spec(charts_of({sweep("a.jsonl", 1), sweep("b.jsonl", 2)}), Quantity::time);
  const Json& layer = spec["layer"].back();
  EXPECT_EQ(layer["name"], "labels");
  const Json& values = layer["data"]["values"];
  ASSERT_EQ(values.size(), 2U);
  EXPECT_EQ(values[1]["name"], "b");
  EXPECT_EQ(values[1]["bytes"], 1 << 16);
  EXPECT_EQ(values[1]["time"], 2e-5);
  EXPECT_GT(spec["usermeta"]["busbar"]["labels"], 5);
}

TEST(RatioBand, IsOfTwoRunsAndHasNoIntervalWithoutAComparison) {
  const std::vector<busbar::Run> runs{sweep("a.jsonl", 1), sweep("b.jsonl", 2)};
  const auto ratio = compare::RatioBands(nullptr).of(charts_of(runs));
  ASSERT_TRUE(ratio);
  ASSERT_EQ(ratio->marks.size(), 2U);
  EXPECT_DOUBLE_EQ(ratio->marks[0].value, 2);
  EXPECT_FALSE(ratio->marks[0].interval);
  EXPECT_NE(ratio->caption.find("No interval"), std::string::npos) << ratio->caption;
  EXPECT_EQ(ratio->regions.at(0).label, "b slower");
  EXPECT_FALSE(compare::RatioBands(nullptr).of(charts_of({runs[0]})));
  EXPECT_FALSE(compare::RatioBands(nullptr).of(charts_of({runs[0], runs[1], sweep("c.jsonl", 3)})));
}

TEST(RatioBand, TakesTheIntervalOfTheComparison) {
  const std::vector<busbar::Run> runs{sweep("a.jsonl", 1), sweep("b.jsonl", 2)};
  for (const bool swapped : {false, true}) {
    std::vector<busbar::Run> compared = runs;
    if (swapped) std::swap(compared[0], compared[1]);
    const compare::Request request = compare::between({"first", "second"}, 1, {});
    const compare::Comparison comparison = compare::compare(compared, request);
    const compare::Told told{.runs = compared, .request = request, .comparison = comparison, .differences = {}};
    const Charts charts = charts_of(compared);
    const auto ratio = compare::RatioBands(&told).of(charts);
    ASSERT_TRUE(ratio);
    const compare::ComparedCase& point = comparison.sets.at(0).pairs.at(0).points.at(0);
    EXPECT_NEAR(ratio->marks[0].value, swapped ? 0.5 : 2, 1e-9);
    ASSERT_TRUE(ratio->marks[0].interval);
    EXPECT_DOUBLE_EQ(ratio->marks[0].interval->low, point.interval.low);
    EXPECT_DOUBLE_EQ(ratio->marks[0].interval->high, point.interval.high);
  }
}

/// Launches of two values of a label, with these times relative to sweep().
std::vector<busbar::Run> launches_of(const std::vector<double>& metal, const std::vector<double>& vm) {
  std::vector<busbar::Run> runs;
  const auto add = [&](const std::string& platform, double factor) {
    runs.push_back(sweep("launch" + std::to_string(runs.size()) + ".jsonl", factor));
    runs.back().head.labels["platform"] = platform;
  };
  for (const double factor : metal) add("metal", factor);
  for (const double factor : vm) add("vm", factor);
  return runs;
}

TEST(RatioBand, OfCombinedLaunchesHasTheIntervalOfTheirRatio) {
  const std::vector<busbar::Run> launches = launches_of({1, 1.21}, {2, 2, 2.2});
  const Pooled pooled = report::pooled("--group-by", "platform", launches);
  const auto ratio = compare::RatioBands(nullptr, &pooled).of(charts_of(pooled.runs));
  ASSERT_TRUE(ratio);
  const std::vector<LaunchFigure> a{{.value = 1}, {.value = 1.21}}, b{{.value = 2}, {.value = 2}, {.value = 2.2}};
  const LogRatio expected = *independent_ratio(a, b);
  EXPECT_NEAR(ratio->marks[0].value, expected.ratio(), 1e-9);
  ASSERT_TRUE(ratio->marks[0].interval);
  EXPECT_NEAR(ratio->marks[0].interval->low, expected.interval(0.95).low, 1e-9);
  EXPECT_NEAR(ratio->marks[0].interval->high, expected.interval(0.95).high, 1e-9);
  EXPECT_EQ(ratio->caption,
            "Time of platform=vm over that of platform=metal, with 95 % intervals from launch-to-launch variation.");
}

TEST(RatioBand, OfTooFewCombinedLaunchesHasNoIntervalAndNoWordOnIt) {
  const std::vector<busbar::Run> launches = launches_of({1}, {2});
  const Pooled pooled = report::pooled("--group-by", "platform", launches);
  const auto ratio = compare::RatioBands(nullptr, &pooled).of(charts_of(pooled.runs));
  ASSERT_TRUE(ratio);
  EXPECT_FALSE(ratio->marks[0].interval);
  EXPECT_EQ(ratio->caption, "Time of platform=vm over that of platform=metal.");
}

TEST(RatioBand, OfAlternatingLaunchesHasTheIntervalOfPairs) {
  std::vector<busbar::Run> launches = launches_of({1, 2, 3, 4, 5}, {2, 4.1, 6, 8.1, 10});
  for (std::size_t i = 0; i < 5; ++i) {
    launches[i].head.start_utc = "2026-01-31T12:0" + std::to_string(i) + ":00Z";
    launches[i + 5].head.start_utc = "2026-01-31T12:0" + std::to_string(i) + ":30Z";
  }
  const Pooled pooled = report::pooled("--group-by", "platform", launches);
  const auto ratio = compare::RatioBands(nullptr, &pooled).of(charts_of(pooled.runs));
  ASSERT_TRUE(ratio && ratio->marks[0].interval);
  EXPECT_LT(ratio->marks[0].interval->high / ratio->marks[0].interval->low, 1.1) << "the launches' drift is common";
}

TEST(PlotSpec, NamesTheFactWithTheValue) {
  Plot plot{.marks = {{.x = 8, .value = 2, .facts = {{"size", "8 B"}, {"difference", "+100 %"}}}},
            .value_fact = "difference"};
  plot.x = size_axis({8, 16});
  const std::vector<Line> lines{{.run = "a"}};
  const std::vector<LegendEntry> legend;
  const Json about = plot_spec(plot, 3, {.lines = lines, .legend = legend})["usermeta"]["busbar"];
  EXPECT_EQ(
      about,
      Json(
          {{"x", "x"}, {"y", "value"}, {"sizes", true}, {"plot", 3}, {"facts", {"size", "difference"}}, {"value", 1}}));
}

TEST(SharedSizes, GiveAllChartsOfADocumentOneAxis) {
  Charts small{.title = "small", .bytes = {8, 64}};
  Plot plot{.x = size_axis({1024, 1 << 20})};
  plot.guides = {{.label = "", .points = {{plot.x.domain.low, 1}, {plot.x.domain.high, 1}}}};
  Plot ranks{.x = {.title = "ranks", .domain = {1, 4}}};
  Document document{.chapters = {{.blocks = {small, Figure{.plots = {plot, ranks}}}}}};
  share_sizes(document);
  const auto& charts = std::get<Charts>(document.chapters[0].blocks[0]);
  EXPECT_EQ(charts.bytes.low, 8);
  EXPECT_EQ(charts.bytes.high, 1 << 20);
  const auto& figure = std::get<Figure>(document.chapters[0].blocks[1]);
  EXPECT_EQ(figure.plots[0].x.domain.low, size_axis({8, 1 << 20}).domain.low);
  EXPECT_EQ(figure.plots[0].guides[0].points[0].first, figure.plots[0].x.domain.low);
  EXPECT_EQ(figure.plots[0].guides[0].points[1].first, figure.plots[0].x.domain.high);
  EXPECT_EQ(figure.plots[1].x.domain.high, 4);
}

TEST(ChartWords, GiveTheMainFigures) {
  const Charts charts = charts_of({sweep("a.jsonl", 1), sweep("b.jsonl", 2)});
  EXPECT_EQ(chart_words(charts, Quantity::time),
            "time over size, allreduce. a: 1 us at 8 B, 10 us at 64 KiB. b: 2 us at 8 B, 20 us at 64 KiB.");
  EXPECT_EQ(chart_words(charts, Quantity::busbw),
            "busbw (GB/s) over size, allreduce. a: at most 6.55 GB/s at 64 KiB. b: at most 3.28 GB/s at 64 KiB.");
}

}  // namespace
}  // namespace busbar::report::test
