// SPDX-License-Identifier: Apache-2.0
#include "reports/explain/size_verdict.hpp"

#include <algorithm>

#include "core/grades/grade.hpp"
#include "reports/explain/curve.hpp"
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

using report::Judgement;
using report::SizeVerdict;
using ::testing::ElementsAre;

constexpr double ceiling_GBps = 15;  ///< busbw of a smooth curve with 4 ranks, without its 20 us

/// Verdicts on a run whose ceiling is `ceiling` times that of the smooth curve.
class Verdicts {
 public:
  explicit Verdicts(const Run& run, double ceiling = 1, const KnownOfCases& known = {})
      : charts_(report::make_charts({run}, {.finish = [ceiling](const CaseRecord& c, report::ChartPoint& p) {
                                      p.busbw_GBps = 1.5 * static_cast<double>(c.key.bytes) * 1e-9 / *c.time_s;
                                      p.ceiling_GBps = ceiling * ceiling_GBps;
                                    }})) {
    judge_sizes(charts_.front(), known);
  }
  [[nodiscard]] const SizeVerdict& at(std::uint64_t bytes) const {
    return *std::ranges::find(charts_.front().points, bytes, &report::ChartPoint::bytes)->verdict;
  }

 private:
  std::vector<report::Charts> charts_;
};

TEST(SizeVerdict, SplitsTheTimeIntoLatencyAndBandwidth) {
  const Verdicts smooth(quiet_run());
  EXPECT_NEAR(*smooth.at(256).growing_share, 0, 0.01);
  EXPECT_NEAR(*smooth.at(256U << 10).growing_share, 0.57, 0.02);  // 26 of 46 us
  EXPECT_NEAR(*smooth.at(16U << 20).growing_share, 0.98, 0.02);
  EXPECT_NEAR(*smooth.at(256).over_line, 1, 0.01);
  EXPECT_LT(*smooth.at(256U << 10).over_line, 1);
  EXPECT_FALSE(smooth.at(8).over_line) << "nothing is smaller";
}

TEST(SizeVerdict, JudgesWhatGrows) {
  const Verdicts reached(quiet_run());
  EXPECT_EQ(reached.at(256U << 10).judgement, Judgement::good) << "far below the ceiling, but for its latency";
  EXPECT_EQ(reached.at(16U << 20).judgement, Judgement::good);
  EXPECT_EQ(reached.at(256).judgement, Judgement::open) << "all latency";
  const Verdicts far_below(quiet_run(), 3);
  EXPECT_EQ(far_below.at(256U << 10).judgement, Judgement::open);
  EXPECT_EQ(far_below.at(16U << 20).judgement, Judgement::doubtful);
}

TEST(SizeVerdict, NamesTheFindingsAtThatSizeOnly) {
  const busbar::Run run =
      imported_run([](std::uint64_t bytes) { return smooth_s(bytes) * (bytes == (128U << 10) ? 2 : 1); },
                   [](std::uint64_t bytes) { return smooth_s(bytes) * (bytes == (128U << 10) ? 2 : 1); });
  const std::vector<busbar::Run> runs{run};
  const auto found = explained(runs);
  KnownOfCases known;
  add_findings(known, found);
  for (const CaseRecord& c : runs[0].cases) {
    const auto at = known.find(&c);
    ASSERT_EQ(at != known.end(), c.key.bytes == (128U << 10)) << c.key.bytes;
    if (at == known.end()) continue;
    EXPECT_EQ(at->second.found.front()->rule->name, "dip");
  }
}

TEST(SizeVerdict, DoubtsWhatIsSuspiciousOrDisturbed) {
  const busbar::Run run = quiet_run();
  std::vector<report::Charts> charts = report::make_charts(std::vector{run});
  const CaseGrade disturbed{.grade = Grade::d,
                            .reasons = {{.doubt = Doubt::contention, .at_most = Grade::d, .text = ""}}};
  const Rule rule{.name = "dip", .about = "one size is slow", .suspicious = true, .look = nullptr};
  const Found certain{.rule = &rule, .finding = {.certainty = Certainty::known}};
  const Found doubtful{.rule = &rule, .finding = {.certainty = Certainty::possible}};
  auto& points = charts.front().points;
  const KnownOfCases known{{points[0].record, {.grade = &disturbed, .found = {}}},
                           {points[1].record, {.grade = nullptr, .found = {&certain}}},
                           {points[2].record, {.grade = nullptr, .found = {&doubtful}}}};
  judge_sizes(charts.front(), known);
  EXPECT_EQ(points[0].verdict->judgement, Judgement::doubtful);
  EXPECT_EQ(points[0].verdict->grade, "D: contention");
  EXPECT_EQ(points[1].verdict->judgement, Judgement::doubtful);
  EXPECT_EQ(points[1].verdict->remarks, std::vector<std::string>{"one size is slow (known)"});
  EXPECT_EQ(points[2].verdict->judgement, Judgement::open) << "chance can explain it";
}

TEST(SizeVerdict, NamesAFallOfTheBandwidth) {
  const Verdicts falls(busbar::Run{.cases = sweep([](std::uint64_t bytes) {
                                     return smooth_s(bytes) * (bytes > (4U << 20) ? 3 : 1);  // beyond a cache
                                   })});
  EXPECT_THAT(falls.at(4U << 20).remarks, IsEmpty());
  EXPECT_THAT(falls.at(8U << 20).remarks, ElementsAre("34 % of the busbw at 4 MiB, the highest of all smaller sizes"));
}

}  // namespace
}  // namespace busbar::explain::test
