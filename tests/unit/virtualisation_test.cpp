// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/compare/sides.hpp"
#include "reports/drawing/render.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/virtualisation/blocks.hpp"
#include "reports/virtualisation/conclusions.hpp"
#include "tests/unit/virtual_launches.hpp"

// Made-up launches of which every cost is known.

namespace busbar::virtualisation::test {
namespace {

using busbar::test::made_up_launches, busbar::test::MadeUpPlatform;
using compare::Verdict;
using ::testing::HasSubstr, ::testing::Not;
using Runs = std::vector<busbar::Run>;

const MadeUpPlatform host{.name = "host", .virtualisation = "bare metal", .stolen = 0.0};
const MadeUpPlatform vm{
    .name = "VM", .virtualisation = "KVM", .small = 1.10, .large = 1.02, .stolen = 0.0, .clock_source = "kvm-clock"};
const MadeUpPlatform emulated{
    .name = "TCG",
    .virtualisation = "QEMU",
    .lab = "1 of 1 virtual machines on one machine (q35), QEMU 7.2.22 emulating the CPU (TCG: no /dev/kvm)",
    .small = 30,
    .large = 20,
    .computing = 25,
    .exchange = 20,
    .stolen = 0.0,
    .clock_source = "acpi_pm"};

MadeUpPlatform with(MadeUpPlatform p, auto change) {
  change(p);
  return p;
}

/// Studies with what they refer to.
struct Told {
  explicit Told(Runs all, const std::string& by = "platform", std::vector<std::string> across = {"lab"})
      : runs(std::move(all)),
        request(compare::by(by, runs, {}, across)),
        comparison(compare::compare(runs, request)),
        studies(studies_of({.runs = runs, .request = request, .comparison = comparison, .differences = {}}, {})) {}
  Runs runs;
  compare::Request request;
  compare::Comparison comparison;
  std::vector<Study> studies;

  [[nodiscard]] std::vector<report::Block> blocks() const { return blocks_of(studies, runs); }
  [[nodiscard]] std::string text() const {
    return report::render_markdown(
        {.title = "", .summary = "", .chapters = {{.name = "", .title = "", .blocks = blocks()}}});
  }
};

const Row& row(const std::vector<Row>& rows, const std::string& what) {
  const auto it = std::ranges::find(rows, what, &Row::what);
  if (it == rows.end()) throw std::runtime_error("no row " + what);
  return *it;
}

/// The ratio is near the true one, which its interval contains; the interval is narrower than `width`.
void expect_ratio(const compare::ComparedCase& p, double ratio, double width = 0.03) {
  EXPECT_NEAR(p.ratio.ratio(), ratio, width * ratio);
  EXPECT_LT(p.interval.low, ratio);
  EXPECT_GT(p.interval.high, ratio);
  EXPECT_LT(p.interval.high - p.interval.low, width * ratio);
}

// Costs

TEST(Virtualisation, TenPercentOfSmallMessages) {
  const Told told(made_up_launches({host, vm}, 6));
  ASSERT_EQ(told.studies.size(), 1U);
  const Study& s = told.studies[0];
  EXPECT_EQ(s.sides[reference].text(), "host (bare metal)");
  EXPECT_EQ(s.sides[other].text(), "VM (KVM)");
  for (const std::string name : {"allreduce", "alltoall", "pingpong"}) {
    expect_ratio(row(s.messages, name + ", small").point, 1.10);
    EXPECT_EQ(row(s.messages, name + ", small").point.verdict, Verdict::slower);
    EXPECT_EQ(row(s.messages, name + ", small").sizes, "8 B, 1 KiB");
    expect_ratio(row(s.messages, name + ", large").point, 1 / 1.02);  // of the bandwidth
    EXPECT_EQ(row(s.messages, name + ", large").sizes, "128 KiB, 1 MiB");
  }
  expect_ratio(row(s.overall, "small messages").point, 1.10);
  expect_ratio(row(s.overall, "large messages").point, 1.02);
  EXPECT_THAT(verdict_sentence(s), HasSubstr("VM (KVM) against host (bare metal): time of small messages +"));
  EXPECT_EQ(s.curves.size(), 3U);
  EXPECT_EQ(s.curves[0].points.size(), 5U);
}

TEST(Virtualisation, IntervalsOfSeveralSizesCoverTheTrueRatio) {
  std::uint64_t seed = 100;
  const double covered = busbar::test::share_of(300, [&] {
    const Told told(made_up_launches({host, vm}, 4, ++seed));
    const auto& interval = row(told.studies.at(0).overall, "small messages").point.interval;
    return interval.low <= 1.10 && interval.high >= 1.10;
  });
  EXPECT_GT(covered, 0.92);
  EXPECT_LT(covered, 0.98);
}

TEST(Virtualisation, RatesAndEfficiencyOfTrainings) {
  const Told told(made_up_launches({host, with(vm, [](auto& p) { p.exchange = 1.5; })}, 6));
  const Study& s = told.studies.at(0);
  ASSERT_EQ(s.trainings.size(), 3U);
  EXPECT_EQ(s.trainings[0].sizes, "1 rank on 1 node");
  expect_ratio(s.trainings[0].point, 1.0);
  expect_ratio(s.trainings[1].point, 0.42 / 0.47);  // 0.3 s computing, 0.1 or 0.15 s exchange, 0.02 s updates
  EXPECT_EQ(s.trainings[2].what, "resnet50, efficiency");
  expect_ratio(s.trainings[2].point, 0.42 / 0.47);
}

TEST(Virtualisation, SizesThatALaunchLacksAreLeftOut) {
  Runs runs = made_up_launches({host, vm}, 4);
  std::erase_if(runs[3].cases, [](const CaseRecord& c) { return c.key.bytes == 8 && c.key.collective == "alltoall"; });
  const Told told(std::move(runs));
  EXPECT_EQ(row(told.studies.at(0).messages, "alltoall, small").sizes, "1 KiB");
  EXPECT_EQ(row(told.studies.at(0).messages, "allreduce, small").sizes, "8 B, 1 KiB");
}

// Sides

TEST(Virtualisation, NoStudyWithoutADifference) {
  EXPECT_TRUE(Told(made_up_launches({host, with(host, [](auto& p) { p.name = "again"; })}, 3)).studies.empty());
  const auto unknown = with(vm, [](auto& p) { p.virtualisation = "unknown"; });
  const Told told(made_up_launches({host, unknown}, 3));
  EXPECT_TRUE(told.studies.empty());
  EXPECT_TRUE(told.blocks().empty());
}

TEST(Virtualisation, TheReferenceHasFewerLayersWhateverItsName) {
  const auto first = with(vm, [](auto& p) { p.name = "a VM"; });  // sorts before "host"
  const Told told(made_up_launches({first, host}, 6));
  const Study& s = told.studies.at(0);
  EXPECT_EQ(s.sides[reference].name, "host");
  expect_ratio(row(s.overall, "small messages").point, 1.10);
  expect_ratio(s.curves.at(0).points.front(), 1.10);
  EXPECT_EQ(s.curves.at(0).points.front().verdict, Verdict::slower);
}

TEST(Virtualisation, AMachineOfALabOnAVirtualHostIsALayerMore) {
  const auto cloud = with(vm, [](auto& p) { p.name = "z cloud", p.small = 1; });
  const auto nested = with(
      vm, [](auto& p) { p.name = "nested", p.lab = "1 of 1 virtual machines on one machine (pc), QEMU with KVM"; });
  const Told told(made_up_launches({cloud, nested}, 6));
  ASSERT_EQ(told.studies.size(), 1U);
  EXPECT_EQ(told.studies[0].sides[reference].name, "z cloud");
  EXPECT_FALSE(told.studies[0].emulated());
  EXPECT_THAT(told.text(), HasSubstr("nested is a lab: 1 of 1 virtual machines"));
}

TEST(Virtualisation, ContainersAreALayer) {
  const auto docker = with(host, [](auto& p) { p.name = "docker", p.container = "docker", p.small = 1.05; });
  const Told told(made_up_launches({docker, host}, 6));
  ASSERT_EQ(told.studies.size(), 1U);
  EXPECT_EQ(told.studies[0].sides[other].text(), "docker (bare metal in docker)");
  expect_ratio(row(told.studies[0].overall, "small messages").point, 1.05);
}

TEST(Virtualisation, OtherLabelsAreStudiesOfTheirOwn) {
  Runs runs = made_up_launches({host, vm}, 3);
  for (busbar::Run& run : runs) run.head.labels["network"] = "slow";
  for (busbar::Run& run : made_up_launches({host, with(vm, [](auto& p) { p.small = 1.3; })}, 3, 2)) {
    run.head.id += "-fast";
    run.head.labels["network"] = "fast";
    runs.push_back(std::move(run));
  }
  const Told told(std::move(runs));
  ASSERT_EQ(told.studies.size(), 2U);
  EXPECT_EQ(told.studies[0].labels, "network=slow");
  expect_ratio(row(told.studies[0].overall, "small messages").point, 1.1, 0.06);
  expect_ratio(told.studies[0].curves.at(0).points.front(), 1.1, 0.06);
  expect_ratio(row(told.studies[1].overall, "small messages").point, 1.3, 0.06);
  expect_ratio(told.studies[1].curves.at(0).points.front(), 1.3, 0.06);
}

// Emulation

bool names_tcg(const report::Table& t) {
  return std::ranges::any_of(t.columns, [](const report::Column& c) { return c.title == "TCG"; });
}

TEST(Virtualisation, EmulatedSidesAreApart) {
  const Told told(made_up_launches({host, vm, emulated}, 4));
  ASSERT_EQ(told.studies.size(), 2U);  // the emulated one only against the host
  EXPECT_FALSE(told.studies[0].emulated());
  EXPECT_TRUE(told.studies[1].emulated());
  EXPECT_EQ(told.studies[1].sides[reference].name, "host");
  const auto blocks = told.blocks();
  const auto& first = std::get<report::Paragraph>(blocks.front());
  EXPECT_EQ(first.text,
            "Emulated (TCG): TCG (QEMU, lab). These figures are of an emulated CPU and say nothing about what "
            "virtualisation costs.");
  EXPECT_EQ(first.tone, report::Tone::warning);
  std::size_t figures = 0, tables = 0;
  for (const report::Block& block : blocks) {
    if (const auto* table = std::get_if<report::Table>(&block)) {
      ++tables;
      EXPECT_EQ(names_tcg(*table), table->title.find("(emulated)") != std::string::npos) << table->title;
    }
    if (const auto* figure = std::get_if<report::Figure>(&block)) {
      ++figures;
      EXPECT_EQ(names_tcg(figure->tables.at(0)), figure->title.find("(emulated)") != std::string::npos);
    }
  }
  EXPECT_EQ(figures, 2U);
  EXPECT_EQ(tables, 6U);  // of each study: workloads, machines, step
}

TEST(Virtualisation, EmulationHasNoAdviceAndNoConclusion) {
  const Told told(made_up_launches({host, emulated}, 4));
  EXPECT_THAT(told.text(), Not(HasSubstr("What to change")));
  EXPECT_THAT(told.text(), Not(HasSubstr("Largest part")));
  EXPECT_THAT(told.text(), Not(HasSubstr("Where the cost lies")));
}

// Where it lies

TEST(Virtualisation, UncountedStolenTime) {
  const Told uncounted(made_up_launches({host, with(vm, [](auto& p) { p.stolen.reset(); })}, 3));
  const Fact* fact = find_fact(uncounted.studies.at(0), FactKind::stolen);
  ASSERT_NE(fact, nullptr);
  EXPECT_EQ(fact->values[other], "not counted");
  EXPECT_EQ(fact->values[reference], "0.0 %");
  EXPECT_FALSE(fact->point.has_value());
  const Told zeros(made_up_launches({host, vm}, 3));  // none lost, or a kernel that does not count
  EXPECT_EQ(find_fact(zeros.studies.at(0), FactKind::stolen)->values[other], "none counted");
  const Told tcg(made_up_launches({host, emulated}, 3));  // its zeros mean nothing
  EXPECT_EQ(find_fact(tcg.studies.at(0), FactKind::stolen)->values[other], "not counted");
}

TEST(Virtualisation, StolenTimeAndItsAdvice) {
  const Told much(made_up_launches({host, with(vm, [](auto& p) { p.stolen = 0.05; })}, 3));
  const Fact* fact = find_fact(much.studies.at(0), FactKind::stolen);
  ASSERT_NE(fact, nullptr);
  EXPECT_EQ(fact->values[other], "5.0 %");
  EXPECT_NEAR(fact->point->ratio.ratio(), 1 / 0.95, 1e-9);
  EXPECT_THAT(much.text(), HasSubstr("Pin virtual CPUs to physical ones"));
  const auto pinned = [](auto& p) {
    p.stolen = 0.05,
    p.lab = "1 of 1 virtual machines on one machine (q35), QEMU 7.2.22 with KVM, 2 virtual CPUs on CPU 0,1";
  };
  EXPECT_THAT(Told(made_up_launches({host, with(vm, pinned)}, 3)).text(), HasSubstr("keep other guests"));
  const Told little(made_up_launches({host, with(vm, [](auto& p) { p.stolen = 0.01; })}, 3));
  EXPECT_TRUE(advice_of(little.studies.at(0), little.runs).empty());
}

TEST(Virtualisation, TheLargestPartOfAStepIfItIsClear) {
  const Told cpu(made_up_launches({host, with(vm, [](auto& p) { p.computing = 1.1; })}, 6));
  EXPECT_THAT(conclusions(cpu.studies.at(0)).front().second,
              HasSubstr("Largest part: computing of the slowest rank, +"));
  const Told network(made_up_launches({host, with(vm, [](auto& p) { p.exchange = 1.5; })}, 6));
  EXPECT_THAT(conclusions(network.studies.at(0)).front().second, HasSubstr("Largest part: exposed exchange, +"));
  const auto vague = [](auto& p) { p.computing = 1.1, p.spread = 0.2; };
  const Told unclear(made_up_launches({with(host, [](auto& p) { p.spread = 0.2; }), with(vm, vague)}, 6));
  EXPECT_THAT(conclusions(unclear.studies.at(0)).front().second, HasSubstr("cannot tell where it lies"));
  const auto both = [](auto& p) { p.computing = 1.1, p.exchange = 1.3; };  // 0.03 s each
  const Told equal(made_up_launches({host, with(vm, both)}, 6));
  EXPECT_THAT(conclusions(equal.studies.at(0)).front().second, HasSubstr("Which part is the largest cannot be told"));
}

TEST(Virtualisation, PartsOfAStepAsSharesOfIt) {
  const Told told(made_up_launches({host, with(vm, [](auto& p) { p.computing = 1.1; })}, 6));
  const Step& step = *largest_steps(told.studies.at(0)).at(0);
  EXPECT_EQ(step.what, "resnet50 on 2 ranks on 1 node");
  EXPECT_EQ(step.parts.at(0).what, "computing of the slowest rank");
  EXPECT_NEAR(step.parts.at(0).added, 0.03 / 0.42, 0.005);
  EXPECT_LT(step.parts.at(0).added_interval.low, step.parts.at(0).added);
  EXPECT_NEAR(step.parts.at(1).added, 0, 0.005);
}

TEST(Virtualisation, LatencyWithinAndBetweenHosts) {
  const Told one(made_up_launches({host, vm}, 4));
  EXPECT_EQ(find_fact(one.studies.at(0), FactKind::latency_between), nullptr);
  const Fact* within = find_fact(one.studies.at(0), FactKind::latency_within);
  ASSERT_NE(within, nullptr);
  EXPECT_EQ(within->what, "smallest latency within a host (pingpong of 8 B)");
  expect_ratio(*within->point, 1.10);
  const auto two = [](auto& p) { p.nodes = 2; };
  const auto slow = [](auto& p) { p.nodes = 2, p.small = 1.5; };
  const Told between(made_up_launches({with(host, two), with(vm, slow)}, 4));
  expect_ratio(*find_fact(between.studies.at(0), FactKind::latency_between)->point, 1.5);
  EXPECT_THAT(between.text(), HasSubstr("SR-IOV"));
  EXPECT_THAT(between.text(), HasSubstr("the network's share is unknown"));
  const Told different(made_up_launches({host, with(vm, slow)}, 4), "platform", {"lab", "topology"});
  EXPECT_EQ(find_fact(different.studies.at(0), FactKind::latency_between)->values[reference], "not measured");
  EXPECT_EQ(find_fact(different.studies.at(0), FactKind::latency_within)->values[other], "not measured");
}

TEST(Virtualisation, AdviceOnClocksAndNoise) {
  const Told clock(made_up_launches({host, with(vm, [](auto& p) { p.clock_source = "hpet"; })}, 3));
  EXPECT_THAT(clock.text(), HasSubstr("Use kvm-clock or tsc"));
  const Told noise(made_up_launches({host, with(vm, [](auto& p) { p.noise = 0.08; })}, 4));
  EXPECT_THAT(noise.text(), HasSubstr("isolate their physical CPUs"));
  const auto docker = [](auto& p) { p.name = "docker", p.container = "docker", p.noise = 0.08; };
  EXPECT_THAT(Told(made_up_launches({host, with(host, docker)}, 4)).text(), Not(HasSubstr("What to change")));
  const Told none(made_up_launches({host, vm}, 4));
  EXPECT_THAT(none.text(), Not(HasSubstr("What to change")));
}

TEST(Virtualisation, SingleLaunchesSayThatTheirSpreadIsAssumed) {
  const Told told(made_up_launches({host, vm}, 1));
  EXPECT_THAT(told.text(), HasSubstr("ASSUMED"));
  EXPECT_THAT(Told(made_up_launches({host, vm}, 3)).text(), Not(HasSubstr("ASSUMED")));
}

// The section

TEST(Virtualisation, SectionOfAReport) {
  const auto chapters = [](const Runs& runs, const std::string& by) {
    std::vector<std::string> names;
    for (const auto& c : report::make_document("", runs, {.by = by, .pool = {"platform"}, .across = {"lab"}}).chapters)
      names.push_back(c.name);
    return names;
  };
  const Runs runs = made_up_launches({host, vm}, 3);
  EXPECT_THAT(chapters(runs, "platform"), ::testing::Contains("virtualisation"));
  EXPECT_THAT(chapters(runs, "virtualisation"), ::testing::Contains("virtualisation"));
  EXPECT_THAT(chapters(runs, ""), Not(::testing::Contains("virtualisation")));
}

}  // namespace
}  // namespace busbar::virtualisation::test
