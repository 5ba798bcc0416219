// SPDX-License-Identifier: Apache-2.0
// Reports made from input/*.jsonl, byte for byte as they lie in expected/. BUSBAR_UPDATE_GOLDEN=1 in the environment
// rewrites them instead (scripts/update-golden): the review reads the difference.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "core/case_table.hpp"
#include "core/journal.hpp"
#include "reports/render.hpp"

namespace busbar::report::test {
namespace {

const std::filesystem::path folder = BUSBAR_GOLDEN_FOLDER;

std::vector<Run> read(std::initializer_list<const char*> names) {
  std::vector<Run> runs;
  for (const char* name : names) runs.push_back(read_journal(folder / "input" / name));
  return runs;
}

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return (std::ostringstream() << in.rdbuf()).str();
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
  expect_golden(render_html(document, ""), "two-runs.html");
}

TEST(ReportGolden, ImportedBesideMeasured) {
  const Document document =
      make_document("Imported & measured", read({"metal.jsonl", "imported-n2.jsonl", "imported-n8.jsonl"}));
  expect_golden(render_markdown(document), "imported.md");
}

TEST(ReportGolden, MarkupInARecordWithCharts) {
  const Document document = make_document("hostile", read({"hostile.jsonl"}));
  expect_golden(render_markdown(document), "hostile.md");
  expect_golden(render_html(document, "/* stands in for the chart library */"), "hostile.html");
}

TEST(ReportGolden, GpusAndTheirLinks) {
  expect_golden(render_markdown(make_document("GPUs", read({"gpus.jsonl"}))), "gpus.md");
}

TEST(ReportGolden, TrainingsMeasuredAndReplayed) {
  const Document document = make_document("Training", read({"training.jsonl", "training-replayed.jsonl"}));
  expect_golden(render_markdown(document), "training.md");
  expect_golden(render_html(document, ""), "training.html");
}

TEST(TableGolden, MeasuredAndImported) {
  std::string text;
  for (const auto& run : read({"metal.jsonl", "imported-n2.jsonl"})) text += table(run) + "\n";
  expect_golden(text, "tables.txt");
}

}  // namespace
}  // namespace busbar::report::test
