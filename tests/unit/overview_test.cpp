// SPDX-License-Identifier: Apache-2.0
// The first screen of a report: which verdict, figures and findings it opens with.
#include "reports/sections/overview.hpp"

#include <algorithm>
#include <regex>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/drawing/render.hpp"
#include "reports/runs/title.hpp"
#include "reports/sections/report_document.hpp"

namespace busbar::report::test {
namespace {

using ::testing::Contains, ::testing::Field, ::testing::HasSubstr, ::testing::IsEmpty, ::testing::SizeIs;

CaseRecord allreduce(std::uint64_t bytes, double time_s) {
  CaseRecord c{
      .key = {.collective = "allreduce", .backend = "mpi", .type = "fp32", .bytes = bytes, .ranks = 4, .nodes = 2}};
  set_bandwidth(c, time_s, 1.5);
  return c;
}

/// A sweep on two nodes that ended well.
busbar::Run sweep(std::map<std::string, std::string> labels = {}, double slower = 1) {
  busbar::Run run;
  run.path = "sweep.jsonl";
  run.head.labels = std::move(labels);
  run.head.ranks = 4;
  run.head.nodes = 2;
  run.cases = {allreduce(8, 2e-6 * slower), allreduce(1 << 20, 1e-4 * slower), allreduce(64 << 20, 1e-2 * slower)};
  run.end = EndRecord{.status = EndStatus::ok};
  return run;
}

CaseRecord training(int ranks, double rate, std::optional<double> efficiency) {
  CaseRecord c{
      .key = {.kind = CaseKind::training, .collective = "resnet50", .backend = "mpi", .ranks = ranks, .nodes = 1}};
  c.key.training.emplace();
  c.time_s = 1;
  c.training.emplace();
  c.training->samples_per_s = rate;
  if (efficiency)
    c.training->scaling = Scaling{.baseline_ranks = 1,
                                  .baseline_samples_per_s = rate,
                                  .speed_up = *efficiency * ranks,
                                  .efficiency = *efficiency};
  return c;
}

Overview overview_of(const std::vector<busbar::Run>& runs, const DocumentOptions& options = {}) {
  return make_overview(Material(runs, options));
}

const KeyFigure& figure(const Overview& o, const std::string& title) {
  for (const KeyFigure& f : o.figures)
    if (f.title == title) return f;
  ADD_FAILURE() << "no figure called " << title;
  static const KeyFigure none;
  return none;
}

std::vector<std::string> texts(const std::vector<Remark>& remarks) {
  std::vector<std::string> all;
  for (const Remark& r : remarks) all.push_back(r.text);
  return all;
}

TEST(Overview, ShowsLargeMessagesAndSmallOnes) {
  const Overview o = overview_of({sweep()});
  EXPECT_EQ(o.verdict, "allreduce reaches 10.07 GB/s busbw at 64 MiB and takes 2 us at 8 B.");
  EXPECT_EQ(o.judgement, Judgement::open);
  EXPECT_EQ(figure(o, "allreduce, 64 MiB").value, "10.07");
  EXPECT_THAT(figure(o, "allreduce, 64 MiB").scope, HasSubstr("peak 15.73 at 1 MiB"));
  EXPECT_EQ(figure(o, "allreduce, 64 MiB").link, "allreduce-64MiB");
  EXPECT_EQ(figure(o, "allreduce, 8 B").unit, "us");
  ASSERT_THAT(o.charts, ::testing::Not(IsEmpty()));
}

TEST(Overview, ComparesLargeMessagesWithTheCeiling) {
  const Overview half = overview_of({sweep()}, {.line_rate = expected::parse_line_rate("20GB/s")});
  EXPECT_THAT(figure(half, "allreduce, 64 MiB").expected, HasSubstr("network between nodes"));
  EXPECT_THAT(half.verdict, HasSubstr("% of what the network between nodes allows)"));
  EXPECT_EQ(overview_of({sweep()}, {.line_rate = expected::parse_line_rate("100GB/s")}).judgement, Judgement::doubtful);
  EXPECT_EQ(overview_of({sweep()}, {.line_rate = expected::parse_line_rate("11GB/s")}).judgement, Judgement::good);
}

TEST(Overview, NamesARunFarBelowTheCeilingThatAnotherReaches) {
  const expected::LineRate rate = expected::parse_line_rate("11GB/s");
  const Overview o = overview_of({sweep({{"net", "fast"}}), sweep({{"net", "slow"}}, 4)}, {.line_rate = rate});
  EXPECT_THAT(texts(o.remarks), ::testing::Contains("net=slow: allreduce reaches only 23 % of 11.00 GB/s, network "
                                                    "between nodes, at 64 MiB"));
  const Overview both = overview_of({sweep({{"net", "a"}}, 4), sweep({{"net", "b"}}, 5)}, {.line_rate = rate});
  EXPECT_THAT(texts(both.remarks), ::testing::Each(::testing::Not(HasSubstr("reaches only")))) << "its figure says it";
}

TEST(Overview, OpensWithAFailure) {
  busbar::Run run = sweep();
  run.end = EndRecord{.status = EndStatus::aborted, .reason = "rank 1 made no progress for 20 s"};
  run.cases[1].status = Status::failed;
  run.cases[1].reason = "wrong data on rank 2";
  const Overview o = overview_of({run});
  EXPECT_EQ(o.judgement, Judgement::bad);
  EXPECT_EQ(o.verdict, "The run did not finish: rank 1 made no progress for 20 s, after 3 cases.");
  EXPECT_EQ(figure(o, "failed cases").value, "1");
  EXPECT_THAT(o.remarks.at(0).text, HasSubstr("1 of 3 cases failed, first 1 MiB of allreduce: wrong data on rank 2"));
}

TEST(Overview, OpensWithWrongDataBeforeAnythingElse) {
  busbar::Run run = sweep();
  run.end.reset();
  for (std::size_t i = 0; i < 2; ++i) run.cases[i].status = Status::failed;
  run.cases[1].check.state = CheckState::failed;
  run.cases[1].reason = "wrong data on rank 2";
  const Overview o = overview_of({run});
  EXPECT_EQ(o.verdict, "2 of 3 cases failed, first 1 MiB of allreduce: wrong data on rank 2.");
  EXPECT_EQ(o.remarks.at(0).text, "The run did not finish: its record has no end, after 3 cases");
  EXPECT_THAT(texts(o.remarks), ::testing::Each(::testing::Not(HasSubstr("wrong"))));  // said once
}

TEST(Overview, NamesOneLostLaunchOfManyAfterTheResults) {
  std::vector<busbar::Run> runs;
  for (int i = 0; i < 8; ++i) runs.push_back(sweep({{"day", std::to_string(i)}}));
  runs[3].end.reset();
  const Overview o = overview_of(runs);
  EXPECT_EQ(o.judgement, Judgement::doubtful);
  EXPECT_THAT(o.verdict, HasSubstr("takes 2 us at 8 B, but 1 of 8 runs did not finish."));
  EXPECT_EQ(o.remarks.at(0).text, "1 of 8 runs did not finish, first day=3: its record has no end");
  EXPECT_THAT(texts(o.remarks), ::testing::Not(::testing::Contains("The run did not finish")));  // said once
}

TEST(Overview, SaysInTheVerdictWhatCastsDoubtOnIt) {
  busbar::Run run = sweep();
  for (std::size_t i = 0; i < 2; ++i) run.cases[i].throttled = true;
  const Overview o = overview_of({run});
  EXPECT_EQ(o.judgement, Judgement::doubtful);
  EXPECT_THAT(o.verdict, HasSubstr(", but 2 of 3 cases were disturbed, by throttling."));
}

TEST(Overview, SaysThatDisturbedFiguresCannotBeUsed) {
  busbar::Run run = sweep();
  for (CaseRecord& c : run.cases) c.contention = Contention{.reasons = {"waited 60 % of the time for a CPU"}};
  const Overview o = overview_of({run});
  EXPECT_EQ(o.judgement, Judgement::bad);
  EXPECT_THAT(o.verdict, HasSubstr("Not usable: 3 of 3 cases were disturbed, by contention"));
}

TEST(Overview, MarksAFigureWhoseCaseWasDisturbed) {
  busbar::Run run = sweep();
  run.cases.back().contention = Contention{.reasons = {"waited 60 % of the time for a CPU"}};
  const Overview o = overview_of({run});
  EXPECT_EQ(figure(o, "allreduce, 64 MiB").expected, "disturbed: contention (grade D)");
  EXPECT_EQ(figure(o, "allreduce, 64 MiB").judgement, Judgement::doubtful);
  EXPECT_EQ(figure(o, "allreduce, 8 B").expected, "");
  EXPECT_EQ(o.verdict, "allreduce reaches 10.07 GB/s busbw at 64 MiB, disturbed by contention, and takes 2 us at 8 B.");
}

TEST(Overview, ComparesTheSidesOnRequest) {
  const std::vector<busbar::Run> runs{sweep({{"platform", "metal"}}), sweep({{"platform", "vm"}}, 3)};
  const Overview o = overview_of(runs, {.by = "platform"});
  EXPECT_THAT(o.verdict, HasSubstr("vm vs metal at 3 points: slower at 3"));
  EXPECT_EQ(figure(o, "largest difference").value, "3.00x");
  EXPECT_EQ(figure(o, "slower").value, "3");
  EXPECT_EQ(figure(o, "slower").scope, "vm vs metal");
}

/// Ten nights; from the sixth on, everything takes `slower` times as long.
std::vector<busbar::Run> nights(double slower) {
  std::vector<busbar::Run> runs;
  for (int night = 0; night < 10; ++night) {
    runs.push_back(sweep({}, (night < 5 ? 1 : slower) * (1 + 0.002 * (night % 3))));
    runs.back().head.start_utc = "2026-03-1" + std::to_string(night) + "T02:00:00Z";
  }
  return runs;
}

TEST(Overview, SaysSinceWhenNightsAreSlower) {
  const Overview o = overview_of(nights(1.3));
  EXPECT_EQ(o.judgement, Judgement::doubtful);
  EXPECT_THAT(o.verdict, HasSubstr("Since 2026-03-15T02:00:00Z 3 of 3 cases are slower, median +30"));
  EXPECT_EQ(figure(o, "time since 2026-03-15").value, "+30.1");
  EXPECT_EQ(o.charts.front().chapter, "trend");
}

TEST(Overview, SaysThatNightsHaveNoLastingChange) {
  const Overview o = overview_of(nights(1));
  EXPECT_EQ(figure(o, "lasting changes").value, "0");
  EXPECT_THAT(o.verdict, HasSubstr("allreduce reaches"));
}

TEST(Overview, ShowsTheOnlyRatioThatTwoSidesHave) {
  std::vector<busbar::Run> runs{sweep({{"platform", "metal"}}), sweep({{"platform", "vm"}}, 1.1)};
  for (busbar::Run& run : runs) run.cases.resize(1);
  const Overview o = overview_of(runs, {.by = "platform"});
  EXPECT_EQ(figure(o, "8 B of allreduce, time ratio").value, "1.100");
  EXPECT_THAT(figure(o, "8 B of allreduce, time ratio").scope, HasSubstr("vm vs metal: inconclusive"));
}

TEST(Overview, ShowsTheEfficiencyOfTheLargestScale) {
  busbar::Run run = sweep();
  run.cases = {training(1, 30, std::nullopt), training(4, 114, 0.95)};
  const Overview o = overview_of({run});
  EXPECT_THAT(o.verdict, HasSubstr("resnet50 trains 114.0 images/s on 4 ranks on 1 node with an efficiency of 95.0 %"));
  EXPECT_EQ(figure(o, "resnet50, efficiency").value, "95.0");
  EXPECT_EQ(o.judgement, Judgement::good);
}

TEST(Overview, CallsALowEfficiencyLow) {
  busbar::Run run = sweep();
  run.cases = {training(1, 30, std::nullopt), training(4, 60, 0.5)};
  const Overview o = overview_of({run});
  EXPECT_THAT(o.verdict, HasSubstr("with an efficiency of only 50.0 %"));
  EXPECT_EQ(o.judgement, Judgement::doubtful);
}

TEST(Overview, NamesARunOnlyWhereOthersHaveItsCollective) {
  std::vector<busbar::Run> runs{sweep({{"setting", "1"}}), sweep({{"setting", "2"}}, 2), sweep({{"setting", "1"}})};
  for (CaseRecord& c : runs[2].cases) c.key.collective = "broadcast";
  const Overview o = overview_of(runs);
  EXPECT_THAT(figure(o, "allreduce, 64 MiB").scope, HasSubstr("setting=1, 4 ranks on 2 nodes"));
  EXPECT_THAT(figure(o, "broadcast, 64 MiB").scope, ::testing::StartsWith("4 ranks on 2 nodes"));
}

TEST(Overview, KeepsTheMarkOfTheOriginOfACutName) {
  std::vector<busbar::Run> runs{sweep({{"setting", "a-very-long-value-of-one-label-1"}}),
                                sweep({{"setting", "a-very-long-value-of-one-label-2"}})};
  for (busbar::Run& run : runs) run.head.origin = Origin::imported;
  EXPECT_THAT(overview_of(runs).figures.at(0).scope,
              HasSubstr("setting=a-very-long-value-of-one... (imported), 4 ranks"));
}

TEST(Overview, HasAtMostSixFiguresAndThreeRemarks) {
  std::vector<busbar::Run> runs{sweep({{"platform", "metal"}}), sweep({{"platform", "vm"}}, 3)};
  for (busbar::Run& run : runs) {
    for (const CaseRecord& c : std::vector(run.cases)) {
      for (const char* collective : {"allgather", "broadcast"}) {
        run.cases.push_back(c);
        run.cases.back().key.collective = collective;
      }
    }
    run.cases.push_back(training(1, 30, std::nullopt));
    run.cases.push_back(training(4, 114, 0.95));
  }
  const Overview o = overview_of(runs, {.by = "platform"});
  EXPECT_THAT(o.figures, SizeIs(most_figures));
  EXPECT_LE(o.remarks.size(), most_remarks);
}

TEST(Overview, OfNothingMeasuredHasNoVerdict) { EXPECT_EQ(overview_of({}).verdict, ""); }

/// Runs of two platforms with sweeps, a training and a failed case: figures and remarks with many kinds of evidence.
std::vector<busbar::Run> runs_of_all_kinds() {
  std::vector<busbar::Run> runs{sweep({{"platform", "metal"}}), sweep({{"platform", "vm"}}, 3)};
  for (busbar::Run& run : runs) {
    run.cases.push_back(training(1, 30, std::nullopt));
    run.cases.push_back(training(4, 114, 0.95));
    run.cases[0].contention = Contention{.reasons = {"waited 60 % of the time for a CPU"}};
  }
  runs[1].cases[1].status = Status::failed;
  return runs;
}

std::set<std::string> matches(const std::string& page, const char* pattern) {
  const std::regex regex(pattern);
  std::set<std::string> all;
  for (auto at = std::sregex_iterator(page.begin(), page.end(), regex); at != std::sregex_iterator(); ++at)
    all.insert(at->str(1));
  return all;
}

/// Links of a page that name neither an element nor, if page/cases.js is in it, a size of a card.
std::vector<std::string> dead_links(const std::string& page, bool with_charts) {
  const auto ids = matches(page, "id=\"([^\"]+)\"");
  std::vector<std::string> dead;
  for (const std::string& link : matches(page, "href=\"#([^\"]*)\"")) {
    const std::string card = link.substr(0, link.rfind('-'));
    const bool is_case = with_charts && std::ranges::any_of(ids, [&](const std::string& id) {
                           return id == card || id.starts_with(card + "-");
                         });
    if (!ids.contains(link) && !is_case) dead.push_back(link);
  }
  return dead;
}

bool has(const std::string& page, const std::string& text) { return page.find(text) != std::string::npos; }

TEST(Overview, LinksOnlyToWhatThePageHas) {
  const std::vector<busbar::Run> runs = runs_of_all_kinds();
  for (const Section* section : table<Section>()) {
    const Document document = make_document("", runs, {.by = "platform", .sections = {std::string(section->name)}});
    for (const std::string_view bundle : {"", "/* draws */"}) {
      const std::string page = render_html(document, bundle);
      EXPECT_THAT(dead_links(page, !bundle.empty()), IsEmpty()) << section->name;
      for (const KeyFigure& f : document.overview.figures)
        EXPECT_TRUE(has(page, ">" + f.title + "</span>")) << f.title << " in a page of " << section->name;
    }
  }
}

TEST(Overview, LinksToEvidenceInThePage) {
  const Document whole = make_document("", {sweep()});
  const std::string drawn = render_html(whole, "/* draws */"), tables = render_html(whole, "");
  EXPECT_TRUE(has(drawn, "<a href=\"#allreduce-64MiB\"><span class=\"of\">allreduce, 64 MiB"));
  EXPECT_TRUE(has(tables, "<a href=\"#allreduce\"><span class=\"of\">allreduce, 64 MiB")) << "no script shows a case";
  EXPECT_TRUE(has(drawn, "Each figure leads to its evidence."));
  const std::string part = render_html(make_document("", {sweep()}, {.sections = {"method"}}), "/* draws */");
  EXPECT_TRUE(has(part, "<div><span class=\"of\">allreduce, 64 MiB"));
  EXPECT_FALSE(has(part, "leads to its evidence"));
}

TEST(Overview, LinksAFindingToTheFindingsWhereThePageHasNoChart) {
  busbar::Run run = sweep();
  run.cases[2].time_s = 4e-2;
  for (CaseRecord& c : run.cases) c.interval_s = Interval{.low = 0.9 * *c.time_s, .high = 1.1 * *c.time_s};
  const std::vector<busbar::Run> runs{run};
  const Document document = make_document("", runs, {.sections = {"findings"}});
  ASSERT_THAT(document.overview.remarks, Contains(Field(&Remark::link, "allreduce-64MiB")));
  const std::string page = render_html(document, "/* draws */");
  EXPECT_THAT(dead_links(page, true), IsEmpty());
  EXPECT_TRUE(has(page, "to 1.68 GB/s at 64 MiB <a href=\"#findings\">evidence"));
}

TEST(Anchors, AreReadable) {
  EXPECT_EQ(anchor_of("allreduce: fp32, sum"), "allreduce-fp32-sum");
  EXPECT_EQ(anchor_of_case("allreduce (simulated)", 4 << 20), "allreduce-simulated-4MiB");
}

TEST(Title, SaysWhatWasMeasuredWhere) {
  EXPECT_EQ(title_of({sweep()}, ""), "allreduce on 2 nodes, 4 ranks");
  EXPECT_EQ(title_of({sweep()}, "platform"), "allreduce on 2 nodes, 4 ranks, by platform");
  busbar::Run other = sweep();
  other.head.hosts = {Host{.name = "vm"}};
  other.head.origin = Origin::imported;
  for (const char* collective : {"allgather", "broadcast", "alltoall"}) {
    other.cases.push_back(other.cases[0]);
    other.cases.back().key.collective = collective;
  }
  other.cases.push_back(training(1, 30, std::nullopt));
  EXPECT_EQ(title_of({other}, ""), "4 collectives and resnet50 on vm, 4 ranks (imported)");
}

}  // namespace
}  // namespace busbar::report::test
