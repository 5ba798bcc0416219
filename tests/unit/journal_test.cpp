// SPDX-License-Identifier: Apache-2.0
#include "core/journal/journal.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <set>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/build_info.hpp"
#include "core/base/error.hpp"
#include "core/record/arrival.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/method.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/software.hpp"
#include "core/record/status.hpp"
#include "tests/unit/catch_error.hpp"

namespace busbar::test {
namespace {

class Journal : public testing::Test {
 protected:
  Journal() { std::filesystem::create_directories(folder_); }
  ~Journal() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& text) const {
    std::ofstream(file_) << text;
    return file_;
  }
  static std::string head() { return to_line(run_record()) + "\n"; }
  static RunRecord run_record() { return {.id = "x", .tool = {.name = "test"}, .ranks = 2, .method = {}}; }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(folder_)) names.push_back(file.path().filename());
    std::ranges::sort(names);
    return names;
  }
  static CaseRecord one_case() {
    CaseRecord c{.key = {.collective = "allreduce", .backend = "mpi", .bytes = 8, .ranks = 2},
                 .samples_s = {1e-6, 0.1, 3e-9}};
    c.check.state = CheckState::passed;
    return c;
  }
  std::string catch_read_error(const std::string& text) const {
    return catch_error([&] { (void)read_journal(write(text)); });
  }
  /// Writes an end record.
  static std::string catch_write_error(JournalWriter& out) {
    return catch_error<OutputError>([&] { out.write(EndRecord{.status = EndStatus::ok}); });
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("journal_test." + std::to_string(::getpid()));
  std::string file_ = folder_ / "run.jsonl";
};

TEST_F(Journal, LeavesNoFileWithoutALine) {
  {
    const JournalWriter out(file_);
  }
  EXPECT_FALSE(std::filesystem::exists(file_));
  {
    const std::ofstream empty(file_);
  }
  {
    const JournalWriter out(file_);
  }
  EXPECT_TRUE(std::filesystem::exists(file_)) << "it was there before";
}

TEST_F(Journal, KeepsUnfinishedCasesUntilTheNextAreWritten) {
  JournalWriter out(file_);
  out.write(run_record());
  CaseRecord first = one_case(), second = one_case();
  second.index = 1;
  const std::vector unfinished{first, second};
  out.write_unfinished(unfinished);
  EXPECT_EQ(read_journal(file_).cases.size(), 2U);
  first.samples_taken = 17;
  out.write_unfinished(std::vector{first});
  ASSERT_EQ(read_journal(file_).cases.size(), 1U);
  EXPECT_EQ(read_journal(file_).cases[0].samples_taken, 17U);
  out.write(second);
  ASSERT_EQ(read_journal(file_).cases.size(), 2U) << "the first is still as it stood";
  EXPECT_EQ(read_journal(file_).cases[0].samples_taken, 17U);
  first.samples_taken = 18;
  out.write(first);
  ASSERT_EQ(read_journal(file_).cases.size(), 2U) << "what has ended is there once";
  EXPECT_EQ(read_journal(file_).cases[0].samples_taken, 18U);
  out.write_unfinished({});
  out.write(EndRecord{.status = EndStatus::ok, .exit_code = 0, .cases = {.ok = 1}});
  EXPECT_EQ(read_journal(file_).cases.size(), 2U) << "what is finished stays";
  EXPECT_TRUE(read_journal(file_).end);
  EXPECT_EQ(files(), std::vector<std::string>{"run.jsonl"});
}

TEST_F(Journal, ReadsUnfinishedCasesOfAKilledProgram) {
  CaseRecord done = one_case(), going_on = one_case();
  done.index = 1;
  {
    JournalWriter out(file_);
    out.write(run_record());
    out.write_unfinished(std::vector{done, going_on});
    out.write(done);
  }
  const busbar::Run run = read_journal(file_);
  ASSERT_EQ(run.cases.size(), 2U);
  EXPECT_EQ(run.cases[0].index, 0);
  EXPECT_EQ(run.notes,
            (std::vector<std::string>{"no end record: the run ended before all cases were measured",
                                      "1 case that had not ended: in run.jsonl.unfinished, which belongs to it"}));
  ASSERT_EQ(unfinished_cases(file_).size(), 1U);
  EXPECT_EQ(to_line(unfinished_cases(file_)[0]), to_line(going_on)) << "with its samples";
  EXPECT_EQ(read_journal(file_ + ".unfinished").cases.size(), 2U) << "a record by itself";
  std::filesystem::create_symlink("run.jsonl", folder_ / "link.jsonl");
  EXPECT_EQ(read_journal(folder_ / "link.jsonl").cases.size(), 2U);
  write_journal(file_, run, true);
  EXPECT_EQ(files(), (std::vector<std::string>{"link.jsonl", "run.jsonl"}));
  EXPECT_EQ(read_journal(file_).cases.size(), 2U);
}

TEST_F(Journal, IgnoresUnfinishedCasesOfOtherRuns) {
  write(head() + to_line(one_case()) + "\n");
  CaseRecord second = one_case();
  second.index = 1;
  RunRecord other = run_record();
  other.id = "y";
  for (const std::string& beside :
       {to_line(other) + "\n" + to_line(second) + "\n", std::string("{broken\n"), std::string(), head() + "{}\n"}) {
    std::ofstream(file_ + ".unfinished") << beside;
    EXPECT_EQ(read_journal(file_).cases.size(), 1U) << beside;
    EXPECT_TRUE(unfinished_cases(file_).empty()) << beside;
  }
  std::ofstream(file_ + ".unfinished") << head() << to_line(second) << "\n" << to_line(second).substr(0, 40);
  EXPECT_EQ(read_journal(file_).cases.size(), 2U) << "what is whole of it";
  EXPECT_TRUE(unfinished_cases(folder_ / "none.jsonl").empty());
}

/// Such as where a file is written over in a folder of somebody else.
TEST_F(Journal, KeepsNothingUnfinishedInAReadOnlyFolder) {
  JournalWriter out(file_);
  out.write(run_record());
  const auto all = std::filesystem::status(folder_).permissions();
  std::filesystem::permissions(folder_, all & ~static_cast<std::filesystem::perms>(0222));
  ::setfsuid(::geteuid() == 0 ? 65534 : ::geteuid());  // root may always
  EXPECT_NO_THROW(out.write_unfinished(std::vector{one_case()}));
  ::setfsuid(::geteuid());
  std::filesystem::permissions(folder_, all);
  EXPECT_EQ(files(), std::vector<std::string>{"run.jsonl"});
  out.write(one_case());
  EXPECT_EQ(read_journal(file_).cases.size(), 1U);
}

TEST_F(Journal, ReadsBackWhatItWrote) {
  const std::string path = folder_ / "new" / "run.jsonl";
  {
    JournalWriter out(path);
    out.write(RunRecord{
        .id = "id", .tool = {.name = "busbar-bench"}, .labels = {{"platform", "vm"}}, .ranks = 2, .method = {}});
    CaseRecord c = one_case();
    set_bandwidth(c, 2e-6, 1.0);
    out.write(c);
    out.write(EndRecord{.status = EndStatus::ok, .exit_code = 0, .cases = {.ok = 1}});
  }
  const busbar::Run run = read_journal(path);
  EXPECT_EQ(run.head.labels.at("platform"), "vm");
  ASSERT_EQ(run.cases.size(), 1U);
  EXPECT_EQ(run.cases[0].samples_s, (std::vector<double>{1e-6, 0.1, 3e-9}));
  EXPECT_EQ(run.cases[0].key, one_case().key);
  EXPECT_DOUBLE_EQ(run.cases[0].algbw_GBps.value(), 0.004);
  EXPECT_EQ(run.end.value().cases.ok, 1);
  EXPECT_TRUE(run.notes.empty());
  EXPECT_EQ(to_line(run.cases[0]), to_line(read_journal(path).cases[0]));
}

/// Not in order of index: cases are written as they end.
TEST_F(Journal, ReadsBackTheCourseOfARun) {
  RunRecord head{.id = "id", .tool = {.name = "busbar-bench"}, .ranks = 2, .method = {}};
  head.method.stop = StopAt{.confidence = 0.99, .least_rounds = 6, .run_budget_s = 60, .most_samples = 1000};
  head.method.buffers = BufferPlace{.alignment_bytes = 4096, .send_offset_bytes = 16, .recv_offset_bytes = 64};
  head.mpi = Mpi{.library = "Open MPI", .yields = false, .yield_asked_by = "nobody"};
  head.timer = Timer{.resolution_s = 1e-8, .cost_s = 2.5e-8};
  head.clock = ClockFacts{.method = "HCA3",
                          .reference_rank = 1,
                          .residual_s = 2e-8,
                          .uncertainty_s = 3e-7,
                          .took_s = 0.1,
                          .ranks = {{.rank = 1, .offset_s = -1.5, .drift_ppm = -0.3}}};
  head.hosts = {{.name = "a",
                 .gpus = {{.name = "GPU", .mig = false, .virtualisation = "passthrough", .pcie_width = 8}},
                 .gpu_links = GpuLinks{.columns = {"GPU0", "mlx5_0"}, .rows = {{"X", std::nullopt}}}}};
  head.noise = {{.measured_s = 1, .stolen_share = 0.1, .longest_s = 1e-3, .detours = 7, .speed_ratio = 1.5}};
  CaseRecord c = one_case();
  c.index = 1;
  c.ended_by = EndedBy::converged;
  c.interval_s = Interval{.low = 1e-6, .high = 3e-6, .confidence = 0.99};
  c.rounds = {{.at_s = 1, .samples = 9, .kept = 2, .median_s = 2e-6, .early_s = 3e-6, .contended = true},
              {.at_s = 2, .samples = 3, .kept = 1, .median_s = 1e-6}};
  c.modes = Modes{.low = {.median_s = 1e-6, .rounds = 3}, .high = {.median_s = 2e-6, .rounds = 4}};
  c.calls_per_sample = 8;
  c.invalid_samples = 0;
  c.arrival =
      Arrival{.skew_s = 1e-7,
              .transfer_s = -1e-9,
              .late = {{.rank = 1, .host = "b", .cpus = "3", .device = "GPU", .last_share = 0.75, .behind_s = 1e-6}}};
  c.usage = {{.wall_s = 1, .cpu_s = 0.5, .waited_s = 0.1, .voluntary = 1, .involuntary = 2, .host_busy_s = 1.5},
             {.wall_s = 1, .cpu_s = 1, .host_stolen_s = 0.25, .throttled = 3}};
  c.contention = Contention{.reasons = {"runnable but not running 10 % of the time"}};
  c.telemetry = {{},
                 {.uuid = "GPU-1",
                  .readings = 2,
                  .power_W = Spread{.min = 300, .median = 650.5, .max = 700},
                  .clock_reasons = {{.reason = "sw_power_cap", .share = 0.5}},
                  .throttled = true,
                  .nvlink_tx_bytes = std::uint64_t{1} << 60}};
  c.throttled = true;
  c.choice = LibraryChoice{.algorithm = "ring", .protocol = "simple", .channels = 24};
  c.gated = GatedTimes{.launch_s = 5, .device_s = 6, .notice_s = 7};
  c.overlap = Overlap{.hidden = -0.5,
                      .hidden_interval = Interval{.low = -0.75, .high = 0.25, .confidence = 0.95},
                      .alone_s = 1,
                      .work_s = 2,
                      .start_s = 3,
                      .work_beside_s = 4,
                      .wait_s = 5};
  c.overhead = Overhead{.inside_s = 1, .start_s = 2, .data_s = 3, .other_s = 4};
  c.remarks = {"times rose by 6 % from the first round to the last"};
  const EndRecord end{.status = EndStatus::ok,
                      .clock = ClockChecks{.checks = {{.at_s = 5, .residual_s = 1e-9, .uncertainty_s = 2e-7}},
                                           .worst_residual_s = 1e-9,
                                           .resynchronised = 1}};
  {
    JournalWriter out(file_);
    out.write(head);
    out.write(c);
    out.write(one_case());
    out.write(end);
  }
  const busbar::Run run = read_journal(file_);
  EXPECT_EQ(to_line(run.head), to_line(head));
  ASSERT_EQ(run.cases.size(), 2U);
  EXPECT_EQ(to_line(run.cases[0]), to_line(one_case()));
  EXPECT_EQ(to_line(run.cases[1]), to_line(c));
  EXPECT_EQ(to_line(run.end.value()), to_line(end));
  EXPECT_EQ(run.cases[1].rounds.at(0).kept, 2U);  // and not only the same text
  EXPECT_EQ(run.cases[1].choice.value(), c.choice.value());
  EXPECT_EQ(run.cases[1].arrival.value().late.at(0).host, "b");
  EXPECT_EQ(run.cases[1].usage.at(1).throttled, 3U);
  ASSERT_EQ(run.cases[1].telemetry.size(), 2U);
  EXPECT_FALSE(run.cases[1].telemetry[0].throttled);
  EXPECT_DOUBLE_EQ(run.cases[1].telemetry[1].power_W.value().median, 650.5);
  EXPECT_EQ(run.cases[1].telemetry[1].nvlink_tx_bytes, std::uint64_t{1} << 60);
  EXPECT_EQ(run.cases[1].telemetry[1].clock_reasons.at(0).share, 0.5);
  EXPECT_EQ(run.cases[1].throttled, true);
  EXPECT_FALSE(run.cases[0].throttled);
  EXPECT_DOUBLE_EQ(run.head.method.stop.value().confidence, 0.99);
  EXPECT_EQ(run.head.hosts.at(0).gpus.at(0).mig, false);
  EXPECT_EQ(run.head.hosts[0].gpus[0].pcie_width, 8);
  EXPECT_EQ(run.head.hosts[0].gpu_links.value().rows.at(0).at(0), "X");
  EXPECT_FALSE(run.head.hosts[0].gpu_links.value().rows[0].at(1));
}

TEST_F(Journal, ReadsBackEveryStatus) {
  std::string text = head();
  const std::vector all{Status::ok, Status::partial, Status::skipped, Status::failed};
  for (std::size_t i = 0; i < all.size(); ++i) {
    CaseRecord c = one_case();
    c.index = static_cast<int>(i);
    c.status = all[i];
    text += to_line(c) + "\n";
  }
  const auto run = read_journal(write(text));
  ASSERT_EQ(run.cases.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(run.cases[i].status, all[i]);
}

TEST_F(Journal, ReadsLaunchesAndSkipsEmptyOnes) {
  const auto launch = [](int command, int number) {
    return to_line(LaunchRecord{.command = command, .number = number, .argv = {"mpirun"}, .ended = LaunchEnd::itself}) +
           "\n";
  };
  const std::string one = head() + to_line(one_case()) + "\n" + to_line(EndRecord{.status = EndStatus::ok}) + "\n";
  write(launch(1, 1) + one + launch(2, 1) + launch(1, 2) + one);
  const auto runs = read_journals(file_);
  ASSERT_EQ(runs.size(), 2);
  EXPECT_EQ(runs[0].launch->number, 1);
  EXPECT_EQ(runs[1].launch->number, 2);
  for (const auto& run : runs) {
    EXPECT_EQ(run.launch->command, 1);
    EXPECT_EQ(run.cases.size(), 1);
    EXPECT_TRUE(run.end);
    EXPECT_TRUE(run.notes.empty());
  }
  EXPECT_THAT(catch_read_error(launch(1, 1) + one + launch(1, 2) + one), testing::HasSubstr("has 2 launches"));
  EXPECT_THAT(catch_read_error(one + launch(1, 2)),
              testing::HasSubstr(":4: a launch record behind one of another kind"));
  write(one);
  ASSERT_EQ(read_journals(file_).size(), 1);
  EXPECT_FALSE(read_journals(file_)[0].launch);
}

TEST_F(Journal, WritesNanAsNull) {
  CaseRecord c = one_case();
  c.time_s = std::numeric_limits<double>::quiet_NaN();
  c.algbw_GBps = std::numeric_limits<double>::infinity();
  const std::string line = to_line(c);
  EXPECT_NE(line.find("\"time_s\":null"), std::string::npos) << line;
  EXPECT_NE(line.find("\"algbw_GBps\":null"), std::string::npos) << line;
}

TEST_F(Journal, DoesNotOverwriteAFile) {
  write("precious");
  EXPECT_THROW(JournalWriter{file_}, UsageError);
  EXPECT_NO_THROW((JournalWriter{file_, true}));
}

TEST_F(Journal, LosesOnlyATornLastLine) {
  const std::string good = to_line(one_case());
  const busbar::Run run = read_journal(write(head() + good + "\n" + good.substr(0, good.size() / 2)));
  EXPECT_EQ(run.cases.size(), 1U);
  ASSERT_EQ(run.notes.size(), 2U);
  EXPECT_NE(run.notes[0].find("line 3 is cut off"), std::string::npos) << run.notes[0];
  EXPECT_NE(run.notes[1].find("no end record"), std::string::npos) << run.notes[1];
}

TEST_F(Journal, SkipsOnlyListsOnDemand) {
  CaseRecord c = one_case();
  c.time_s = 0.25;
  c.rounds = {{.at_s = 1, .samples = 3, .kept = 3, .median_s = 0.5}};
  c.telemetry = {{.uuid = R"(a "]" \\ \" ]} [)"}};
  c.usage = {{}};
  c.ranks = {{.rank = 1, .min_s = 2}};
  c.remarks = {R"("samples_s":[1] "rounds":[ [)"};
  const std::string file = write(head() + to_line(c) + "\n");
  const CaseRecord all = read_journal(file).cases.at(0);
  EXPECT_EQ(all.samples_s.size() + all.rounds.size() + all.telemetry.size() + all.usage.size() + all.ranks.size(), 7U);
  const CaseRecord no_samples = read_journal(file, Detail::without_samples).cases.at(0);
  EXPECT_TRUE(no_samples.samples_s.empty());
  EXPECT_EQ(no_samples.rounds.size(), 1U);
  const CaseRecord figures = read_journal(file, Detail::figures).cases.at(0);
  EXPECT_EQ(figures.samples_s.size() + figures.rounds.size() + figures.telemetry.size() + figures.usage.size() +
                figures.ranks.size(),
            0U);
  EXPECT_EQ(figures.time_s, 0.25);
  EXPECT_EQ(figures.key, c.key);
  EXPECT_EQ(figures.remarks, c.remarks);
}

TEST_F(Journal, RefusesBrokenInputWithFileAndLine) {
  EXPECT_NE(catch_read_error("").find("run.jsonl: is empty"), std::string::npos);
  EXPECT_NE(catch_read_error("hello\n").find("run.jsonl:1: not a busbar record"), std::string::npos);
  EXPECT_NE(catch_read_error(head() + "{broken\n" + head()).find("run.jsonl:2: not a busbar record"),
            std::string::npos);
  EXPECT_NE(catch_read_error(head() + head()).find("run.jsonl:2: a second run record"), std::string::npos);
  EXPECT_NE(catch_read_error(to_line(one_case()) + "\n").find("run.jsonl:1: the first record is not a run"),
            std::string::npos);
  EXPECT_NE(catch_read_error(head() + "{\"record\":\"case\"}\n").find("run.jsonl:2: "), std::string::npos);
  EXPECT_NE(catch_read_error(head() + "[1,2]\n").find("run.jsonl:2: "), std::string::npos);
  EXPECT_NE(catch_read_error(head() + "{\"record\":\"case\",\"id\":\"" + std::string(10'000'000, 'x') + "\"}\n")
                .find("run.jsonl:2: a text of 10000000 bytes at byte 23 of the line; at most 1048576 are read"),
            std::string::npos);
}

TEST_F(Journal, RefusesANewerSchema) {
  RunRecord newer{.schema = schema_version + 6, .id = "x", .tool = {.name = "busbar-bench"}, .method = {}};
  const std::string reason = catch_read_error(to_line(newer) + "\n");
  EXPECT_NE(reason.find("schema " + std::to_string(schema_version + 6)), std::string::npos) << reason;
  EXPECT_NE(reason.find("use a newer busbar"), std::string::npos) << reason;
}

TEST_F(Journal, ReportsAFullDevice) {
  JournalWriter out("/dev/full", true);
  EXPECT_EQ(catch_write_error(out), "cannot write /dev/full: No space left on device; the records before stay valid");
}

TEST_F(Journal, LocksItsFile) {
  const JournalWriter out(file_);
  const std::string busy = "--out: " + file_ + " is being written by another run";
  EXPECT_EQ(catch_error([&] { JournalWriter(file_, true); }), busy);
  EXPECT_EQ(catch_error([&] { (void)JournalWriter::resume(file_); }),
            "--resume: " + file_ + " is being written by another run");
  EXPECT_EQ(catch_error([&] { write_journal(file_, {}, true); }), busy);
  EXPECT_GE(out.descriptor(), 0);
}

TEST_F(Journal, EmptiesTheFileWhenOverwriting) {
  write(head() + to_line(one_case()) + "\n");
  const JournalWriter out(file_, true);
  EXPECT_EQ(std::filesystem::file_size(file_), 0U);
}

TEST_F(Journal, ReportsADeletedOrReplacedFile) {
  const std::string gone = "cannot write " + file_ + ": it was deleted or replaced, or its file system is gone";
  {
    JournalWriter out(file_);
    EXPECT_EQ(catch_write_error(out), "no error");
    std::filesystem::remove(file_);
    EXPECT_EQ(catch_write_error(out), gone);
  }
  JournalWriter out(file_);
  std::filesystem::rename(file_, file_ + ".old");
  EXPECT_EQ(catch_write_error(out), gone);
  write("of somebody else");
  EXPECT_EQ(catch_write_error(out), gone);
}

TEST_F(Journal, ReportsATruncatedFile) {
  JournalWriter out(file_);
  out.write(run_record());
  std::filesystem::resize_file(file_, 10);
  EXPECT_EQ(catch_write_error(out), "cannot write " + file_ + ": another program cut it to 10 bytes");
}

TEST_F(Journal, ReusesAnAbandonedEmptyFile) {
  write("");
  {
    JournalWriter out(file_);
    EXPECT_EQ(catch_error([&] { (void)JournalWriter(file_); }),
              "--out: " + file_ + " exists; name another file, or add --overwrite")
        << "while another writes it";
    out.write(run_record());
  }
  EXPECT_EQ(read_journal(file_).head.id, "x");
  std::filesystem::remove(file_);
  std::filesystem::create_symlink(folder_ / "elsewhere", file_);
  std::ofstream(folder_ / "elsewhere").flush();
  EXPECT_NE(catch_error([&] { (void)JournalWriter(file_); }).find("exists"), std::string::npos)
      << "no link is followed";
}

TEST_F(Journal, RefusesNamesTooLongForTemporaryFiles) {
  const auto named = [&](std::size_t length) { return folder_ / std::string(length, 'n'); };
  JournalWriter out(named(231));
  out.write(run_record());
  out.write_unfinished(std::vector{one_case()});
  EXPECT_NE(catch_error([&] { (void)JournalWriter(named(232)); }).find("has 232 characters; at most 231 leave room"),
            std::string::npos);
}

TEST_F(Journal, FollowsNoLinkWithTemporaryFiles) {
  write("");
  JournalWriter out(file_);
  out.write(run_record());
  const auto precious = folder_ / "precious";
  std::ofstream(precious) << "of somebody else";
  for (const char* name : {".unfinished", ".unfinished.tmp"}) std::filesystem::create_symlink(precious, file_ + name);
  out.write_unfinished(std::vector{one_case()});
  EXPECT_EQ(std::filesystem::file_size(precious), 16U);
  EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(file_ + ".unfinished")));
}

TEST_F(Journal, RefusesDeepNesting) {
  const std::string deep = std::string(30'000, '[') + std::string(30'000, ']');
  EXPECT_NE(catch_read_error(head() + deep + "\n").find("run.jsonl:2: is JSON of more than 64 levels"),
            std::string::npos);
  write(head());
  std::ofstream(file_ + ".unfinished") << head() + deep + "\n";
  EXPECT_TRUE(read_journal(file_).cases.empty());
}

TEST_F(Journal, RefusesImplausibleFigures) {
  const auto reason_for_bandwidth = [&](double GBps) {
    CaseRecord c = one_case();
    c.time_s = 1e-6;
    c.busbw_GBps = GBps;
    return catch_read_error(head() + to_line(c) + "\n");
  };
  EXPECT_NE(reason_for_bandwidth(1e308).find("run.jsonl:2: busbw_GBps is 1e+308, not plausible"), std::string::npos)
      << reason_for_bandwidth(1e308);
  EXPECT_NE(reason_for_bandwidth(-1).find("busbw_GBps is -1"), std::string::npos);
  CaseRecord fast = one_case();
  fast.time_s = 1e-300;
  EXPECT_NE(catch_read_error(head() + to_line(fast) + "\n").find("time_s is 1e-300"), std::string::npos);
}

TEST_F(Journal, ToleratesARemovedPipe) {
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  const Descriptor reader(::open(file_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  JournalWriter out(file_, true);
  std::filesystem::remove(file_);
  EXPECT_EQ(catch_write_error(out), "no error");
}

/// A limit on the file size acts as a full disk on which only part of a line fits.
TEST_F(Journal, EndsAFullFileWithAWholeLine) {
  std::signal(SIGXFSZ, SIG_IGN);
  JournalWriter out(file_);
  out.write(run_record());
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit limit = before;
  limit.rlim_cur = std::filesystem::file_size(file_) + to_line(one_case()).size() + 10;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  CaseRecord second = one_case();
  second.index = 1;
  const std::string why_beside =
      catch_error<OutputError>([&] { out.write_unfinished(std::vector{one_case(), second}); });
  const std::string why = catch_error<OutputError>([&] {
    out.write(one_case());
    out.write(second);
  });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(why, "cannot write " + file_ + ": File too large; the records before stay valid");
  EXPECT_EQ(why_beside, "cannot write " + file_ + ".unfinished: File too large; the records before stay valid");
  EXPECT_EQ(files(), std::vector<std::string>{"run.jsonl"}) << "nothing half written is left";
  const busbar::Run run = read_journal(file_);
  EXPECT_EQ(run.cases.size(), 1U) << "as many whole lines as there is room for";
  EXPECT_EQ(run.notes, std::vector<std::string>{"the run is still writing it"});
}

TEST_F(Journal, NotesARunThatIsStillWriting) {
  std::optional<JournalWriter> out(std::in_place, file_);
  EXPECT_EQ(catch_error([&] { (void)read_journal(file_); }),
            file_ + ": has no record yet, the run is still writing it");
  out->write(run_record());
  EXPECT_EQ(read_journal(file_).notes, std::vector<std::string>{"the run is still writing it"});
  out.reset();
  EXPECT_EQ(read_journal(file_).notes,
            std::vector<std::string>{"no end record: the run ended before all cases were measured"});
}

/// While cases continue and end, readers see a valid journal at every moment, with each case once.
TEST_F(Journal, IsReadableWhileBeingWritten) {
  JournalWriter out(file_);
  out.write(run_record());
  std::atomic<bool> done = false;
  std::atomic<int> readings = 0;
  std::string problem;
  std::thread reader([&] {
    std::size_t seen = 0;
    try {
      while (!done || readings == 0) {
        const busbar::Run run = read_journal(file_);
        std::set<int> indexes;
        for (const CaseRecord& c : run.cases)
          if (!indexes.insert(c.index).second || c.samples_s.empty()) problem = "a case is there twice, or not whole";
        if (indexes.size() < seen) problem = "a case was there and is not";
        seen = indexes.size();
        ++readings;
      }
    } catch (const std::exception& e) {
      problem = e.what();
    }
  });
  CaseRecord c = one_case();
  for (int i = 0; i < 100; ++i) {
    c.index = i;
    c.samples_s.assign(static_cast<std::size_t>(1 + 97 * (i % 13)), 1e-6);
    out.write_unfinished(std::vector{c});
    out.write(c);
  }
  out.write(EndRecord{.status = EndStatus::ok});
  done = true;
  reader.join();
  EXPECT_EQ(problem, "");
  EXPECT_GT(readings, 0);
}

class Resumed : public Journal {
 protected:
  static RunRecord run(const std::string& id, std::optional<std::string> resumes = {}) {
    return {.id = id,
            .resumes = std::move(resumes),
            .tool = {.name = "test"},
            .start_utc = "2026-01-31T12:00:00Z",
            .ranks = 2,
            .method = {}};
  }
  static CaseRecord numbered(int index, double time_s) {
    CaseRecord c = one_case();
    c.index = index;
    c.time_s = time_s;
    return c;
  }
};

TEST_F(Resumed, ReplacesEarlierCasesByLaterOnes) {
  write(to_line(run("a")) + "\n" + to_line(numbered(2, 1)) + "\n" + to_line(numbered(0, 1)) + "\n" +
        to_line(EndRecord{.status = EndStatus::interrupted}) + "\n" + to_line(numbered(1, 1)).substr(0, 50));
  {
    JournalWriter out = JournalWriter::resume(file_);
    out.write(run("b", "a"));
    EXPECT_FALSE(read_journal(file_).end) << "an end from before says nothing of what came later";
    out.write(numbered(1, 2));
    out.write(numbered(2, 2));
    out.write(EndRecord{.status = EndStatus::ok, .cases = {.ok = 3}});
  }
  const busbar::Run all = read_journal(file_);
  EXPECT_EQ(all.head.id, "a");
  ASSERT_EQ(all.cases.size(), 3U);
  for (int i = 0; i < 3; ++i) {
    const CaseRecord& c = all.cases[static_cast<std::size_t>(i)];
    EXPECT_EQ(c.index, i);
    EXPECT_EQ(c.time_s, i == 0 ? 1 : 2);
    EXPECT_EQ(c.launch, i == 0 ? 0U : 1U);
  }
  ASSERT_EQ(all.resumed.size(), 1U);
  EXPECT_EQ(all.resumed[0].id, "b");
  EXPECT_EQ(all.end.value().cases.ok, 3);
  EXPECT_EQ(all.notes,
            std::vector<std::string>{"cases 2 to 3 of 3 were measured when the run was resumed, 2026-01-31T12:00:00Z"});
  write_journal(folder_ / "copy.jsonl", all);
  const busbar::Run copy = read_journal(folder_ / "copy.jsonl");
  EXPECT_EQ(copy.notes, all.notes);
  EXPECT_EQ(to_line(copy.cases[2]), to_line(all.cases[2]));
}

TEST_F(Resumed, AcceptsAMissingLastNewline) {
  write(to_line(run("a")) + "\n" + to_line(numbered(0, 1)));
  JournalWriter::resume(file_).write(run("b", "a"));
  const busbar::Run all = read_journal(file_);
  EXPECT_EQ(all.cases.size(), 1U);
  EXPECT_EQ(all.notes[0], "no case was measured when the run was resumed, 2026-01-31T12:00:00Z");
}

TEST_F(Resumed, KeepsUnfinishedCases) {
  {
    JournalWriter out(file_);
    out.write(run("a"));
    out.write(numbered(0, 1));
    out.write_unfinished(std::vector{numbered(1, 1), numbered(2, 1)});
  }
  std::ofstream(file_, std::ios::app) << to_line(numbered(1, 1)).substr(0, 50);
  {
    JournalWriter out = JournalWriter::resume(file_);
    EXPECT_EQ(files().size(), 2U);
    out.write(run("b", "a"));
    EXPECT_EQ(files(), std::vector<std::string>{"run.jsonl"});
    out.write_unfinished(std::vector{numbered(1, 2)});
  }
  const busbar::Run all = read_journal(file_);
  ASSERT_EQ(all.cases.size(), 3U);
  EXPECT_EQ(all.cases[1].time_s, 2);
  EXPECT_EQ(all.cases[1].launch, 1U);
  EXPECT_EQ(all.cases[2].time_s, 1) << "of the launch before";
  EXPECT_EQ(all.notes.at(0), "case 2 was measured when the run was resumed, 2026-01-31T12:00:00Z");
}

TEST_F(Resumed, ChangesNothingBeforeTheFirstWrite) {
  const std::string text = head() + to_line(one_case()).substr(0, 30);
  write(text);
  {
    const JournalWriter out = JournalWriter::resume(file_);
  }
  EXPECT_EQ(std::filesystem::file_size(file_), text.size());
  EXPECT_EQ(catch_error([&] { (void)JournalWriter::resume(folder_ / "no.jsonl"); }),
            "--resume: cannot open " + (folder_ / "no.jsonl").string() + ": No such file or directory");
  EXPECT_EQ(catch_error([] { (void)JournalWriter::resume("/dev/null"); }), "--resume: /dev/null is not a regular file");
}

TEST_F(Resumed, IgnoresTheRecordOfAnotherRun) {
  EXPECT_NE(catch_read_error(to_line(run("a")) + "\n" + to_line(run("b", "c")) + "\n")
                .find("run.jsonl:2: a second run record, and not of a launch that resumed the first one's"),
            std::string::npos);
}

}  // namespace
}  // namespace busbar::test
