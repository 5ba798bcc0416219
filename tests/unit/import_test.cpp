// SPDX-License-Identifier: Apache-2.0
// Common parts of all importers. Each import_*_test.cpp covers one format or family of formats.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "core/base/table.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/import/case_key_text.hpp"
#include "reports/import/collective_names.hpp"
#include "reports/import/output_names.hpp"
#include "reports/import/path_labels.hpp"
#include "reports/import/text_lines.hpp"
#include "reports/runs/collective_facts.hpp"
#include "tests/unit/import_samples.hpp"

namespace busbar::test {
namespace {

// Files that are no logs

TEST(Import, RefusesOtherFilesInOneLine) {
  const auto refused = [](std::string_view text) { return catch_import_error({.text = text, .source = "f"}); };
  EXPECT_EQ(refused("the cluster is on fire\n"),
            fmt::format("f: no output of a tool that can be imported ({}); it says: the cluster is on fire",
                        names_of<Importer>()));
  EXPECT_NE(refused("").find("it is empty"), std::string::npos);
  EXPECT_NE(refused("\n \r\n").find("it is empty"), std::string::npos);
  EXPECT_NE(refused(std::string(1000, '\0')).find("binary"), std::string::npos);
  EXPECT_NE(refused("\x7f"
                    "ELF\x02\x01\x01\x01\x02\x03")
                .find("binary"),
            std::string::npos);
  EXPECT_NE(refused("{\"argv\":[],\"record\":\"run\"}").find("a busbar record already"), std::string::npos);
  EXPECT_LT(refused(std::string(10'000'000, 'x')).size(), 500U);
}

TEST(Import, ReadsAFailedLaunchAsACrash) {
  const ImportedRun run = import_one_run({.text = "launch failed on x: Couldn't allocate a port\n", .source = "f"});
  EXPECT_EQ(run.end.status, EndStatus::aborted);
  EXPECT_EQ(run.end.reason, "launch failed on x: Couldn't allocate a port");
  EXPECT_TRUE(run.cases.empty());
  EXPECT_EQ(scale_text(run.head), "unknown ranks");
  EXPECT_EQ(import_one_run({.text = "rank 3: start failed\n", .source = "f"}).end.reason, "rank 3: start failed");
}

TEST(Import, WarnsOfASecondToolInALog) {
  const std::string text = read_sample("osu.pairs.txt") + read_sample("imb.mpi1.txt");
  EXPECT_TRUE(mentions(import_log({.text = text, .source = "x.log", .ranks = 8}).front().warnings,
                       "the log also holds IMB text, which was not imported"));
}

std::string id_of_barrier(const std::string& source, const std::map<std::string, std::string>& labels = {},
                          const std::string& time = "40.58") {
  const std::string text = "\n# OSU MPI Barrier Latency Test v5.8\n# Avg Latency(us)\n            " + time + "\n";
  return import_one_run({.text = text, .source = source, .ranks = 64, .labels = labels}).head.id;
}

TEST(Import, TellsLaunchesWithEqualLogsApartByNameOrLabels) {
  const std::string first = id_of_barrier("host/barrier-1.out");
  EXPECT_EQ(first, id_of_barrier("host/barrier-1.out"));
  EXPECT_EQ(first, id_of_barrier("copies/of/host/barrier-1.out"));
  EXPECT_NE(first, id_of_barrier("host/barrier-2.out"));
  EXPECT_NE(first, id_of_barrier("host/barrier-1.out", {}, "40.59"));
  EXPECT_NE(id_of_barrier("host/barrier-1.out", {{"platform", "host"}}),
            id_of_barrier("vm/barrier-1.out", {{"platform", "vm"}}));
}

TEST(Import, TellsRunsOfALogApartBySubject) {
  const ImportRequest log{.text = "abc", .source = "x.log"};
  EXPECT_EQ(import_id(log, "reduce"), import_id(log, "reduce"));
  EXPECT_NE(import_id(log, "reduce"), import_id(log, "gather"));
  EXPECT_NE(import_id(log, "lreduce"), import_id({.text = "abc", .source = "x.logl"}, "reduce"));
}

// Names

TEST(ImportNames, FindCollectivesInFileNames) {
  EXPECT_EQ(collective_in_file_name("all_reduce.setting1.log"), "allreduce");
  EXPECT_EQ(collective_in_file_name("run7-AllGather-8n.txt"), "allgather");
  EXPECT_EQ(collective_in_file_name("reduce_scatter.log"), "reduce_scatter");
  EXPECT_EQ(collective_in_file_name("bcast.out"), "broadcast");
  EXPECT_EQ(collective_in_file_name("alltoallv.log"), "alltoallv");
  EXPECT_EQ(collective_in_file_name("reduce.log"), "reduce");
  EXPECT_EQ(collective_in_file_name("slurm-123.out"), std::nullopt);
  EXPECT_EQ(collective_in_file_name("gather_and_scatter.log"), std::nullopt);
}

TEST(ImportNames, HaveTheBusFactorsOfNcclTests) {
  EXPECT_DOUBLE_EQ(bus_factor_of("allreduce", 8), 1.75);
  EXPECT_DOUBLE_EQ(bus_factor_of("reduce_scatter", 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor_of("alltoall", 4), 0.75);
  EXPECT_DOUBLE_EQ(bus_factor_of("broadcast", 8), 1);
  EXPECT_DOUBLE_EQ(bus_factor_of("sendrecv", 2), 1);
  EXPECT_DOUBLE_EQ(bus_factor_of("allreduce", 1), 0);
}

TEST(ImportNames, AddFoldersToEqualStems) {
  using Paths = std::vector<std::filesystem::path>;
  EXPECT_EQ(journal_names({"a/x.setting1.log"}, "results"), (Paths{"results/x.setting1.jsonl"}));
  EXPECT_EQ(journal_names({"n2/x.log", "n8/x.log", "n8/y.log"}, "r"),
            (Paths{"r/n2.x.jsonl", "r/n8.x.jsonl", "r/n8.y.jsonl"}));
  EXPECT_EQ(journal_names({"a/n2/x.log", "b/n2/x.log"}, "r"), (Paths{"r/a.n2.x.jsonl", "r/b.n2.x.jsonl"}));
  EXPECT_EQ(journal_names({"/a/x.log", "/b/x.log"}, "r"), (Paths{"r/a.x.jsonl", "r/b.x.jsonl"}));
  EXPECT_THROW((void)journal_names({"d/x.log", "d/./x.log"}, "r"), UsageError);
}

TEST(ImportNames, UseAFewFoldersAndThenNumbers) {
  using Paths = std::vector<std::filesystem::path>;
  EXPECT_EQ(journal_names({"/d/x.log", "/d/x.txt", "/d/y.log"}, "r"),
            (Paths{"r/x.log.jsonl", "r/x.txt.jsonl", "r/y.jsonl"}));
  EXPECT_EQ(journal_names({"/1/a/b/c/x.log", "/2/a/b/c/x.log", "/3/a/b/c/x.log", "/x-2.log"}, "r"),
            (Paths{"r/x.jsonl", "r/x-3.jsonl", "r/x-4.jsonl", "r/x-2.jsonl"}));
  EXPECT_EQ(journal_names({"x.log", "../x.log", "../../b/x.log"}, "r"),
            (Paths{"r/x.jsonl", "r/x-2.jsonl", "r/b.x.jsonl"}))
      << "names do not depend on the current folder";
}

TEST(ImportNames, MakeSafeFileNamesOfPaths) {
  using Paths = std::vector<std::filesystem::path>;
  EXPECT_EQ(journal_names({"d/$(x) y.log", "d/.hidden", "d/a\nb.log"}, "r"),
            (Paths{"r/--x--y.jsonl", "r/-hidden.jsonl", "r/a-b.jsonl"}));
  const std::string long_name(200, 'n');
  for (const auto& file : journal_names({long_name + "/x.log", "b/x.log", "b/" + long_name + ".log"}, "r"))
    EXPECT_LT(file.filename().string().size(), 240U);
}

TEST(ImportNames, MakeSafeFileNamesOfRunNames) {
  EXPECT_EQ(run_files("r/t.jsonl", {""}), (std::vector<std::filesystem::path>{"r/t.jsonl"}));
  EXPECT_EQ(run_files("r/t.jsonl", {"a b", "a/b", "../x", "/etc/x", ""}),
            (std::vector<std::filesystem::path>{"r/t.a-b.jsonl", "r/t.a-b-2.jsonl", "r/t...-x.jsonl",
                                                "r/t.-etc-x.jsonl", "r/t.run.jsonl"}));
  const std::string stem(200, 's');
  for (const auto& file : run_files("r/" + stem + ".jsonl", {std::string(200, 'a'), std::string(201, 'a')}))
    EXPECT_LT(file.filename().string().size(), 250U);
}

// Lines

TEST(ImportLines, LosePrefixesAndKeepTheirStream) {
  const auto first = [](std::string_view text) { return LogLines(text).next().value(); };
  EXPECT_EQ(first("[1,0]<stdout>:# x\r\n").text, "# x");
  EXPECT_EQ(first("[1,0]<stdout>:# x").stream, "[1,0]");
  EXPECT_EQ(first("Thu Jul 18 15:41:05 2024[1,3]<stderr>:y").stream, "[1,3]");
  EXPECT_EQ(first(" 12:  8 9").text, " 8 9");
  EXPECT_EQ(first("[3] # x").text, "# x");
  EXPECT_EQ(first("2026-01-31T12:00:00.123Z # x").text, "# x");
  EXPECT_EQ(first("15:41:05 x").text, "15:41:05 x");
  EXPECT_EQ(first("node:1:1 [0] NCCL INFO x").stream, "");
}

TEST(ImportLines, KeepTheRoundingOfNumbers) {
  EXPECT_DOUBLE_EQ(rounded("0.64").value().half_unit, 0.005);
  EXPECT_DOUBLE_EQ(rounded("254299").value().half_unit, 0.5);
  EXPECT_DOUBLE_EQ(rounded("1.2e+06").value().half_unit, 5e4);
  EXPECT_DOUBLE_EQ(rounded("1.2e+06").value().value, 1.2e6);
  EXPECT_FALSE(rounded("N/A") || rounded("inf") || rounded("nan") || rounded("") || rounded("1x"));
}

// Keys and labels

TEST(CaseKeyText, ReadsKeysBack) {
  CaseKey key{.collective = "broadcast",
              .backend = "nccl",
              .memory = "device",
              .type = "uint8",
              .root = 3,
              .bytes = 7,
              .in_place = true,
              .ranks = 16,
              .nodes = 2,
              .ranks_per_node = 8,
              .cadence = "streaming",
              .group = "world"};
  for (const std::optional<std::string>& algorithm :
       {std::optional<std::string>{}, {"ring"}, {"ring/simple"}, {"*/ll128"}}) {
    key.algorithm = algorithm;
    EXPECT_TRUE(parse_case_key(to_string(key)) == key) << to_string(key);
  }
  for (const char* group :
       {"split:2", "rank % 8", "rank / 8", "rank / 8 + rank / 4", "ranks 0-14:2;1-15:2 + rank / 8"}) {
    key.group = group;
    EXPECT_TRUE(parse_case_key(to_string(key)) == key) << to_string(key);
  }
  key.memory.reset();
  key.nodes.reset();
  key.ranks_per_node.reset();
  EXPECT_TRUE(parse_case_key(to_string(key)) == key) << to_string(key);
}

TEST(CaseKeyText, RefusesOtherTexts) {
  const std::string training = to_string(CaseKey{.kind = CaseKind::training,
                                                 .collective = "resnet50",
                                                 .backend = "mpi",
                                                 .ranks = 2,
                                                 .training = TrainingKey{.compute = "onednn", .computed_on = "cpu"}});
  for (const std::string& text : {std::string(), std::string("BM_Sort/8"), std::string("a/b/c/ranks:2/nodes:1/x"),
                                  std::string("a/b/c/ranks:0/nodes:1/x/bytes:1"), std::string("////////"),
                                  std::string("a/b/c/ranks:2/nodes:1/x/bytes:1/more"), training})
    EXPECT_FALSE(parse_case_key(text)) << text;
}

using Labels = std::map<std::string, std::string>;

std::optional<Labels> labels(const std::string& pattern, const std::string& path) {
  return PathPattern("--labels-from", pattern).labels(path);
}

std::string catch_pattern_error(const std::string& pattern) {
  return catch_error([&] { (void)labels(pattern, "x"); });
}

TEST(PathLabels, ReadFoldersAndFiles) {
  EXPECT_EQ(labels("{system}-{}/{}.setting{setting}.log", "/data/logs/polaris-n2/all_reduce.setting1.log"),
            (Labels{{"setting", "1"}, {"system", "polaris"}}));
  EXPECT_EQ(labels("{platform}.log", "vm.log"), (Labels{{"platform", "vm"}}));
  EXPECT_EQ(labels("{a}.{b}.log", "x.y.z.log"), (Labels{{"a", "x"}, {"b", "y.z"}}));
}

TEST(PathLabels, TreatLiteralsAsText) {
  EXPECT_EQ(labels("run(1)+{n}.log", "run(1)+7.log"), (Labels{{"n", "7"}}));
  EXPECT_EQ(labels("a.{n}.log", "ab7.log"), std::nullopt);
}

TEST(PathLabels, AreMissingForOtherPaths) {
  EXPECT_EQ(labels("{system}/{}.log", "x.log"), std::nullopt);
  EXPECT_EQ(labels("{a}.log", std::string(100000, 'x')), std::nullopt);
}

TEST(PathLabels, RefuseBadPatterns) {
  EXPECT_NE(catch_pattern_error("no.log").find("--labels-from: 'no.log' names no label"), std::string::npos);
  EXPECT_NE(catch_pattern_error("{}.log").find("names no label"), std::string::npos);
  EXPECT_NE(catch_pattern_error("{a}{b}.log").find("two placeholders side by side"), std::string::npos);
  EXPECT_NE(catch_pattern_error("{a}-{a}.log").find("names a label twice"), std::string::npos);
  EXPECT_NE(catch_pattern_error("{a.log").find("a brace without its other one"), std::string::npos);
  EXPECT_NE(catch_pattern_error("a}.log").find("a brace without its other one"), std::string::npos);
  EXPECT_NE(catch_pattern_error(std::string(100'000, 'x') + "{a}").find("at most 1000 are read"), std::string::npos);
}

std::string catch_stated_error(const std::string& pattern, const std::string& path, const ImportRequest& stated = {}) {
  return catch_error([&] {
    ImportRequest request{.source = path};
    (void)StatedInPath("--from-path", pattern, stated).add_to(request);
  });
}

TEST(StatedInPath, GivesNumbersAndCollectives) {
  const StatedInPath pattern("--from-path", "{nodes}n{ranks}r/{collective}.{bytes}.{}.log", {});
  ImportRequest request{.source = "/data/2n16r/all_reduce.64M.x.log"};
  ASSERT_TRUE(pattern.add_to(request));
  EXPECT_EQ(request.nodes, 2);
  EXPECT_EQ(request.ranks, 16);
  EXPECT_EQ(request.collective, "allreduce");
  EXPECT_EQ(request.bytes, 64U << 20);
  request = {.source = "x.log"};
  EXPECT_FALSE(pattern.add_to(request));
  EXPECT_FALSE(request.nodes || request.ranks || request.bytes || request.collective);
}

TEST(StatedInPath, LooksForFoldersToo) {
  const StatedInPath pattern("--from-path", "{nodes}n{ranks}r", {});
  for (const char* path : {"osu/4n32r/allreduce.log", "4n32r/a/b.txt", "/x/2n8r/4n32r.log", "runs/4n32r"}) {
    ImportRequest request{.source = path};
    EXPECT_TRUE(pattern.add_to(request)) << path;
    EXPECT_EQ(request.nodes, 4) << path;
    EXPECT_EQ(request.ranks, 32) << path;
  }
  ImportRequest other{.source = "osu/4n32/allreduce.log"};
  EXPECT_FALSE(pattern.add_to(other));
}

TEST(StatedInPath, RefusesOtherNamesAndValues) {
  EXPECT_NE(catch_stated_error("{platform}.log", "x.log").find("--from-path: unknown '{platform}'; known: {ranks}"),
            std::string::npos);
  EXPECT_NE(
      catch_stated_error("{}.log", "x.log").find("'{}.log' names no number; it is like '{nodes}n{ranks}r/{}.log'"),
      std::string::npos);
  EXPECT_EQ(catch_stated_error("{ranks}.log", "x.log"),
            "--from-path: x.log: 'x' for {ranks} is no number from 1 to 16777216");
  for (const char* path : {"0.log", "-1.log", "2.5.log", "99999999999.log", "16777217.log"})
    EXPECT_NE(catch_stated_error("{nodes}.log", path).find("for {nodes} is no number"), std::string::npos) << path;
  EXPECT_NE(catch_stated_error("{bytes}.log", "big.log").find("'big' for {bytes} is no size"), std::string::npos);
  EXPECT_NE(catch_stated_error("{collective}.log", "sum.log").find("'sum' for {collective} is no collective; known: "),
            std::string::npos);
  EXPECT_EQ(catch_stated_error("{ranks}.log", "2.log", {.ranks = 2}),
            "--from-path: {ranks} and --ranks say the same; give one");
}

}  // namespace
}  // namespace busbar::test
