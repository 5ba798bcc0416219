// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/record/run.hpp"
#include "reports/drawing/render.hpp"
#include "reports/platform/interconnects.hpp"
#include "reports/platform/picture.hpp"
#include "reports/sections/report_document.hpp"

namespace busbar::platform {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

PlatformSpec spec(const std::string& topology, int nodes, int gpus = 1) {
  PlatformSpec s{.topology = topology, .nodes = nodes, .gpus = gpus, .nics = gpus, .figures_from = "a test"};
  s.interconnect = find_interconnect("hdr").figures;
  if (gpus > 1) s.gpu_link = find_gpu_link("nvlink3").figures;
  return s;
}

auto has_label(const std::string& text) { return Contains(Field(&report::Label::text, text)); }

class EachPicture : public testing::TestWithParam<PlatformSpec> {
 protected:
  report::Sketch sketch = picture_of(GetParam()).sketch;
};
INSTANTIATE_TEST_SUITE_P(, EachPicture,
                         testing::Values(spec("single-switch", 4), spec("single-switch", 1024, 16),
                                         spec("fat-tree:2-level", 21, 8), spec("fat-tree:2-level", 512),
                                         spec("fat-tree:3-level", 401), spec("fat-tree:3-level", 1024, 2),
                                         spec("torus:2x2", 0), spec("torus:32x32", 0), spec("torus:3x4x5", 0),
                                         spec("dragonfly:2x1x1", 0), spec("dragonfly", 512, 4)));

TEST_P(EachPicture, FitsItsFrame) {
  for (const auto& s : sketch.shapes) {
    EXPECT_GE(s.middle.x - s.width / 2, 0);
    EXPECT_LE(s.middle.x + s.width / 2, sketch.width);
    EXPECT_GE(s.middle.y - s.height / 2, 0);
    EXPECT_LE(s.middle.y + s.height / 2, sketch.height);
  }
  for (const auto& l : sketch.labels) {
    EXPECT_GT(l.at.y, 10) << l.text;
    EXPECT_LT(l.at.y, sketch.height) << l.text;
    EXPECT_LT(l.text.size(), 62U) << l.text;  // what fits across at 6 units a letter
  }
}

TEST_P(EachPicture, HasNoOverlaps) {
  std::set<std::pair<double, double>> places;
  for (const auto& s : sketch.shapes) EXPECT_TRUE(places.insert({s.middle.x, s.middle.y}).second);
}

TEST_P(EachPicture, StaysSmall) { EXPECT_LT(report::svg_element(sketch).size(), 30'000U); }

TEST(Picture, NamesTheNumberDrawn) {
  const auto labels = picture_of(spec("fat-tree:2-level", 512, 8)).sketch.labels;
  EXPECT_THAT(labels, has_label("26 leaf switches, 8 drawn"));
  EXPECT_THAT(labels, has_label("20 spine switches, 8 drawn"));
  EXPECT_THAT(labels, has_label("512 nodes, 24 drawn"));
  EXPECT_THAT(labels, has_label("8 GPUs, nvlink3, 300 GB/s each way"));
  EXPECT_THAT(picture_of(spec("single-switch", 4)).sketch.labels, has_label("4 nodes"));
}

TEST(Picture, DrawsTheNumberItNames) {
  const auto sketch = picture_of(spec("fat-tree:2-level", 512)).sketch;
  EXPECT_EQ(std::ranges::count(sketch.shapes, report::ShapeKind::box, &report::Shape::kind), 16);
  EXPECT_EQ(std::ranges::count(sketch.shapes, report::ShapeKind::dot, &report::Shape::kind), 24);
  EXPECT_EQ(sketch.strokes.size(), 8U * 8 + 24);
}

TEST(Picture, BendsCablesAroundSwitches) {
  const auto bent = [](const std::string& words) {
    return std::ranges::count_if(picture_of(spec(words, 0)).sketch.strokes, &report::Stroke::bent);
  };
  EXPECT_EQ(bent("torus:4x4"), 8);
  EXPECT_EQ(bent("torus:2x2"), 0);
  EXPECT_EQ(bent("torus:9x9"), 0);  // of nine, eight are drawn: the cable round is not
}

TEST(Picture, ListsTheLevelsInATable) {
  const auto d = picture_of(spec("fat-tree:3-level", 512, 8));
  std::vector<std::string> levels;
  for (const auto& row : d.tables.at(0).rows) levels.push_back(row.at(0) + ": " + row.at(1));
  EXPECT_THAT(levels,
              testing::ElementsAre("8 GPUs of a node: nvlink3 per GPU, each way",
                                   "512 nodes to 26 leaf switches: 4096 hdr NICs of 24.84 GB/s each way",
                                   "26 leaf switches to 40 aggregation switches: 4160 hdr cables of 24.84 GB/s "
                                   "each way",
                                   "40 aggregation switches to 400 core switches: 6400 hdr cables of 24.84 GB/s "
                                   "each way"));
}

Run simulated(Properties platform) {
  Run run;
  run.path = "a.jsonl";
  run.head.origin = Origin::simulated;
  run.head.simulation = Simulation{.simulator = "SimGrid SMPI",
                                   .version = "3.32",
                                   .platform_file = "fat.xml",
                                   .platform_sha256 = std::string(64, 'a'),
                                   .platform = std::move(platform)};
  return run;
}

std::string markdown(const std::vector<busbar::Run>& runs) {
  return report::render_markdown(report::make_document("t", runs));
}

std::string page(const std::vector<busbar::Run>& runs) {
  return report::render_html(report::make_document("t", runs), "");
}

TEST(PlatformSection, AppearsOnlyForSimulatedRuns) {
  EXPECT_THAT(markdown({busbar::Run{}}), Not(HasSubstr("Simulated platform")));
  const std::string one = markdown({simulated(properties(spec("torus:4x4", 0)))});
  EXPECT_THAT(one, HasSubstr("## Simulated platform"));
  EXPECT_THAT(one, HasSubstr("nothing was measured"));
  EXPECT_THAT(one, HasSubstr("### fat.xml"));
  EXPECT_THAT(one, HasSubstr("SHA-256: aaaaaaaaaaaaaaaa"));
  EXPECT_THAT(one, HasSubstr("between 16 routers"));
}

TEST(PlatformSection, ShowsOnePlatformOfSeveralRunsOnce) {
  const auto run = simulated(properties(spec("torus:4x4", 0)));
  const std::string text = page({run, run});
  EXPECT_EQ(text.find("<svg class=\"sketch\""), text.rfind("<svg class=\"sketch\""));
  EXPECT_NE(text.find("<svg class=\"sketch\""), std::string::npos);
}

TEST(PlatformSection, ListsSettingsInWhichRunsDiffer) {
  auto ring = simulated(properties(spec("torus:4x4", 0))), doubling = ring;
  ring.head.simulation->settings = {{"smpi/allreduce", "lr"}};
  doubling.head.simulation->settings = {{"smpi/allreduce", "rdb"}};
  const std::string text = markdown({ring, doubling, doubling});
  EXPECT_THAT(text, HasSubstr("runs: 3 runs"));
  EXPECT_THAT(text, HasSubstr("| smpi/allreduce lr | 1 | a (simulated) |"));
  EXPECT_THAT(text, HasSubstr("| smpi/allreduce rdb | 2 | "));
}

TEST(PlatformSection, ReportsAPlatformWithoutDescription) {
  const std::string text = page({simulated({{"busbar.topology", "<script>"}})});
  EXPECT_THAT(text, HasSubstr("the platform lacks the properties"));
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
}

}  // namespace
}  // namespace busbar::platform
