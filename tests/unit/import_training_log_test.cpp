// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "tests/unit/import_samples.hpp"

namespace busbar::test {
namespace {

ImportedRun import_text(const std::string& text) { return import_one_run({.text = text, .source = "t.log"}); }

std::string without_lines(const std::string& text, std::string_view word) {
  std::string rest;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    if (text.substr(at, end - at).find(word) == std::string::npos) rest += text.substr(at, end - at);
    at = end;
  }
  return rest;
}

// tf_cnn_benchmarks

TEST(ImportTfCnn, TakesTheTotalThatEachHorovodRankPrints) {
  const ImportedRun run = import_sample("tf_cnn_benchmarks.horovod.log");
  ASSERT_EQ(run.cases.size(), 1U);
  const CaseRecord& c = run.cases.front();
  EXPECT_DOUBLE_EQ(c.training->samples_per_s, 2695.48);  // the slower of two, and not their sum
  EXPECT_DOUBLE_EQ(c.time_s.value(), 2048 / 2695.48);
  EXPECT_EQ(to_string(c.key),
            "training:resnet50/horovod/?/ranks:2/nodes:?/?/data/tf_cnn_benchmarks/gpu/batch:1024/fp16/weak/unknown/"
            "bytes:0");
  EXPECT_DOUBLE_EQ(c.training->loss_first.value(), 8.2);  // mean over ranks
  EXPECT_DOUBLE_EQ(c.training->loss_last.value(), 7.8);
  EXPECT_TRUE(c.samples_s.empty());  // lines at steps are running means
  EXPECT_FALSE(c.statistics || c.interval_s || c.training->samples_per_s_interval || c.training->split);
  EXPECT_EQ(run.head.method.rank_rule, RankRule::slowest);
  EXPECT_EQ(run.head.method.statistic, Statistic::mean);
  EXPECT_EQ(run.head.method.iterations, 100);
  EXPECT_EQ(run.head.libraries, (std::map<std::string, std::string>{{"tensorflow", "2.4"}}));
  EXPECT_EQ(run.head.argv.front(), "tf_cnn_benchmarks.py");
  EXPECT_EQ(run.head.argv.size(), 5U);
  EXPECT_EQ(run.end.status, EndStatus::ok);
  EXPECT_TRUE(run.warnings.empty()) << run.warnings.front();
  EXPECT_TRUE(mentions(run.head.notes, "each of 2 processes prints the total of the whole job"));
}

TEST(ImportTfCnn, ReadsOneProcessWithSeveralDevices) {
  const ImportedRun run = import_sample("tf_cnn_benchmarks.one_process.log");
  const CaseRecord& c = run.cases.front();
  EXPECT_EQ(c.key.ranks, 4);
  EXPECT_EQ(c.key.nodes, 1);
  EXPECT_EQ(run.head.nodes, 1);
  EXPECT_EQ(c.key.backend, "replicated");
  EXPECT_EQ(c.key.training->batch, 64);
  EXPECT_DOUBLE_EQ(c.training->samples_per_s, 399.25);
  EXPECT_DOUBLE_EQ(c.training->loss_first.value(), 8.001);
  EXPECT_FALSE(c.training->loss_last);  // nan
}

TEST(ImportTfCnn, TakesTheRunningMeanOfACutLog) {
  const ImportedRun run = import_sample("tf_cnn_benchmarks.cut_off.log");
  EXPECT_DOUBLE_EQ(run.cases.front().training->samples_per_s, 400.0);  // of the whole process, at step 20
  EXPECT_EQ(run.end.status, EndStatus::unknown);
  EXPECT_TRUE(mentions(run.warnings, "running mean at step 20"));
  EXPECT_TRUE(mentions(run.warnings, "1 line with rates cannot be read"));
  const ImportedRun ranks = import_text(without_lines(read_sample("tf_cnn_benchmarks.horovod.log"), "total images"));
  EXPECT_DOUBLE_EQ(ranks.cases.front().training->samples_per_s, 2 * 1348.2);  // each rank's is its own
  EXPECT_EQ(ranks.head.method.rank_rule, RankRule::mean);
}

TEST(ImportTfCnn, SeparatesUnrelatedProcesses) {
  std::string text = read_sample("tf_cnn_benchmarks.one_process.log");
  text += "total images/sec: 390.00\n";
  const ImportedRun run = import_text(text);
  EXPECT_DOUBLE_EQ(run.cases.front().training->samples_per_s, 399.25);
  EXPECT_TRUE(mentions(run.warnings, "2 processes print a total each"));
}

TEST(ImportTfCnn, WarnsOfDifferentTotals) {
  EXPECT_TRUE(
      mentions(import_text(replace_first(read_sample("tf_cnn_benchmarks.horovod.log"), "2696.02", "5000.00")).warnings,
               "the totals of one job differ, 2695.48 to 5000 images/s"));
}

TEST(ImportTfCnn, RefusesRunsThatDoNotTrain) {
  const std::string text = replace_first(read_sample("tf_cnn_benchmarks.one_process.log"), "training", "forward-only");
  EXPECT_EQ(catch_import_error({.text = text, .source = "t.log"}),
            "t.log: line 2: Mode: forward-only: only trainings are imported");
  const ImportedRun both = import_text(text + read_sample("tf_cnn_benchmarks.one_process.log"));
  EXPECT_EQ(both.cases.size(), 1U);
  EXPECT_TRUE(mentions(both.warnings, "1 benchmark left out that is no training"));
}

// Horovod's own

TEST(ImportHorovod, MultipliesTheRateOfRankZero) {
  const ImportedRun run = import_sample("horovod.pytorch.log");
  const CaseRecord& c = run.cases.front();
  EXPECT_EQ(to_string(c.key),
            "training:resnet50/horovod/?/ranks:4/nodes:?/?/data/horovod/gpu/batch:64/weak/unknown/bytes:0");
  EXPECT_DOUBLE_EQ(c.training->samples_per_s, 1280.7);
  EXPECT_DOUBLE_EQ(c.time_s.value(), 256 / 1280.7);
  ASSERT_EQ(c.samples_s.size(), 5U);
  EXPECT_DOUBLE_EQ(c.samples_s[1], 64 / 319.5);
  EXPECT_EQ(c.samples_taken, 5U);
  EXPECT_FALSE(c.statistics);  // these would be over the slowest rank
  EXPECT_FALSE(c.training->samples_per_s_interval || c.interval_s);
  EXPECT_EQ(run.head.method.rank_rule, RankRule::rank_0);
  EXPECT_TRUE(mentions(run.head.notes, "the rate of rank 0 times the number of ranks"));
  EXPECT_TRUE(mentions(run.head.notes, "1.96 standard deviations"));
  EXPECT_TRUE(mentions(run.head.notes, "over the 20 batches of an iteration"));
  EXPECT_TRUE(run.warnings.empty());
}

TEST(ImportHorovod, DropsTheWarmUpIteration) {
  const ImportedRun run = import_sample("horovod.keras.log");
  EXPECT_EQ(run.cases.front().samples_s.size(), 4U);
  EXPECT_DOUBLE_EQ(run.cases.front().samples_s.front(), 128 / 486.4);
  EXPECT_EQ(run.cases.front().key.collective, "resnet50");
  EXPECT_TRUE(mentions(run.head.notes, "the first iteration is a warm-up"));
  const ImportedRun odd = import_text(replace_first(read_sample("horovod.keras.log"), "486.4", "386.4"));
  EXPECT_TRUE(odd.cases.front().samples_s.empty());
  EXPECT_TRUE(mentions(odd.head.notes, "do not give the mean of the log"));
}

TEST(ImportHorovod, ComputesScalingOfConsecutiveTrainings) {
  const ImportedRun run = import_sample("horovod.scaling.log");
  ASSERT_EQ(run.cases.size(), 3U);
  EXPECT_EQ(run.head.ranks, 4);
  EXPECT_NEAR(run.cases[2].training->scaling->efficiency, 1280.0 / 1320, 1e-9);
  EXPECT_FALSE(run.cases[0].training->scaling);
  const ImportedRun twice = import_text(read_sample("horovod.keras.log") + read_sample("horovod.keras.log"));
  EXPECT_EQ(twice.cases.size(), 1U);
  EXPECT_TRUE(mentions(twice.warnings, "1 training left out that repeats an earlier one"));
}

TEST(ImportHorovod, AveragesIterationsWithoutATotal) {
  const std::string text = read_sample("horovod.pytorch.log");
  const ImportedRun run = import_text(text.substr(0, text.find("Iter #3")));
  EXPECT_NEAR(run.cases.front().training->samples_per_s, 4 * (320.0 + 319.5 + 321.2) / 3, 1e-9);
  EXPECT_EQ(run.end.status, EndStatus::unknown);
  EXPECT_TRUE(mentions(run.warnings, "its rate is the mean of 3 iterations"));
}

// Anything

TEST(ImportTraining, TellsBytePsFromHorovod) {
  const std::string text = read_sample("horovod.pytorch.log");
  const std::string body = text.substr(text.find("Model:"));
  for (const char* start : {"BytePS launching worker\n", "bpslaunch python3 train.py --num-iters 10\n",
                            "python3 byteps/example/pytorch/benchmark_byteps.py --model resnet50\n"}) {
    const ImportedRun run = import_one_run({.text = start + body, .source = "t.log"});
    EXPECT_EQ(run.cases.front().key.backend, "byteps") << start;
    EXPECT_EQ(run.cases.front().key.training->compute, "byteps");
    EXPECT_EQ(run.head.tool.name, "byteps");
    EXPECT_FALSE(run.cases.front().samples_s.empty());
  }
  const std::string both = body + "BytePS launching worker\n" + body;
  const ImportedRun run = import_one_run({.text = both, .source = "t.log"});
  ASSERT_EQ(run.cases.size(), 2U);
  EXPECT_EQ(run.cases[0].key.backend, "horovod");
  EXPECT_EQ(run.cases[1].key.backend, "byteps");
}

TEST(ImportTraining, ReadsGpusAndTheAllReduce) {
  const std::string gpu =
      "Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0 with 15129 MB memory) -> "
      "physical GPU (device: 0, name: Tesla V100-SXM2-16GB, pci bus id: 0000:06:00.0, compute "
      "capability: 7.0)\n";
  const std::string text = read_sample("tf_cnn_benchmarks.one_process.log") + gpu + gpu;
  const ImportedRun run = import_one_run({.text = text, .source = "t.log"});
  ASSERT_EQ(run.head.hosts.size(), 1U);
  ASSERT_EQ(run.head.hosts[0].gpus.size(), 1U);
  EXPECT_EQ(run.head.hosts[0].gpus[0].name, "Tesla V100-SXM2-16GB");
  EXPECT_EQ(run.head.hosts[0].gpus[0].bus, "0000:06:00.0");
  EXPECT_EQ(run.cases.front().key.algorithm, "nccl");
  EXPECT_TRUE(mentions(run.head.notes, "GPUs, as TensorFlow names them: Tesla V100-SXM2-16GB"));
  EXPECT_TRUE(mentions(run.head.notes, "all-reduce (--all_reduce_spec): nccl"));
  EXPECT_FALSE(import_sample("tf_cnn_benchmarks.horovod.log").cases.front().key.algorithm);
}

TEST(ImportTraining, TakesStatedRanks) {
  const ImportedRun run = import_sample("horovod.keras.log", 3);
  EXPECT_EQ(run.cases.front().key.ranks, 3);
  EXPECT_TRUE(mentions(run.warnings, "--ranks 3 was taken, though \"Number of GPUs\" says "));
  EXPECT_TRUE(mentions(run.head.notes, "number of ranks as stated by --ranks"));
  const std::string several = read_sample("horovod.scaling.log");
  EXPECT_EQ(catch_import_error({.text = several, .source = "t.log", .ranks = 4}),
            "t.log: --ranks 4 contradicts the log, which has trainings on 1, 2, 4 ranks");
  const ImportedRun nodes = import_sample("tf_cnn_benchmarks.one_process.log", {}, 2);
  EXPECT_EQ(nodes.head.nodes, 2);
  EXPECT_TRUE(mentions(nodes.warnings, "--nodes 2 was taken, though a single process says 1 node"));
  EXPECT_EQ(import_sample("horovod.pytorch.log", 2, 2).head.nodes, 2);
  const ImportedRun scaling = import_sample("horovod.scaling.log", {}, 2);
  EXPECT_FALSE(scaling.cases.front().key.nodes) << "on one rank";
  EXPECT_EQ(scaling.cases.back().key.nodes, 2) << "on four";
}

TEST(ImportTraining, ComparesBatchesDevicesAndTheLauncher) {
  const std::string text =
      "Model: vgg16\nBatch size: 128 global\n 32 per device\nDevices: ['/gpu:0', '/gpu:1']\n"
      "total images/sec: 100.00\n";
  EXPECT_EQ(catch_import_error({.text = text, .source = "t.log"}),
            "t.log: how many ranks took part is not clear: a batch of 128 with 32 per device says 4 ranks, "
            "\"Devices:\" says 2 ranks; add --ranks N");
  const std::string launched = "srun -n 8 -N 2 python3 pytorch_synthetic_benchmark.py --batch-size 32\n";
  const ImportedRun run = import_one_run({.text = launched + read_sample("horovod.keras.log"), .source = "t.log"});
  EXPECT_EQ(run.head.ranks, 2);
  EXPECT_TRUE(
      mentions(run.warnings, "2 ranks taken from \"Number of GPUs\", though srun -n 8 -N 2 python3 (line 1) says 8"));
}

TEST(ImportTraining, AsksForUnknownRanks) {
  const std::string text = "Model: vgg16\ntotal images/sec: 100.00\n";
  EXPECT_EQ(catch_import_error({.text = text, .source = "t.log"}),
            "t.log: line 1: the log does not say on how many devices this ran; add --ranks N");
  const auto runs = import_log({.text = text, .source = "t.log", .ranks = 4});
  EXPECT_EQ(runs.front().cases.front().key.ranks, 4);
  EXPECT_FALSE(runs.front().cases.front().time_s || runs.front().cases.front().key.training->batch);
  EXPECT_NE(
      catch_import_error({.text = "total images/sec: 100.00\n", .source = "t.log", .ranks = 1}).find("begins too late"),
      std::string::npos);
}

TEST(ImportTraining, NoticesLinesOfOtherTrainings) {
  const auto imported = [](const std::string& text) { return import_one_run({.text = text, .source = "x.log"}); };
  const std::string tf = read_sample("tf_cnn_benchmarks.horovod.log"), horovod = read_sample("horovod.pytorch.log");
  const std::string rate = "total images/sec: ";
  EXPECT_TRUE(mentions(imported(replace_first(horovod, "img/sec on 4", "img/sec on 8")).warnings, "cannot be read"));
  EXPECT_TRUE(mentions(imported(tf + "Total img/sec on 4 GPU(s): 1280.7 +-3.0\n").warnings, "cannot be read"));
  EXPECT_FALSE(imported(replace_first(horovod, "Batch size: 64", "Batch size: 6   4 per device")).cases[0].time_s);
  EXPECT_TRUE(
      mentions(imported(without_lines(tf, rate) + rate + "1.25\n").warnings, "is it that of another training?"));
}

TEST(ImportTraining, ReadsNoWrongTotalFromACutLog) {
  for (const auto& [name, total] : {std::pair<std::string, double>{"tf_cnn_benchmarks.horovod.log", 2695.48},
                                    {"tf_cnn_benchmarks.one_process.log", 399.25},
                                    {"horovod.pytorch.log", 1280.7}}) {
    const std::string text = read_sample(name);
    SCOPED_TRACE(name);
    check_every_cut(text, 0, 3, "t.log", [expected = total](const ImportedRun& run) {
      ASSERT_NEAR(run.cases.front().training->samples_per_s, expected, 0.01 * expected);
    });
  }
}

TEST(ImportTraining, WarnsOfModelsThatTheBenchmarksLack) {
  const auto warnings = [](const std::string& model) {
    return import_text("Model: " + model + "\nBatch size: 32\nNumber of GPUs: 1\nTotal img/sec on 1 GPU(s): 1.0 +-0\n")
        .warnings;
  };
  for (const char* known : {"resnet50", "ResNet50", "ResNet152V2", "resnet50_v1.5", "official_resnet101_v2", "vgg16_bn",
                            "inception3", "InceptionV3", "wide_resnet50_2", "efficientnet_b7", "densenet100_k24"})
    EXPECT_TRUE(warnings(known).empty()) << known;
  for (const char* torn : {"resnet5", "resnet", "esnet50", "vgg1", "inception", "v2", "resnet50_v"})
    EXPECT_TRUE(mentions(warnings(torn), "no model of these benchmarks is called")) << torn;
}

TEST(ImportTfCnn, CountsRatesWithoutTheirSpreadAsTorn) {
  std::string text = read_sample("tf_cnn_benchmarks.cut_off.log");
  text.replace(text.rfind("(jitter"), 7, "(jitt");
  EXPECT_TRUE(mentions(import_text(text).warnings, "2 lines with rates cannot be read"));
}

TEST(ImportTraining, ToleratesNoise) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "Model: m\nNumber of GPUs: 1\nTotal img/sec on 1 GPU(s): 1.0 +-0\n";
  EXPECT_TRUE(mentions(import_text(text).warnings, "only the first 1000 trainings"));
  text = read_sample("horovod.keras.log") +
         "images/sec: \ntotal images/sec: inf\ntotal images/sec: 26\nIter #: img/sec per GPU\n" +
         std::string(100'000, '\t') + "images/sec:\n-1 images/sec: -5\n99999999999 images/sec: 1\n";
  EXPECT_DOUBLE_EQ(import_text(text).cases.front().training->samples_per_s, 974.6);
}

}  // namespace
}  // namespace busbar::test
