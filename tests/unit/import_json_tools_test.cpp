// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "core/tables/case_table.hpp"
#include "core/tables/named_table.hpp"
#include "reports/export/exporter.hpp"
#include "reports/import/json/lenient_json.hpp"
#include "tests/unit/import_samples.hpp"

namespace busbar::test {
namespace {

ImportedRun import_text(const std::string& text) { return import_one_run({.text = text, .source = "t.json"}); }

std::string catch_text_error(const std::string& text) { return catch_import_error({.text = text, .source = "t.json"}); }

const CaseRecord* find(const ImportedRun& run, std::string_view name) {
  for (const CaseRecord& c : run.cases)
    if (c.key.collective == name || case_name(c.key) == name) return &c;
  ADD_FAILURE() << "no case " << name;
  return &run.cases.front();
}

Run as_run(const ImportedRun& run) {
  return {.path = "t.jsonl", .head = run.head, .cases = run.cases, .end = run.end, .notes = {}};
}

TEST(JsonStart, IsTheFirstKey) {
  EXPECT_EQ(first_json_key(" \n{ \"context\" : 1}"), "context");
  EXPECT_EQ(first_json_key("{\"a"), "");
  for (const auto* text : {"", "{", "{}", "[{\"a\":1}]", "x {\"a\":1}"}) EXPECT_EQ(first_json_key(text), "") << text;
}

TEST(LenientJson, ReplacesInfinityAndNanByNullOutsideStrings) {
  const LenientJson json = parse_lenient(R"({"a":inf,"b":-nan,"c":"inf , nan","d":[NaN,-Infinity,1]})", 9);
  EXPECT_FALSE(json.cut) << *json.cut;
  EXPECT_EQ(json.not_numbers, 4U);
  EXPECT_EQ(json.value.dump(), R"({"a":null,"b":null,"c":"inf , nan","d":[null,null,1]})");
  EXPECT_EQ(parse_lenient(R"({"a":null,"info":true})", 9).not_numbers, 0U);
  EXPECT_EQ(parse_lenient(R"(["\"inf",inf])", 9).value.dump(), R"(["\"inf",null])");
}

TEST(LenientJson, KeepsWholeValues) {
  const auto kept = [](std::string_view text) { return parse_lenient(text, 2).value.dump(); };
  EXPECT_EQ(kept(R"({"a":1,"b":[1,2)"), R"({"a":1,"b":[1]})");  // the 2 may be the start of 25
  EXPECT_EQ(kept(R"({"a":1,"b":[1,2,)"), R"({"a":1,"b":[1,2]})");
  EXPECT_EQ(kept(R"({"a":1,"b":[{"c":1})"), R"({"a":1,"b":[{"c":1}]})");
  EXPECT_EQ(kept(R"({"a":1,"b":[{"c":1)"), R"({"a":1,"b":[]})");  // too deep to be kept open
  EXPECT_EQ(kept(R"({"a":1,"b)"), R"({"a":1})");
  EXPECT_EQ(kept(R"({"a":"x)"), R"({})");
  EXPECT_EQ(kept(""), "null");
  EXPECT_EQ(kept(R"({"a":1} {"b":2})"), R"({"a":1})");
  EXPECT_EQ(*parse_lenient("{\"a\":1,\n\"b\":", 2).cut, "it ends in the middle of line 2");
  EXPECT_EQ(parse_lenient("{\"a\":1,\n\"b\" 7}", 2).cut->substr(0, 8), "line 2, ");
}

TEST(LenientJson, LimitsNesting) {
  EXPECT_TRUE(parse_lenient(std::string(1'000'000, '['), 2).cut);
  EXPECT_FALSE(parse_lenient(std::string(30, '[') + std::string(30, ']'), 2).cut);
}

TEST(LenientJson, TreatsMembersOfAnotherTypeAsMissing) {
  const auto json = nlohmann::json::parse(R"({"n":2.0,"m":-1,"t":"true","h":1.5,"b":1e300,"x":[1]})");
  const Members m(json);
  EXPECT_EQ(m.count("n"), 2U);
  EXPECT_FALSE(m.count("m") || m.count("h") || m.count("b") || m.count("x") || m.count("none") || m.text("n"));
  EXPECT_EQ(m.truth("t"), true);
  EXPECT_TRUE(m.list("x") != nullptr && m.object("x") == nullptr);
  EXPECT_EQ(Members(json["x"]).find("x"), nullptr);
}

// Google Benchmark

TEST(ImportGoogleBenchmark, ReadsRepetitionsAsSamples) {
  const ImportedRun run = import_sample("google_benchmark.json");
  const CaseRecord& c = *find(run, "BM_Sort<int>/1024/real_time");
  EXPECT_EQ(c.key.kind, CaseKind::function);
  EXPECT_EQ(c.key.backend, "google-benchmark");
  EXPECT_EQ(c.key.bytes, 0U);
  ASSERT_EQ(c.samples_s.size(), 3U);
  EXPECT_DOUBLE_EQ(c.samples_s[0], 120e-6);    // in the order of the file
  EXPECT_DOUBLE_EQ(c.time_s.value(), 110e-6);  // their median
  EXPECT_DOUBLE_EQ(c.statistics->max_s, 120e-6);
  EXPECT_EQ(c.calls_per_sample, 2000);
  EXPECT_FALSE(c.algbw_GBps || c.busbw_GBps || c.interval_s);
  EXPECT_EQ(run.head.method.statistic, Statistic::median);
  EXPECT_TRUE(mentions(run.head.notes, "CPU times are not imported; of 1 benchmark they differ"));
}

TEST(ImportGoogleBenchmark, ReadsOneRepetitionAsAMean) {
  const ImportedRun run = import_sample("google_benchmark.json");
  const CaseRecord& c = *find(run, "BM_Once");
  EXPECT_DOUBLE_EQ(c.time_s.value(), 7.5e-3);
  EXPECT_EQ(c.samples_taken, 1U);
  EXPECT_FALSE(c.statistics);
  EXPECT_EQ(c.remarks, std::vector<std::string>{"label: a label"});
}

TEST(ImportGoogleBenchmark, TakesAggregatesInPlaceOfRepetitions) {
  const CaseRecord c = *find(import_sample("google_benchmark.json"), "BM_Aggregated");
  EXPECT_DOUBLE_EQ(c.time_s.value(), 3.5e-9);
  EXPECT_TRUE(c.samples_s.empty() && !c.samples_taken);
}

TEST(ImportGoogleBenchmark, KeepsReasonsOfFailedAndSkippedBenchmarks) {
  const ImportedRun run = import_sample("google_benchmark.json");
  EXPECT_EQ(find(run, "BM_Broken")->status, Status::failed);
  EXPECT_EQ(find(run, "BM_Broken")->reason, "no file to sort");
  EXPECT_FALSE(find(run, "BM_Broken")->time_s);
  EXPECT_EQ(find(run, "BM_NotHere")->status, Status::skipped);
  EXPECT_EQ(find(run, "BM_NotHere")->reason, "wants AVX-512");
  EXPECT_EQ(run.end.status, EndStatus::failed);
  EXPECT_EQ(run.end.cases.ok, 3);
  EXPECT_EQ(run.end.cases.skipped, 1);
  EXPECT_EQ(run.end.cases.failed, 1);
  EXPECT_EQ(run.cases.size(), 5U);
  EXPECT_TRUE(mentions(run.warnings, "1 entry left out"));  // a unit that nobody knows
  EXPECT_TRUE(mentions(run.head.notes, "2 entries of asymptotic complexity"));
}

TEST(ImportGoogleBenchmark, KeepsOnlyMachineFactsOfTheContext) {
  const RunRecord head = import_sample("google_benchmark.json").head;
  EXPECT_EQ(head.origin, Origin::imported);
  EXPECT_EQ(head.tool.version, "v1.9.0");
  EXPECT_EQ(head.start_utc, "2026-03-04T04:06:07Z");  // was told with a zone
  ASSERT_EQ(head.hosts.size(), 1U);
  EXPECT_EQ(head.hosts.front().name, "node7");
  EXPECT_EQ(head.hosts.front().threads, 16);
  EXPECT_EQ(head.argv, std::vector<std::string>{"./build/sort_bench"});
  EXPECT_TRUE(head.labels.empty() && head.environment.empty());
  EXPECT_TRUE(mentions(head.notes, "frequency was scaled"));
}

TEST(ImportGoogleBenchmark, ReadsOldFilesWithoutRunTypes) {
  const ImportedRun run = import_sample("google_benchmark.old.json");
  ASSERT_EQ(run.cases.size(), 1U);
  EXPECT_EQ(run.cases.front().key.collective, "BM_Old/8");
  EXPECT_DOUBLE_EQ(run.cases.front().time_s.value(), 6e-9);
  EXPECT_FALSE(run.head.start_utc);  // its date has no zone
  EXPECT_TRUE(run.head.hosts.empty());
}

TEST(ImportGoogleBenchmark, ReadsWholeEntriesOfACutFile) {
  const ImportedRun run = import_sample("google_benchmark.cut_off.json");
  ASSERT_EQ(run.cases.size(), 1U);
  EXPECT_DOUBLE_EQ(run.cases.front().time_s.value(), 110e-6);
  EXPECT_EQ(run.end.status, EndStatus::unknown);
  EXPECT_TRUE(mentions(run.warnings, "the file is not whole"));
  const std::string text = read_sample("google_benchmark.json");
  check_every_cut(text, 0, 7, "t", [](const ImportedRun& part) {
    for (const CaseRecord& c : part.cases) {
      if (c.key.collective == "BM_Once") {
        EXPECT_EQ(c.time_s, 7.5e-3);
      }
    }
  });
}

TEST(ImportGoogleBenchmark, RefusesFilesWithoutTimes) {
  EXPECT_NE(catch_text_error(R"({"benchmarks":[{"name":"BM_Listed"}]})").find("t.json: no benchmark in it has a time"),
            std::string::npos);
  EXPECT_NE(catch_text_error(R"({"context":{},"benchmarks":[]})").find("no benchmark in it"), std::string::npos);
  EXPECT_NE(catch_text_error(R"({"context":{},"benchmarks":7})").find("no benchmark in it"), std::string::npos);
  EXPECT_NE(catch_text_error(R"({"context":{}})").find("no output of a tool"), std::string::npos);
  EXPECT_NE(catch_text_error(R"({"machine_info":{},"benchmarks":[]})").find("no output of a tool"), std::string::npos);
  EXPECT_NE(
      catch_text_error(R"({"context":5,"benchmarks":[5,{"name":7},{"name":"x","real_time":"1","time_unit":"ns"}]})")
          .find("no benchmark in it has a time"),
      std::string::npos);
}

TEST(ImportGoogleBenchmark, ShowsFunctionsInTheirOwnTable) {
  const std::string shown = table(as_run(import_sample("google_benchmark.json")));
  EXPECT_NE(shown.find("functions by google-benchmark\n"), std::string::npos);
  EXPECT_NE(shown.find("    110 us     -     120 us         -       3   unknown  BM_Sort<int>/1024/real_time\n"),
            std::string::npos)
      << shown;
  EXPECT_EQ(shown.find("0 B"), std::string::npos);
  EXPECT_EQ(shown.find("calls timed as one"), std::string::npos);
}

// Our own export

CaseRecord measured(const CaseKey& key, std::vector<double> samples) {
  CaseRecord c{.key = key};
  c.samples_s = std::move(samples);
  c.statistics = summarise(c.samples_s);
  c.samples_taken = c.samples_s.size();
  c.calls_per_sample = 4;
  set_bandwidth(c, c.statistics->median_s, 1.5);
  c.check.state = CheckState::passed;
  return c;
}

Run some_run() {
  CaseKey key{.collective = "allreduce",
              .backend = "mpi",
              .memory = "host",
              .type = "fp32",
              .op = "sum",
              .bytes = 1024,
              .in_place = false,
              .ranks = 4,
              .nodes = 1,
              .ranks_per_node = 4,
              .cadence = "synchronised",
              .group = "world"};
  Run run{.path = "a.jsonl", .head = {}, .cases = {measured(key, {3e-6, 2e-6, 4e-6})}, .end = {}, .notes = {}};
  run.head.id = "20260131T120000Z-1f3a9c02";
  run.head.tool.name = "busbar-bench";
  run.head.labels = {{"platform", "vm"}};
  run.head.method.rank_rule = RankRule::slowest;
  key.bytes = 2048;
  key.algorithm = "ring/simple";
  run.cases.push_back(measured(key, {5e-6}));
  CaseRecord skipped{.key = key, .status = Status::skipped, .reason = "no such type"};
  skipped.key.type = "fp8_e4m3";
  run.cases.push_back(skipped);
  CaseRecord barrier{
      .key = {.collective = "barrier", .backend = "mpi", .ranks = 4, .cadence = "barrier", .group = "world"}};
  barrier.time_s = 1e-6;
  run.cases.push_back(barrier);
  return run;
}

TEST(ImportGoogleBenchmark, ReadsOurExportBackWithItsKeys) {
  const auto run = some_run();
  const std::string text = try_find<Exporter>("google-benchmark")->write(run, {.max_repetitions = 100});
  const ImportedRun back = import_text(text);
  ASSERT_EQ(back.cases.size(), run.cases.size());
  for (std::size_t i = 0; i < run.cases.size(); ++i) {
    EXPECT_EQ(to_string(back.cases[i].key), to_string(run.cases[i].key));
    EXPECT_TRUE(back.cases[i].key == run.cases[i].key) << to_string(run.cases[i].key);
    EXPECT_EQ(back.cases[i].status, run.cases[i].status);
  }
  EXPECT_EQ(back.cases[0].samples_s.size(), 3U);
  EXPECT_DOUBLE_EQ(back.cases[0].time_s.value(), 3e-6);
  EXPECT_NEAR(back.cases[0].busbw_GBps.value(), run.cases[0].busbw_GBps.value(), 1e-12);
  EXPECT_EQ(back.cases[0].calls_per_sample, 4);
  EXPECT_EQ(back.cases[2].reason, "no such type");
  EXPECT_FALSE(back.cases[3].algbw_GBps);
  EXPECT_EQ(back.head.labels, run.head.labels);
  EXPECT_EQ(back.head.ranks, 4);
  EXPECT_EQ(back.head.method.rank_rule, RankRule::slowest);
  EXPECT_TRUE(mentions(back.head.notes, "an export of busbar's record 20260131T120000Z-1f3a9c02"));
}

// nvbandwidth

TEST(ImportNvbandwidth, MakesACaseOfEachCell) {
  const ImportedRun run = import_sample("nvbandwidth.json");
  const CaseRecord& c = *find(run, "GPU0<-GPU1");
  EXPECT_EQ(c.key.kind, CaseKind::copy);
  EXPECT_EQ(c.key.collective, "device_to_device_memcpy_read_ce");
  EXPECT_DOUBLE_EQ(c.algbw_GBps.value(), 396.1);
  EXPECT_EQ(c.key.bytes, 0U);
  EXPECT_FALSE(c.time_s || c.busbw_GBps || c.bus_factor);
  EXPECT_DOUBLE_EQ(find(run, "GPU1<-GPU0")->algbw_GBps.value(), 395.9);
  EXPECT_DOUBLE_EQ(find(run, "CPU->GPU1")->algbw_GBps.value(), 55.6342);
  EXPECT_DOUBLE_EQ(find(run, "GPU1")->algbw_GBps.value(), 1950.5);  // within a device
  EXPECT_TRUE(std::ranges::none_of(run.cases, [](const CaseRecord& k) { return k.algbw_GBps == 0.0; }));  // N/A
  EXPECT_EQ(run.end.cases.ok, 16);
  EXPECT_TRUE(run.warnings.empty());
}

TEST(ImportNvbandwidth, SeparatesStackedMatrices) {
  const ImportedRun run = import_sample("nvbandwidth.json");
  EXPECT_DOUBLE_EQ(find(run, "GPU0<->GPU1 one way")->algbw_GBps.value(), 380.5);
  EXPECT_DOUBLE_EQ(find(run, "GPU0<->GPU1 other way")->algbw_GBps.value(), 382.5);
  EXPECT_DOUBLE_EQ(find(run, "GPU1<->GPU0 total")->algbw_GBps.value(), 765);
  std::string text = read_sample("nvbandwidth.json");
  text.replace(text.find("1528.0"), 6, "1600.0");
  const ImportedRun odd = import_text(text);
  EXPECT_TRUE(mentions(odd.warnings, "the cells of its matrix sum to 3056.00, but it says 1600.00"));
  EXPECT_DOUBLE_EQ(find(odd, "row 4, column 1")->algbw_GBps.value(), 763);
}

TEST(ImportNvbandwidth, ReadsItsText) {
  const ImportedRun run = import_sample("nvbandwidth.txt");
  const ImportedRun json = import_sample("nvbandwidth.json");
  for (const char* path : {"GPU0<-GPU1", "GPU1<-GPU0", "GPU0<->GPU1 one way", "GPU0<->GPU1 other way",
                           "GPU1<->GPU0 total", "GPU1 with all"})
    EXPECT_DOUBLE_EQ(find(run, path)->algbw_GBps.value(), find(json, path)->algbw_GBps.value()) << path;
  EXPECT_DOUBLE_EQ(find(run, "CPU->GPU1")->algbw_GBps.value(), 55.64);
  EXPECT_DOUBLE_EQ(find(run, "CPU<->GPU0")->time_s.value(), 772.59e-9);
  EXPECT_EQ(run.end.cases.ok, 14);
  EXPECT_EQ(run.end.cases.skipped, 1);
  EXPECT_EQ(run.end.cases.failed, 1);
  EXPECT_EQ(run.end.status, EndStatus::failed);
  EXPECT_TRUE(run.warnings.empty()) << run.warnings.front();
  EXPECT_EQ(run.head.tool.version, "v0.8");
  EXPECT_EQ(run.head.libraries.at("cuda_driver"), "12.8");
  ASSERT_EQ(run.head.hosts.size(), 1U);
  EXPECT_EQ(run.head.hosts[0].name, "node7");
  EXPECT_EQ(run.head.hosts[0].gpu_driver, "570.124.06");
  EXPECT_EQ(run.head.hosts[0].gpus.at(1).bus, "00000000:43:00");
}

TEST(ImportNvbandwidth, MakesARecordOfEachRunInItsText) {
  const std::string one =
      "nvbandwidth Version: v0.10.0\nCUDA Runtime Version: 13.2 (13020)\nDriver Version: 595.71.05\n\n"
      "Running device_to_host_memcpy_ce.\nmemcpy CE CPU(row) <- GPU(column) bandwidth (GB/s)\n"
      "           0         1\n 0     55.20     55.10\n\nSUM device_to_host_memcpy_ce 110.30\n"
      "COEFFICIENT_OF_VARIATION device_to_host_memcpy_ce 0.00\n";
  const auto runs = import_log({.text = one + one, .source = "x.log"});
  ASSERT_EQ(runs.size(), 2U);
  for (const ImportedRun& run : runs) {
    EXPECT_EQ(run.cases.size(), 2U);
    EXPECT_EQ(run.head.libraries.at("cuda_driver"), "13.2");
    EXPECT_TRUE(run.warnings.empty());
  }
  const std::string other =
      "Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)\n   D\\D     0      1\n     0 2841.07  37.53\n";
  EXPECT_TRUE(import_text(one + other).warnings.empty()) << "of another program";
}

TEST(ImportNvbandwidth, ComparesMatricesOfItsTextWithTheirSums) {
  const ImportedRun odd = import_text(replace_first(read_sample("nvbandwidth.txt"), " 792.00", " 800.00"));
  EXPECT_TRUE(mentions(odd.warnings, "device_to_device_memcpy_read_ce: the cells of its matrix sum to"));
  EXPECT_DOUBLE_EQ(find(odd, "row 1, column 0")->algbw_GBps.value(), 395.9);
}

TEST(ImportNvbandwidth, LeavesOutAMatrixOfItsTextThatIsCutOff) {
  const std::string text = read_sample("nvbandwidth.txt");
  const ImportedRun run = import_text(text.substr(0, text.find(" 1    395.90")));
  EXPECT_EQ(run.end.cases.ok, 2);
  EXPECT_TRUE(mentions(run.warnings, "device_to_device_memcpy_read_ce (line 19) is left out: no sum ends its matrix"));
  EXPECT_NE(run.end.status, EndStatus::ok);
  const std::string old =
      "Running host_to_device_memcpy_ce.\nmemcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)\n"
      "          0         1\n0     26.03     25.94\n";
  EXPECT_EQ(import_text(old).end.cases.ok, 2) << "old releases print no sum";
  EXPECT_EQ(import_text(old.substr(0, old.size() - 3)).end.cases.ok, 0);
  const std::string missing = text.substr(0, text.find("MIN ")) + "ERROR: Testcase x not found!\nWaived: \n";
  const ImportedRun unnamed = import_text(missing);
  EXPECT_EQ(unnamed.end.cases.ok, 4);
  EXPECT_TRUE(mentions(unnamed.warnings, "line 26: an error that names no test: Testcase x not found!"));
  EXPECT_TRUE(mentions(unnamed.warnings, "1 test waived that the log does not name"));
}

TEST(ImportNvbandwidth, ReadsOneRowAsEachGpuWithAllOthers) {
  EXPECT_DOUBLE_EQ(find(import_sample("nvbandwidth.json"), "GPU1 with all")->algbw_GBps.value(), 391.25);
}

TEST(ImportNvbandwidth, ReadsLatenciesAsTimes) {
  const ImportedRun run = import_sample("nvbandwidth.json");
  const CaseRecord& c = *find(run, "CPU<->GPU0");
  EXPECT_DOUBLE_EQ(c.time_s.value(), 772.59e-9);
  EXPECT_FALSE(c.algbw_GBps);
  EXPECT_DOUBLE_EQ(find(run, "CPU<->GPU1")->time_s.value(), 1.2e-6);
}

TEST(ImportNvbandwidth, ComputesTimesOfCopiesFromASize) {
  const std::string text = read_sample("nvbandwidth.json");
  const ImportedRun run = import_log({.text = text, .source = "t", .bytes = 64 << 20}).front();
  const CaseRecord& c = *find(run, "GPU0<-GPU1");
  EXPECT_EQ(c.key.bytes, 64U << 20);
  EXPECT_DOUBLE_EQ(c.time_s.value(), (64 << 20) / 396.1e9);
  EXPECT_FALSE(find(run, "GPU1<->GPU0 total")->time_s);
  EXPECT_FALSE(find(run, "GPU1 with all")->time_s);
  EXPECT_EQ(find(run, "CPU<->GPU0")->key.bytes, 0U);  // has a buffer of its own
}

TEST(ImportNvbandwidth, KeepsReasonsOfTestsThatDidNotRun) {
  const ImportedRun run = import_sample("nvbandwidth.json");
  EXPECT_EQ(find(run, "all_to_host_memcpy_sm")->status, Status::skipped);
  EXPECT_EQ(find(run, "device_to_device_memcpy_write_sm")->status, Status::failed);
  EXPECT_EQ(find(run, "device_to_device_memcpy_write_sm")->reason, "status Error");  // once, not also as running
  EXPECT_EQ(find(run, "no_such_test")->status, Status::failed);
  EXPECT_EQ(run.end.status, EndStatus::failed);
  EXPECT_EQ(run.end.cases.failed, 2);
  const ImportedRun none = import_sample("nvbandwidth.no_driver.json");
  EXPECT_TRUE(none.cases.empty());
  EXPECT_EQ(none.end.status, EndStatus::failed);
  EXPECT_NE(none.end.reason.value_or("").find("CUDA_ERROR_NO_DEVICE"), std::string::npos);
  const ImportedRun running = import_text(
      R"({"nvbandwidth":{"error":"CUDA error","testcases":[{"name":"host_to_device_memcpy_ce","status":"Running"}]}})");
  EXPECT_EQ(running.cases.front().reason, "it was running when the output was written: CUDA error");
}

TEST(ImportNvbandwidth, DevicesAndVersions) {
  const RunRecord head = import_sample("nvbandwidth.json").head;
  EXPECT_EQ(head.tool.version, "v0.8");
  ASSERT_EQ(head.hosts.size(), 1U);
  EXPECT_EQ(head.hosts.front().name, "node7");
  EXPECT_EQ(head.hosts.front().gpu_driver, "570.124.06");
  ASSERT_EQ(head.hosts.front().gpus.size(), 2U);
  EXPECT_EQ(head.hosts.front().gpus[1].name, "NVIDIA H200");
  EXPECT_EQ(head.hosts.front().gpus[1].bus, "00000000:43:00");
  EXPECT_EQ(head.libraries, (std::map<std::string, std::string>{{"cuda_driver", "12.8"}}));
  EXPECT_TRUE(mentions(head.notes, "add --bytes SIZE"));
  const ImportedRun old = import_text(
      R"j({"nvbandwidth":{"GPU Device list":["0: NVIDIA H100 (00000000:1b:00)", 7],
         "testcases":[{"name":"x","status":"Waived"}]}})j");
  EXPECT_EQ(old.head.hosts.front().name, "unknown");
  EXPECT_EQ(old.head.hosts.front().gpus.front().bus, "00000000:1b:00");
}

TEST(ImportNvbandwidth, ReadsNoWrongCellFromACutFile) {
  const std::string text = read_sample("nvbandwidth.json");
  std::map<CaseKey, CaseRecord> whole;
  for (const CaseRecord& c : import_text(text).cases) whole.emplace(c.key, c);
  check_every_cut(text, 0, 5, "t", [&](const ImportedRun& run) {
    for (const CaseRecord& c : run.cases) {
      if (c.status != Status::ok) continue;
      ASSERT_TRUE(whole.contains(c.key)) << to_string(c.key);
      EXPECT_EQ(c.algbw_GBps, whole.at(c.key).algbw_GBps);
      EXPECT_EQ(c.time_s, whole.at(c.key).time_s);
    }
  });
}

TEST(ImportNvbandwidth, ToleratesNoise) {
  EXPECT_NE(catch_text_error(R"({"nvbandwidth":[]})").find("is empty"), std::string::npos);
  EXPECT_NE(catch_text_error(R"({"nvbandwidth":{"testcases":[]}})").find("no test in it"), std::string::npos);
  const ImportedRun odd = import_text(
      R"({"nvbandwidth":{"testcases":[5,{"name":"a"},{"name":"b","status":"Passed","bandwidth_matrix":[7,["x","-1","inf",[1]],["3"]],"sum":3}]}})");
  ASSERT_EQ(odd.cases.size(), 2U);
  EXPECT_EQ(odd.cases[0].status, Status::failed);
  EXPECT_DOUBLE_EQ(odd.cases[1].algbw_GBps.value(), 3);
  EXPECT_EQ(odd.cases[1].key.group, "row 2, column 0");
}

TEST(ImportNvbandwidth, ShowsCopiesInTheirOwnTable) {
  const std::string shown = table(as_run(import_sample("nvbandwidth.json")));
  EXPECT_NE(shown.find("copy: device_to_device_memcpy_read_ce by nvbandwidth\n"), std::string::npos);
  EXPECT_NE(shown.find("         -     -          -    396.10       -   unknown  GPU0<-GPU1\n"), std::string::npos)
      << shown;
  EXPECT_NE(shown.find("all_to_host_memcpy_sm skipped: waived"), std::string::npos);
}

TEST(ImportNvbandwidth, ExportsCasesWithoutTimeAsSuch) {
  const std::string text = try_find<Exporter>("google-benchmark")
                               ->write(as_run(import_sample("nvbandwidth.json")), {.max_repetitions = 100});
  EXPECT_NE(text.find("bytes:0/no_time\""), std::string::npos);
  EXPECT_NE(text.find("\"algbw_GBps\": 396.1"), std::string::npos);
  EXPECT_NE(text.find("the source gives no time"), std::string::npos);
}

}  // namespace
}  // namespace busbar::test
