// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "reports/import/csv/csv_reader.hpp"
#include "tests/unit/import_samples.hpp"

// Published tables are read from reports/examples, relative to tests/, the folder in which ctest starts the tests.

namespace busbar::test {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(std::string_view text, char delimiter = ',') {
  CsvReader reader(text, delimiter);
  Rows all;
  while (auto row = reader.next()) all.push_back(std::move(row->cells));
  return all;
}

ImportedRun import_table(const std::string& text) { return import_one_run({.text = text, .source = "t.csv"}); }

std::string catch_table_error(const std::string& text) { return catch_import_error({.text = text, .source = "t.csv"}); }

// Rows and cells

TEST(CsvReader, ReadsQuotesCommentsAndLineEndings) {
  EXPECT_EQ(rows_of("a,b\r\n1, 2 \r\n"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(rows_of("\"a,b\",\"say \"\"hi\"\"\"\n\"two\nlines\",x"),
            (Rows{{"a,b", "say \"hi\""}, {"two\nlines", "x"}}));
  EXPECT_EQ(rows_of("# c\n\n  \na,,\n#,x\n"), (Rows{{"a", "", ""}}));
  EXPECT_EQ(rows_of("\xEF\xBB\xBF"
                    "a;b",
                    ';'),
            (Rows{{"a", "b"}}));
  EXPECT_EQ(rows_of(" \"a\" ,b"), (Rows{{"a", "b"}}));
  EXPECT_EQ(rows_of(""), Rows{});
}

TEST(CsvReader, EndsAnUnclosedQuoteWithItsLine) {
  EXPECT_EQ(rows_of("a,\"b\nc,d\n"), (Rows{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(rows_of("\""), (Rows{{""}}));
}

TEST(CsvReader, CountsLinesAndKeepsComments) {
  CsvReader reader("# one\n\na,\"x\ny\"\n#two\nb,c\n#\n", ',');
  EXPECT_EQ(reader.next()->line, 3);
  EXPECT_EQ(reader.next()->line, 6);
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(reader.comments(), (std::vector<std::string>{"one", "two"}));
}

TEST(CsvReader, TakesTheMostFrequentDelimiterOfTheFirstRow) {
  EXPECT_EQ(csv_delimiter("# a;b;c\nx,y,z\n"), ',');
  EXPECT_EQ(csv_delimiter("x;y, or so;z"), ';');
  EXPECT_EQ(csv_delimiter("x\ty\n"), '\t');
  EXPECT_EQ(csv_delimiter("one word\n"), std::nullopt);
  EXPECT_EQ(csv_delimiter(""), std::nullopt);
}

TEST(CsvReader, ReadsAWideRowInOnePass) {
  const std::string wide(2'000'000, ',');
  EXPECT_EQ(rows_of(wide).at(0).size(), wide.size() + 1);
  EXPECT_EQ(rows_of(std::string(2'000'000, '"')).size(), 1U);
}

// Collectives

TEST(ImportCsv, ComputesBandwidthsFromATime) {
  const ImportedRun run =
      import_table("collective,type,op,ranks,nodes,bytes,time_us\nall_reduce,float,sum,8,2,1000000,100\n");
  ASSERT_EQ(run.cases.size(), 1U);
  const CaseRecord& c = run.cases.front();
  EXPECT_EQ(to_string(c.key), "allreduce/unknown/?/fp32/sum/ranks:8/nodes:2/ranks_per_node:?/?/bytes:1000000");
  EXPECT_DOUBLE_EQ(c.time_s.value(), 100e-6);
  EXPECT_DOUBLE_EQ(c.algbw_GBps.value(), 10);
  EXPECT_DOUBLE_EQ(c.busbw_GBps.value(), 17.5);
  EXPECT_EQ(c.check.state, CheckState::unknown);
  EXPECT_FALSE(c.interval_s || c.statistics || c.samples_taken);
  EXPECT_EQ(run.head.origin, Origin::imported);
  EXPECT_EQ(run.head.method.statistic, Statistic::unknown);
  EXPECT_EQ(run.head.ranks, 8);
  EXPECT_EQ(run.end.status, EndStatus::unknown);
  EXPECT_TRUE(mentions(run.head.notes, "single published figures: no interval"));
  EXPECT_TRUE(mentions(run.head.notes, "1 row without a bandwidth"));
  EXPECT_TRUE(run.warnings.empty());
}

TEST(ImportCsv, ComputesTheTimeFromABusBandwidth) {
  const ImportedRun run = import_table("collective;gpus;size;busbw_GBps\nallgather;8;1M;7\n");
  const CaseRecord& c = run.cases.front();
  EXPECT_EQ(c.key.bytes, 1048576U);
  EXPECT_DOUBLE_EQ(c.busbw_GBps.value(), 7);
  EXPECT_DOUBLE_EQ(c.algbw_GBps.value(), 8);
  EXPECT_DOUBLE_EQ(c.time_s.value(), 1048576 / 8e9);
  EXPECT_TRUE(mentions(run.head.notes, "1 row without a time"));
}

TEST(ImportCsv, ReadsUnitsFromTheHeader) {
  const auto time_of = [](const std::string& column) {
    return import_table("collective,ranks,bytes," + column + "\nbroadcast,2,1000,3\n").cases.front().time_s.value();
  };
  EXPECT_DOUBLE_EQ(time_of("time_s"), 3);
  EXPECT_DOUBLE_EQ(time_of("time_ms"), 3e-3);
  EXPECT_DOUBLE_EQ(time_of("Time_us"), 3e-6);
  EXPECT_DOUBLE_EQ(time_of("algbw_GBps"), 1000 / 3e9);
  EXPECT_DOUBLE_EQ(time_of("algbw_MBps"), 1000 / 3e6);
  EXPECT_DOUBLE_EQ(time_of("algbw_Gbps"), 8000 / 3e9);  // bits
}

TEST(ImportCsv, KeepsPrintedBandwidthsAndReportsContradictions) {
  const std::string header = "collective,ranks,bytes,time_us,algbw_GBps,busbw_GBps\n";
  const ImportedRun good = import_table(header + "allreduce,4,1048576,81.3,12.9,19.35\n");
  EXPECT_DOUBLE_EQ(good.cases.front().algbw_GBps.value(), 12.9);
  EXPECT_TRUE(good.warnings.empty()) << good.warnings.front();
  EXPECT_DOUBLE_EQ(good.cases.front().bus_factor.value(), 1.5);
  const ImportedRun bad = import_table(header + "allreduce,4,1048576,81.3,14.9,19.35\n");
  EXPECT_DOUBLE_EQ(bad.cases.front().algbw_GBps.value(), 14.9);
  EXPECT_TRUE(mentions(bad.warnings, "bandwidths of 1 row are not size / time"));
}

TEST(ImportCsv, IgnoresAnIntervalWithoutConfidence) {
  const std::string table = "collective,ranks,bytes,time_us,time_low_us,time_high_us\nallreduce,4,8,2,1.5,3\n";
  const ImportedRun without = import_table(table);
  EXPECT_FALSE(without.cases.front().interval_s);
  EXPECT_TRUE(mentions(without.head.notes, "without its confidence"));
  const ImportedRun with = import_table("#confidence=0.95\n#statistic=median\n" + table);
  const Interval& i = with.cases.front().interval_s.value();
  EXPECT_DOUBLE_EQ(i.low, 1.5e-6);
  EXPECT_DOUBLE_EQ(i.high, 3e-6);
  EXPECT_DOUBLE_EQ(i.confidence, 0.95);
  EXPECT_EQ(with.head.method.statistic, Statistic::median);
  EXPECT_FALSE(mentions(with.head.notes, "no interval"));
}

TEST(ImportCsv, TakesOptionsInPlaceOfColumns) {
  const ImportRequest request{.text = "bytes,time_us\n8,2\n", .source = "t.csv", .collective = "reduce", .ranks = 4};
  const auto runs = import_log(request);
  EXPECT_EQ(runs.front().cases.front().key.collective, "reduce");
  EXPECT_EQ(runs.front().cases.front().key.ranks, 4);
}

// Trainings

TEST(ImportCsv, ComputesSpeedUpsOfThePublishedTable) {
  std::ifstream in("../reports/examples/published/tables/dell_r750xa_vm_bare_metal.csv", std::ios::binary);
  ASSERT_TRUE(in) << "run this in the folder tests/";
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto runs = import_log({.text = text, .source = "t.csv"});
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].name, "VM");
  EXPECT_EQ(runs[1].name, "bare metal");
  EXPECT_EQ(runs[1].head.labels, (std::map<std::string, std::string>{{"platform", "bare metal"}}));
  ASSERT_EQ(runs[0].cases.size(), 3U);
  const CaseRecord& four = runs[0].cases[2];
  EXPECT_DOUBLE_EQ(four.training->samples_per_s, 10675.0925);
  EXPECT_NEAR(four.training->scaling->speed_up, 3.87, 0.005);
  EXPECT_NEAR(four.training->scaling->efficiency, 0.968, 0.0005);
  EXPECT_FALSE(four.training->scaling->efficiency_interval || four.training->split || four.training->wire_bytes);
  EXPECT_FALSE(runs[0].cases[0].training->scaling);
  EXPECT_DOUBLE_EQ(four.time_s.value(), 4096 / 10675.0925);
  ASSERT_EQ(runs[1].cases.size(), 1U);
  EXPECT_NEAR(runs[1].cases[0].training->samples_per_s / four.training->samples_per_s, 1.013, 0.0005);
  EXPECT_EQ(to_string(four.key),
            "training:resnet50/horovod/?/ranks:4/nodes:4/ranks_per_node:?/?/data/tf_cnn_benchmarks/A100 "
            "PCIe/batch:1024/weak/unknown/bytes:0");
  EXPECT_TRUE(mentions(runs[0].head.notes, "2 rows without a figure"));
  EXPECT_TRUE(runs[0].warnings.empty());
}

TEST(ImportCsv, HasNoStepTimeWithoutABatch) {
  const CaseRecord c = import_table("model,ranks,images_per_s\nresnet50,4,100\n").cases.front();
  EXPECT_FALSE(c.time_s || c.key.training->batch);
  EXPECT_EQ(c.key.training->scaling, "unknown");
  EXPECT_EQ(c.key.training->compute, "unknown");
  EXPECT_EQ(c.training->sample, "image");
}

TEST(ImportCsv, ComputesTheRateFromAStep) {
  const ImportedRun run = import_table("model,ranks,global_batch,step_ms\nbert,4,64,500\n");
  EXPECT_DOUBLE_EQ(run.cases.front().training->samples_per_s, 128);
  EXPECT_DOUBLE_EQ(run.cases.front().time_s.value(), 0.5);
  EXPECT_EQ(run.cases.front().key.training->scaling, "strong");
  EXPECT_EQ(run.cases.front().training->sample, "sample");
  EXPECT_TRUE(mentions(import_table("model,ranks,batch,step_ms\nb,4,8,1\nb,2,,1\n").warnings,
                       "1 row left out: line 3: a step's time gives no rate without its batch"));
}

TEST(ImportCsv, ReadsIntervalsOfRates) {
  const CaseRecord c =
      import_table(
          "model,ranks,batch,samples_per_s,samples_per_s_low,samples_per_s_high,confidence\nm,2,8,10,8,16,95\n")
          .cases.front();
  EXPECT_DOUBLE_EQ(c.training->samples_per_s_interval->low, 8);
  EXPECT_DOUBLE_EQ(c.training->samples_per_s_interval->confidence, 0.95);
  EXPECT_DOUBLE_EQ(c.interval_s->low, 1);
  EXPECT_DOUBLE_EQ(c.interval_s->high, 2);
}

TEST(ImportCsv, ReadsConcurrentJobs) {
  const CaseRecord c = import_table("model,gpus,jobs,batch,images_per_s\nm,4,2,8,64\n").cases.front();
  EXPECT_EQ(c.key.training->jobs, 2);
  EXPECT_DOUBLE_EQ(c.time_s.value(), 0.5);
  EXPECT_TRUE(mentions(import_table("model,gpus,jobs,images_per_s\nm,4,2,8\nm,3,2,8\n").warnings,
                       "line 3: 3 ranks are not 2 jobs of equally many"));
}

// Labels

TEST(ImportCsv, MakesARunOfEachCombinationOfLabels) {
  const std::string table =
      "platform,network,site,collective,ranks,bytes,time_us,statistic\n"
      "VM,IB,a,allreduce,2,8,1,mean\nVM,Eth,a,allreduce,2,8,2,mean\nVM,IB,a,allreduce,2,16,1,mean\n";
  const auto runs = import_log({.text = table, .source = "t.csv", .labels = {{"user", "me"}}});
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].name, "IB");  // the platform and the site are all alike
  EXPECT_EQ(runs[0].cases.size(), 2U);
  EXPECT_EQ(runs[0].head.labels,
            (std::map<std::string, std::string>{{"network", "IB"}, {"platform", "VM"}, {"site", "a"}, {"user", "me"}}));
  EXPECT_NE(runs[0].head.id, runs[1].head.id);
  const std::string two = "collective,ranks,bytes,time_us,statistic\nreduce,2,8,1,mean\nreduce,2,8,1,max\n";
  EXPECT_EQ(import_log({.text = two, .source = "t.csv"}).size(), 2U);
  EXPECT_NE(catch_import_error({.text = table, .source = "t.csv", .labels = {{"site", "b"}}})
                .find("has a column of that name"),
            std::string::npos);
}

// Errors

TEST(ImportCsv, SkipsBadRowsOnly) {
  const ImportedRun run = import_table(
      "collective,ranks,bytes,time_us\nallreduce,2,8,1\nallreduce,2,16,about 2\nallreduce,2,32\nfoo,2,64,1\n"
      "allreduce,2,128,-1\nallreduce,0,8,1\nallreduce,2,256,\nallreduce,2,8,3\nallreduce,2,512,1e999\nallreduce,2,1024,"
      "4\n");
  ASSERT_EQ(run.cases.size(), 2U);
  EXPECT_EQ(run.cases[1].key.bytes, 1024U);
  EXPECT_EQ(run.cases[1].index, 1);
  EXPECT_EQ(run.end.cases.ok, 2);
  EXPECT_TRUE(mentions(run.warnings,
                       "6 rows left out: line 3: time_us: 'about 2' is not a number above 0; line 4: 3 cells where the "
                       "header has 4; line 5: collective: unknown 'foo'; known: allreduce"));
  EXPECT_TRUE(mentions(run.warnings, "1 row left out because it repeats an earlier one (first: line 9)"));
  EXPECT_TRUE(mentions(run.head.notes, "1 row without a figure"));
  EXPECT_TRUE(mentions(run.head.notes, "6 rows left out"));
}

TEST(ImportCsv, NamesAnUnknownFigureAndTheKnownOnes) {
  const std::string reason = catch_table_error("collective,ranks,bytes,latency_us\nallreduce,2,8,1\n");
  EXPECT_NE(reason.find("t.csv: column 'latency_us' is not a known figure with its unit; known:"), std::string::npos);
  EXPECT_NE(reason.find("time_us"), std::string::npos);
  EXPECT_EQ(reason.find('\n'), std::string::npos);
  for (const std::string column : {"time", "time (us)", "busbw", "busbw_gbps", "p50_us", "size_kb", "bandwidth_GB/s"})
    EXPECT_NE(catch_table_error("collective,ranks,bytes,time_us," + column + "\n").find("'" + column + "'"),
              std::string::npos)
        << column;
  EXPECT_NE(catch_table_error("model,ranks,throughput\n").find("images_per_s"), std::string::npos);
  EXPECT_EQ(import_table("model,ranks,images_per_s,rated,timeout,stepping\nm,1,1,a,b,c\n").head.labels.size(), 3U);
}

TEST(ImportCsv, RefusesAnImplausibleFigure) {
  const std::string reason = catch_table_error("collective,gpus,size,busbw_GBps\nallgather,8,1M,2000000000000\n");
  EXPECT_NE(reason.find("t.csv: allgather"), std::string::npos) << reason;
  EXPECT_NE(reason.find("time_s is 4.58752e-16, not plausible"), std::string::npos) << reason;
}

TEST(ImportCsv, NamesMissingAndDuplicateColumns) {
  const auto said = [](const std::string& text, std::string_view words) {
    EXPECT_NE(catch_table_error(text).find(words), std::string::npos) << catch_table_error(text);
  };
  said("collective,ranks,bytes\n", "no column of figures");
  said("collective,ranks,time_us\n", "no column of sizes");
  said("collective,ranks,gpus,bytes,time_us\n", "columns 'ranks' and 'gpus' mean the same");
  said("collective,model,ranks,time_us\n", "make two of it");
  said("collective,bytes,time_us\nreduce,8,1\n", "add --ranks N");
  said("bytes,time_us\n8,1\n", "add --ranks N");
  said("collective,ranks,bytes,time_us\n", "no row has a figure");
  said("# statistic=best\ncollective,ranks,bytes,time_us\nreduce,2,8,1\n",
       "unknown 'best'; known: mean, median, min, max");
  said("run_id,origin,tool,collective,time_s\n", "busbar export --format csv wrote this");
  std::string many = "collective,ranks,bytes,time_us,serial\n";
  for (int i = 0; i < 200; ++i) many += "reduce,2,8,1," + std::to_string(i) + "\n";
  said(many, "more than 100 runs");
}

TEST(ImportCsv, RefusesOtherTexts) {
  for (const std::string text : {"a,b,c\n1,2,3\n", "Model: resnet50\n", "one, two\n", "collective\n", ",,,\n"})
    EXPECT_NE(catch_table_error(text).find("no output of a tool"), std::string::npos) << text;
}

}  // namespace
}  // namespace busbar::test
