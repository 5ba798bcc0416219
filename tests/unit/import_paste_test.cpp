// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/run_record.hpp"
#include "reports/import/paste.hpp"
#include "tests/unit/import_samples.hpp"

/// Logs that were quoted, lost the "#" of their comments, or have decimal commas.
namespace busbar::test {
namespace {

using Change = std::function<std::string(const std::string& line)>;

std::string change_lines(const std::string& text, const Change& change) {
  std::string all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    all += change(text.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return all;
}

std::string before_lines(const std::string& text, const std::string& mark) {
  return change_lines(text, [&mark](const std::string& line) { return mark + line; });
}

std::string without_hashes(const std::string& line) {
  if (!line.starts_with('#')) return line;
  return line.substr(line.starts_with("# ") ? 2 : 1);
}

/// Imports the changed text and expects the cases of the original one.
void expect_same(const std::string& sample, const std::string& changed, std::optional<int> ranks = {}) {
  SCOPED_TRACE(sample);
  const std::string whole = read_sample(sample);
  const ImportedRun as_pasted = import_log({.text = changed, .source = sample, .ranks = ranks}).front();
  const ImportedRun original = import_log({.text = whole, .source = sample, .ranks = ranks}).front();
  ASSERT_EQ(as_pasted.cases.size(), original.cases.size());
  for (std::size_t i = 0; i < original.cases.size(); ++i) {
    EXPECT_EQ(to_string(as_pasted.cases[i].key), to_string(original.cases[i].key));
    EXPECT_EQ(as_pasted.cases[i].time_s, original.cases[i].time_s);
    EXPECT_EQ(as_pasted.cases[i].busbw_GBps, original.cases[i].busbw_GBps);
  }
  EXPECT_EQ(as_pasted.warnings, original.warnings);
  EXPECT_EQ(as_pasted.head.placement.size(), original.head.placement.size());
  EXPECT_EQ(as_pasted.head.argv, original.head.argv);
  EXPECT_EQ(as_pasted.end.status, original.end.status);
  EXPECT_TRUE(mentions(as_pasted.head.notes, "the log is a paste"));
}

struct Sample {
  const char* name;
  std::optional<int> ranks;
};

const std::vector<Sample> samples{{"polaris-n2.all_gather.setting1.log", {}},
                                  {"wrong_values.log", {}},
                                  {"osu.allreduce_full.txt", 8},
                                  {"osu.barrier.txt", 4},
                                  {"imb.mpi1.txt", {}},
                                  {"imb.groups.txt", {}}};

TEST(ImportPaste, ReadsQuotedLogs) {
  for (const auto& [name, ranks] : samples)
    for (const char* mark : {"> ", ">", "> > ", ">> ", "| ", "    ", "\t"})
      expect_same(name, before_lines(read_sample(name), mark), ranks);
  const std::string json = read_sample("nccl.two_processes.json") + "\n\n";
  expect_same("nccl.two_processes.json", before_lines(json, "> "));
}

TEST(ImportPaste, ReadsAQuotationInAMail) {
  for (const auto& [name, ranks] : samples)
    expect_same(name, "On Monday you wrote:\n" + before_lines(read_sample(name), "> ") + "Any ideas?\n", ranks);
  EXPECT_FALSE(restore_paste("> a\nb\nc\n"));
}

TEST(ImportPaste, ReadsCodeFences) {
  for (const auto& [name, ranks] : samples)
    expect_same(name, "I get this, why?\n\n```text\n" + read_sample(name) + "```\nThanks\n", ranks);
  const std::string json = read_sample("nccl.two_processes.json");
  expect_same("nccl.two_processes.json", "I get {this}:\n```json\n" + json + "\n```\nThanks\n");
}

TEST(ImportPaste, RestoresHashesOfComments) {
  for (const auto& [name, ranks] : samples) expect_same(name, change_lines(read_sample(name), without_hashes), ranks);
  const auto quoted = [](const std::string& line) { return "> " + without_hashes(line); };
  expect_same("wrong_values.log", change_lines(read_sample("wrong_values.log"), quoted));
}

TEST(ImportPaste, KeepsLineNumbers) {
  std::string text = replace_first(read_sample("osu.barrier.txt"), "# OSU", "```\n\n# OSU");
  text += "12 34 56\n";
  const std::string quoted = before_lines(text, "> ");
  const std::vector<std::string> warnings = import_log({.text = quoted, .source = "f", .ranks = 2}).front().warnings;
  const auto lines = std::ranges::count(text, '\n');
  EXPECT_TRUE(mentions(warnings, "line " + std::to_string(lines))) << warnings.front();
}

TEST(ImportPaste, LeavesOtherTextsAlone) {
  for (const auto& [name, ranks] : samples) EXPECT_FALSE(restore_paste(read_sample(name))) << name;
  EXPECT_FALSE(restore_paste(""));
  EXPECT_FALSE(restore_paste("| a | b |\n| 1 | 2 |\n| 3 | 4 |\n")) << "a table";
  EXPECT_FALSE(restore_paste("OSU Test\nsize of algbw\n# size algbw\n"));
}

// Decimal commas

std::string with_commas(const std::string& line) {
  const auto digit_at = [&line](std::size_t i) { return i < line.size() && line[i] >= '0' && line[i] <= '9'; };
  std::string changed = line;
  for (std::size_t i = 1; i < line.size() && !line.starts_with('#'); ++i)
    if (line[i] == '.' && digit_at(i - 1) && digit_at(i + 1)) changed[i] = ',';
  return changed;
}

TEST(ImportPaste, ReadsDecimalCommas) {
  for (const auto& [name, ranks] : samples) {
    const std::string text = change_lines(read_sample(name), with_commas);
    const ImportedRun run = import_log({.text = text, .source = name, .ranks = ranks}).front();
    const ImportedRun original = import_sample(name, ranks);
    ASSERT_EQ(run.cases.size(), original.cases.size()) << name;
    for (std::size_t i = 0; i < run.cases.size(); ++i) EXPECT_EQ(run.cases[i].time_s, original.cases[i].time_s) << name;
    EXPECT_TRUE(mentions(run.warnings, "decimal commas of its tables (12,34) were read as points")) << name;
  }
}

TEST(ImportPaste, ReadsAllOfThemTogether) {
  const ImportedRun run = import_sample("osu.pasted.md");
  ASSERT_EQ(run.cases.size(), 2U);
  EXPECT_EQ(to_string(run.cases[1].key), "allgather/mpi/host/int8/ranks:8/nodes:2/ranks_per_node:?/barrier/bytes:8192");
  EXPECT_DOUBLE_EQ(run.cases[1].time_s.value(), 23.75e-6);
  EXPECT_TRUE(mentions(run.warnings, "8 ranks taken from #SBATCH --nodes=2 --ntasks-per-node=4 (line 4)"));
}

TEST(ImportPaste, RefusesUnclearCommas) {
  const auto refusal = [](const std::string& rows) {
    const std::string text = "# OSU MPI Allreduce Latency Test v7.4\n# Size       Avg Latency(us)\n" + rows;
    return catch_import_error({.text = text, .source = "f", .ranks = 2});
  };
  constexpr std::string_view what =
      "whether commas stand before decimals or thousands is not clear; write decimal points";
  EXPECT_EQ(refusal("4  1,80\n8  1.90\n"), "f: '1,80' (line 3) and '1.90' (line 4): " + std::string(what));
  EXPECT_EQ(refusal("4  1,801\n8  1,901\n"), "f: '1,801' (line 3): " + std::string(what));
  EXPECT_EQ(refusal("0,1,2,3\n0,1\n1,2,3 4,5,6 7\n4  1.80\n"), "no error") << "lists";
  EXPECT_EQ(refusal("1,048,576  1.80\n"), "f: '1,048,576' (line 3): " + std::string(what));
}

}  // namespace
}  // namespace busbar::test
