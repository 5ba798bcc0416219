// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/base/json.hpp"
#include "core/files/file_lock.hpp"
#include "core/journal/journal.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/board/board.hpp"
#include "reports/board/board_page.hpp"
#include "reports/board/site.hpp"
#include "reports/serve/gate.hpp"
#include "reports/serve/live_state.hpp"
#include "tests/unit/synthetic.hpp"

namespace busbar::test {
namespace {

using board::Group;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

CaseRecord timed_case(int index, std::uint64_t bytes, double time_s, int rounds) {
  CaseRecord c{.index = index, .key = allreduce_key(bytes, 2, 1)};
  set_bandwidth(c, time_s, 1);
  c.interval_s = Interval{.low = 0.98 * time_s, .high = 1.02 * time_s, .confidence = 0.95};
  for (int i = 0; i < rounds; ++i) c.rounds.push_back({.at_s = 0.1 * i, .samples = 5, .median_s = time_s});
  c.check.state = CheckState::passed;
  c.ended_by = EndedBy::converged;
  return c;
}

CaseRecord unfinished_case(int index, std::uint64_t bytes, int rounds, double wall_s) {
  CaseRecord c = timed_case(index, bytes, 1e-5, rounds);
  c.ended_by = EndedBy::unfinished;
  c.wall_s = wall_s;
  return c;
}

RunRecord head_of_launch() {
  RunRecord head{
      .id = "x", .tool = {.name = "busbar-bench"}, .start_utc = "2026-01-31T12:00:00Z", .ranks = 2, .nodes = 1};
  head.method.stop = StopAt{.case_budget_s = 2, .run_budget_s = 60};
  return head;
}

// What the page is told

class LiveState : public testing::Test {
 protected:
  LiveState() { fs::create_directories(folder_); }
  ~LiveState() override { fs::remove_all(folder_); }

  serve::Sight sight() {
    runs_ = {read_journal(file_, Detail::without_samples)};
    return {.file = "x.jsonl",
            .runs = &runs_,
            .phase = serve::phase_of(&runs_[0], is_being_written(file_), 0),
            .elapsed_s = 15};
  }

  fs::path folder_ = fs::temp_directory_path() / fmt::format("watch_test.{}", ::getpid());
  std::string file_ = folder_ / "x.jsonl";
  std::vector<busbar::Run> runs_;
};

TEST_F(LiveState, ShowsCasesOfAJournalThatIsBeingWritten) {
  JournalWriter out(file_);
  out.write(head_of_launch());
  out.write_unfinished(std::vector{unfinished_case(1, 1024, 4, 0.5)});
  out.write(timed_case(0, 8, 1e-6, 30));
  const auto state = live_state(sight());
  EXPECT_EQ(state["phase"], "running");
  EXPECT_EQ(state["headline"], "The run is going on: 1 case done, 1 being measured.");
  EXPECT_EQ(state["about"], "busbar-bench, 2 ranks on 1 node; started 2026-01-31T12:00:00Z");
  EXPECT_EQ(state["progress"]["text"], "15 s elapsed of at most 60 s; at most 45 s to go");
  EXPECT_DOUBLE_EQ(state["progress"]["share"], (1 + 0.25) / 2) << "more than the 15 of 60 s";
  ASSERT_EQ(state["tables"].size(), 1U);
  const auto& rows = state["tables"][0]["rows"];
  ASSERT_EQ(rows.size(), 2U);
  const std::vector<std::string> done = rows[0]["cells"], going_on = rows[1]["cells"];
  EXPECT_EQ(done[0], "8 B");
  EXPECT_EQ(done[3], "2.0");
  EXPECT_EQ(done[5], "30");
  EXPECT_EQ(done[1], "done");
  EXPECT_EQ(going_on[0], "1 KiB");
  EXPECT_EQ(going_on[1], "measuring");
  EXPECT_EQ(state["report"], "");
}

TEST_F(LiveState, DrawsOneChartPerCollective) {
  JournalWriter out(file_);
  out.write(head_of_launch());
  out.write(timed_case(0, 8, 1e-6, 30));
  CaseRecord other = timed_case(1, 1024, 2e-6, 30);
  other.key.collective = "<b>alltoall</b>";
  other.key.op = "<script>";
  out.write(other);
  const auto charts = live_state(sight())["charts"];
  ASSERT_EQ(charts.size(), 2U);
  const std::string svg = charts[1]["svg"];
  EXPECT_THAT(svg, HasSubstr("<circle "));
  EXPECT_THAT(svg, HasSubstr("1 KiB"));
  EXPECT_THAT(svg, Not(HasSubstr("<script>")));
  EXPECT_THAT(svg, Not(HasSubstr("style="))) << "the page's policy forbids styles of elements";
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST_F(LiveState, TellsWhatGuardsSaidLast) {
  JournalWriter out(file_);
  out.write(head_of_launch());
  CaseRecord wrong = timed_case(0, 8, 1e-6, 3);
  wrong.status = Status::failed;
  wrong.reason = "wrong data on rank 1";
  out.write(wrong);
  out.write(EndRecord{.status = EndStatus::aborted, .reason = "rank 1 (host a) hangs in allreduce", .unguarded = {3}});
  serve::Sight seen = sight();
  seen.phase = serve::Phase::ended;
  const auto state = live_state(seen);
  EXPECT_EQ(state["headline"], "The run has ended, aborted: 1 case done.");
  std::vector<std::string> bad;
  for (const auto& alarm : state["alarms"])
    if (alarm["bad"]) bad.push_back(alarm["text"]);
  EXPECT_THAT(bad, ElementsAre("Aborted: rank 1 (host a) hangs in allreduce",
                               "1 rank without a guard: a hang would not have been noticed",
                               "allreduce 8 B failed: wrong data on rank 1"));
}

TEST_F(LiveState, CountsDoubtsOfTheGrades) {
  JournalWriter out(file_);
  out.write(head_of_launch());
  CaseRecord contended = timed_case(1, 1024, 1e-6, 30);
  contended.contention = Contention{.reasons = {"ranks waited 53 % of the time for a CPU"}};
  out.write(timed_case(0, 8, 1e-6, 30));
  out.write(contended);
  const auto alarms = live_state(sight())["alarms"];
  ASSERT_FALSE(alarms.empty());
  EXPECT_THAT(std::string(alarms[0]["text"]), HasSubstr("Contention: 1 of 2 cases; "));
}

TEST_F(LiveState, WaitsForARecord) {
  const auto state = serve::live_state({.file = "x.jsonl"});
  EXPECT_EQ(state["phase"], "waiting");
  EXPECT_TRUE(state["tables"].empty());
  EXPECT_TRUE(state["progress"]["share"].is_null());
}

TEST_F(LiveState, ARunWithoutWriterAndEndHasDied) {
  const busbar::Run going{.head = head_of_launch()};
  busbar::Run ended = going;
  ended.end = EndRecord{.status = EndStatus::ok};
  EXPECT_EQ(serve::phase_of(nullptr, true, 100), serve::Phase::waiting);
  EXPECT_EQ(serve::phase_of(&going, true, 100), serve::Phase::running);
  EXPECT_EQ(serve::phase_of(&going, false, 0), serve::Phase::running) << "its writer may be about to go on";
  EXPECT_EQ(serve::phase_of(&going, false, serve::patience_s), serve::Phase::died);
  EXPECT_EQ(serve::phase_of(&ended, true, 0), serve::Phase::running) << "a launch of several, or about to close";
  EXPECT_EQ(serve::phase_of(&ended, false, 0), serve::Phase::ended);
}

TEST(Progress, IsUnknownBeforeAllCasesHaveBeenVisitedTwice) {
  busbar::Run run{.head = head_of_launch()};
  run.head.method.stop->run_budget_s.reset();
  run.cases = {timed_case(0, 8, 1e-6, 30), unfinished_case(1, 16, 1, 0.1)};
  EXPECT_FALSE(serve::progress_of(run, 10).share) << "there may be cases that nobody has visited";
  EXPECT_FALSE(serve::progress_of(run, 10).at_most_left_s());
  run.cases[1].rounds.push_back({});
  EXPECT_DOUBLE_EQ(serve::progress_of(run, 10).share.value(), (1 + 0.05) / 2);
}

TEST(Progress, OfARunWithFixedIterationsIsByItsSamples) {
  busbar::Run run{.head = head_of_launch()};
  run.head.method.stop.reset();
  run.head.method.iterations = 200;
  run.cases = {unfinished_case(0, 16, 5, 0.1)};
  run.cases[0].samples_taken = 50;
  EXPECT_DOUBLE_EQ(serve::progress_of(run, {}).share.value(), 0.25);
}

TEST(Progress, CountsSecondsFromTheStart) {
  EXPECT_EQ(serve::seconds_since_start("1970-01-01T00:01:00Z", 90), 30);
  EXPECT_EQ(serve::seconds_since_start("1970-01-01T00:01:00Z", 50), 0) << "clocks of two machines";
  EXPECT_FALSE(serve::seconds_since_start("yesterday", 90));
  EXPECT_FALSE(serve::seconds_since_start(std::nullopt, 90));
}

// Who may read it

int status_of(const serve::Gate& gate, serve::HttpRequest request) {
  const auto checked = gate.check(request);
  const auto* refused = std::get_if<serve::HttpResponse>(&checked);
  return refused == nullptr ? 200 : refused->status;
}

TEST(Gate, OpensToTheTokenOnly) {
  const std::string token = serve::random_token();
  const serve::Gate gate(token, 8123);
  const std::string host = "127.0.0.1:8123";
  EXPECT_EQ(gate.address(), "http://127.0.0.1:8123/" + token + "/");
  EXPECT_EQ(std::get<std::string>(gate.check({.method = "GET", .host = host, .path = "/" + token + "/runs/x.html"})),
            "runs/x.html");
  EXPECT_EQ(status_of(gate, {.method = "HEAD", .host = "localhost:8123", .path = "/" + token + "/"}), 200);
  for (const std::string& path : {std::string("/"), "/" + token, "/" + token + "x/", "/" + token.substr(1) + "0/",
                                  std::string("/state"), std::string()})
    EXPECT_EQ(status_of(gate, {.method = "GET", .host = host, .path = path}), 404) << path;
}

TEST(Gate, RefusesOtherHostsAndMethods) {
  const serve::Gate gate("t", 8123);
  for (const std::string host :
       {"", "example.org:8123", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8123.example.org", "[::1]:8123"})
    EXPECT_EQ(status_of(gate, {.method = "GET", .host = host, .path = "/t/"}), 403) << host;
  for (const std::string method : {"POST", "PUT", "DELETE", "OPTIONS", "get"})
    EXPECT_EQ(status_of(gate, {.method = method, .host = "localhost:8123", .path = "/t/"}), 405) << method;
}

TEST(Gate, TokensAre128RandomBits) {
  const std::string token = serve::random_token();
  EXPECT_EQ(token.size(), 32U);
  EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(token, serve::random_token());
}

// The board

/// A launch of a night in February, `factor` times as slow as the first.
busbar::Run night(int day, double factor, EndStatus end = EndStatus::ok) {
  busbar::Run run{.path = fmt::format("nights/{:02}.jsonl", day), .head = head_of_launch()};
  run.head.id = fmt::format("night-{}", day);
  run.head.start_utc = fmt::format("2026-02-{:02}T02:00:00Z", day);
  run.head.labels = {{"platform", "vm"}};
  run.cases = {timed_case(0, 1024, factor * 1e-5, 9), timed_case(1, 1 << 20, factor * 1e-4, 9)};
  run.end = EndRecord{.status = end, .reason = "rank 1 was killed"};
  return run;
}

std::vector<busbar::Run> nights(int count, int slower_from = 99) {
  std::vector<busbar::Run> all;
  for (int day = 1; day <= count; ++day)
    all.push_back(night(day, (day < slower_from ? 1 : 1.1) * (1 + 0.002 * (day % 3))));
  return all;
}

TEST(Board, SaysSinceWhenAGroupIsSlower) {
  const auto runs = nights(16, 10);
  const auto groups = board::make_groups(runs);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].name, "platform=vm: allreduce, 2 ranks on 1 node");
  EXPECT_EQ(groups[0].verdict, board::Verdict::slower);
  ASSERT_FALSE(groups[0].changes.empty());
  EXPECT_EQ(groups[0].changes.back().since, "2026-02-10T02:00:00Z");
  EXPECT_NEAR(groups[0].levels.back() / groups[0].levels.front(), 1.1, 0.01);
}

TEST(Board, JudgesByTheLastLaunchFirst) {
  auto runs = nights(8);
  EXPECT_EQ(board::make_groups(runs)[0].verdict, board::Verdict::steady);
  runs.push_back(night(9, 1, EndStatus::aborted));
  const Group failed = board::make_groups(runs)[0];
  EXPECT_EQ(failed.verdict, board::Verdict::failed);
  EXPECT_EQ(failed.sentence, "The last launch was aborted: rank 1 was killed.");
  const auto few = nights(3);
  EXPECT_EQ(board::make_groups(few)[0].verdict, board::Verdict::few);
}

TEST(Board, GroupsWhatIsAlike) {
  auto runs = nights(2);
  runs.push_back(night(3, 1));
  runs.back().head.labels["platform"] = "metal";
  runs.push_back(night(4, 1));
  runs.back().cases[0].key.collective = "alltoall";
  runs.push_back(night(5, 1));
  runs.back().head.ranks = 4;
  const auto groups = board::make_groups(runs);
  ASSERT_EQ(groups.size(), 4U);
  EXPECT_EQ(groups[0].name, "platform=vm: allreduce, 4 ranks on 1 node") << "the newest is first";
  EXPECT_EQ(groups[3].launches.size(), 2U);
}

TEST(Board, WhatNeedsSomebodyComesFirst) {
  auto runs = nights(8);  // the newest
  for (auto& run : nights(7, 4)) runs.push_back(run), runs.back().head.labels["platform"] = "slow";
  for (int day = 1; day < 4; ++day)
    runs.push_back(night(day, 1, EndStatus::failed)), runs.back().head.labels["platform"] = "broken";
  std::vector<board::Verdict> verdicts;
  for (const Group& group : board::make_groups(runs)) verdicts.push_back(group.verdict);
  EXPECT_THAT(verdicts, ElementsAre(board::Verdict::failed, board::Verdict::slower, board::Verdict::steady));
}

TEST(Board, ALaunchThatWasCutOffStaysWithItsLikes) {
  auto runs = nights(2);
  for (auto& run : runs) run.cases.push_back(timed_case(2, 8, 1e-5, 9)), run.cases.back().key.collective = "alltoall";
  runs.push_back(night(3, 1, EndStatus::aborted));  // before alltoall
  runs.push_back(night(4, 1));
  runs.back().cases.clear();
  runs.back().end.reset();
  const auto groups = board::make_groups(runs);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(board::ending_of(*groups[0].launches.back()), "died");
  EXPECT_TRUE(std::isnan(groups[0].levels.back()));
}

TEST(Board, PageEscapesAndLinks) {
  auto runs = nights(6);
  for (auto& run : runs) run.head.labels["platform"] = "<img src=x>";
  const auto groups = board::make_groups(runs);
  const board::Links links{.report = [](const busbar::Run& run) { return board::address_of_record(run.path); },
                           .trend = [](const Group& group) { return board::address_of_group(group); }};
  const std::vector<std::string> problems{"bad.jsonl: <b>no</b> record"};
  const std::string html = html_of(board::board_page("nights", groups, links, problems, "1", false));
  EXPECT_THAT(html, Not(HasSubstr("<img src=x>")));
  EXPECT_THAT(html, Not(HasSubstr("<b>no</b>")));
  EXPECT_THAT(html, HasSubstr("href=\"runs/06.html\""));
  EXPECT_THAT(html, HasSubstr("href=\"groups/platform-img-src-x-"));
  EXPECT_THAT(html, Not(HasSubstr("connect-src"))) << "a static page asks nobody";
  EXPECT_THAT(html.substr(html.find("<main")), Not(HasSubstr("nan")));
}

TEST(Board, NamesOfPagesAreUnique) {
  EXPECT_EQ(board::address_of_record("a/2026-1.jsonl"), "runs/2026-1.html");
  EXPECT_NE(board::address_of_record("a/b c.jsonl"), board::address_of_record("a/b-c.jsonl"));
  EXPECT_NE(board::address_of_record("a/b c.jsonl"), board::address_of_record("a/b?c.jsonl"));
}

}  // namespace
}  // namespace busbar::test
