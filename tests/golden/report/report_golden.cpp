// SPDX-License-Identifier: Apache-2.0
// Reports made from input/*.jsonl, byte for byte as they lie in expected/. BUSBAR_UPDATE_GOLDEN=1 in the environment
// rewrites them instead (scripts/update-golden): the review reads the difference.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "core/journal/journal.hpp"
#include "core/record/run.hpp"
#include "core/tables/case_table.hpp"
#include "reports/drawing/page.hpp"
#include "reports/drawing/render.hpp"
#include "reports/figure/figure.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/escape.hpp"
#include "tests/unit/virtual_launches.hpp"

namespace busbar::report::test {
namespace {

const std::filesystem::path folder = BUSBAR_GOLDEN_FOLDER;

std::vector<Run> read(const std::vector<std::string>& names) {
  std::vector<Run> runs;
  for (const std::string& name : names) runs.push_back(read_journal(folder / "input" / name));
  return runs;
}

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return (std::ostringstream() << in.rdbuf()).str();
}

void put_out(std::string& text, std::string_view part, std::string_view name) {
  const std::size_t at = text.find(part);
  ASSERT_NE(at, std::string::npos) << name << " is not in the page";
  text.replace(at, part.size(), name);
}

/// The page with names in place of its style sheet and script, and without their hashes: these are no part of what a
/// report says, and change with each word of theirs.
std::string page(const Document& document, std::string_view bundle) {
  std::string text = render_html(document, bundle);
  put_out(text, page_css(), "reports/page/page.css");
  if (!bundle.empty()) put_out(text, script_text(page_js()), "reports/page/*.js");
  return std::regex_replace(text, std::regex("'sha256-[^']*'"), "'sha256-...'");
}

void expect_golden(const std::string& text, const char* name) {
  const auto path = folder / "expected" / name;
  if (std::getenv("BUSBAR_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  EXPECT_TRUE(text == content(path)) << path << " differs; look at it with: scripts/update-golden && git diff "
                                     << path.parent_path();
}

TEST(ReportGolden, TwoMeasuredRuns) {
  const Document document = make_document("busbar report", read({"metal.jsonl", "vm.jsonl"}));
  expect_golden(render_markdown(document), "two-runs.md");
  expect_golden(page(document, ""), "two-runs.html");
}

TEST(ReportGolden, ImportedBesideMeasured) {
  const Document document =
      make_document("Imported & measured", read({"metal.jsonl", "imported-n2.jsonl", "imported-n8.jsonl"}));
  expect_golden(render_markdown(document), "imported.md");
}

TEST(ReportGolden, MarkupInARecordWithCharts) {
  const Document document = make_document("hostile", read({"hostile.jsonl"}));
  expect_golden(render_markdown(document), "hostile.md");
  expect_golden(page(document, "/* stands in for the chart library */"), "hostile.html");
}

TEST(ReportGolden, GpusAndTheirLinks) {
  expect_golden(render_markdown(make_document("GPUs", read({"gpus.jsonl"}))), "gpus.md");
}

TEST(ReportGolden, PairsOfDevices) {
  expect_golden(render_markdown(make_document("Pairs", read({"pairs.jsonl"}))), "pairs.md");
}

TEST(ReportGolden, StudyOfSimulatedFabrics) {
  std::vector<std::string> files;
  for (const std::string fabric : {"torus.hdr", "torus.100gbe", "dragonfly.hdr", "dragonfly.100gbe"})
    for (const std::string algorithm : {"ring", "recursive-doubling"})
      files.push_back(fmt::format("study/{}.{}.8.jsonl", fabric, algorithm));
  expect_golden(render_markdown(make_document("Study", read(files), {.fastest = "algorithm"})), "study.md");
}

TEST(ReportGolden, TrainingsMeasuredAndReplayed) {
  const Document document = make_document("Training", read({"training.jsonl", "training-replayed.jsonl"}));
  expect_golden(render_markdown(document), "training.md");
  expect_golden(page(document, ""), "training.html");
}

TEST(ReportGolden, VirtualMachinesAndEmulation) {
  const std::string lab =
      "1 of 1 virtual machines on one machine (q35), QEMU 7.2.22 emulating the CPU (TCG: no /dev/kvm), 2 virtual CPUs "
      "not pinned";
  const std::vector<busbar::test::MadeUpPlatform> platforms{
      {.name = "host", .virtualisation = "bare metal", .stolen = 0.0},
      {.name = "VM",
       .virtualisation = "KVM",
       .small = 1.1,
       .large = 1.02,
       .computing = 1.04,
       .stolen = 0.03,
       .noise = 0.05,
       .clock_source = "kvm-clock"},
      {.name = "emulated VM",
       .virtualisation = "QEMU",
       .lab = lab,
       .small = 30,
       .large = 20,
       .computing = 25,
       .exchange = 20,
       .clock_source = "acpi_pm"}};
  const auto document = make_document("Virtualisation", busbar::test::made_up_launches(platforms, 6),
                                      {.by = "platform", .across = {"lab"}, .sections = {"virtualisation"}});
  expect_golden(render_markdown(document), "virtualisation.md");
}

/// A figure's files as one text, without version and revision.
TEST(FigureGolden, SpeedupOfTrainings) {
  const auto runs = read({"training.jsonl", "training-replayed.jsonl"});
  const auto charts = figure::charts_of(make_document("", runs));
  std::string text;
  for (const figure::Chart& chart : charts) text += chart.name + ": " + figure::subject_of(chart) + "\n";
  const figure::FigureFiles files = figure::make_figure(figure::find_chart(charts, "resnet50-speedup"), runs,
                                                        {.font_pt = 7}, figure::FileType::pgf, "-o");
  text += "\n" + files.caption.substr(0, files.caption.rfind("\n\n") + 1) + "\n" + files.data + "\n" + files.picture;
  expect_golden(std::regex_replace(text, std::regex("busbar [0-9]+[.][0-9.]+"), "busbar VERSION"), "figure.txt");
}

TEST(TableGolden, MeasuredAndImported) {
  std::string text;
  for (const auto& run : read({"metal.jsonl", "imported-n2.jsonl"})) text += table(run) + "\n";
  expect_golden(text, "tables.txt");
}

}  // namespace
}  // namespace busbar::report::test
