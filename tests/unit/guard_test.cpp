// SPDX-License-Identifier: Apache-2.0
#include "core/job/guard/guard.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <fcntl.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/json.hpp"
#include "core/job/guard/channel.hpp"
#include "core/job/guard/last_record.hpp"
#include "core/job/guard/post.hpp"
#include "core/job/guard/verdict.hpp"
#include "core/journal/journal.hpp"
#include "core/journal/unfinished.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "tests/unit/thread_ranks.hpp"

namespace busbar::guarding {
namespace {

using std::chrono::milliseconds;

constexpr auto aborted = static_cast<int>(Exit::aborted);

Status in_call(int rank, std::int64_t call) {
  return {.rank = rank,
          .host = rank < 2 ? "node0" : "node1",
          .what = "allreduce 8 B",
          .where = "round 3",
          .turn = 7,
          .position = {.phase = Phase::timed, .call = call},
          .calls = 100};
}

Evidence expired(std::vector<Status> ranks) {
  Evidence e{.findings = {{Trouble::expired, ranks.front(), "--timeout 5 s"}}, .ranks = static_cast<int>(ranks.size())};
  for (Status& s : ranks) {
    e.hosts[s.rank] = s.host;
    e.statuses[s.rank] = std::move(s);
  }
  return e;
}

TEST(Progress, OrdersPositionsInTime) {
  Progress p;
  EXPECT_EQ(p.position(), Position{});
  std::vector<Position> in_order{{}};
  for (const Phase phase : {Phase::warm_up, Phase::timed})
    for (const std::int64_t call : {1, 2, 1'000'000})
      for (const bool checking : {false, true}) in_order.push_back({phase, call, checking});
  in_order.push_back({Phase::writing});
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    p.at(in_order[i].phase, in_order[i].call, in_order[i].checking);
    EXPECT_EQ(p.position(), in_order[i]);
    if (i == 0) continue;
    EXPECT_LT(in_order[i - 1], in_order[i]);
  }
}

TEST(Progress, CutsLongTexts) {
  Progress p;
  p.enter(std::string(1000, 'x'), "round 1", "--timeout", 0);
  EXPECT_EQ(p.what(), std::string(191, 'x'));
  p.enter("short", "", "--timeout", 0);
  EXPECT_EQ(p.what(), "short");
  EXPECT_EQ(p.deadline_ns(), 0);
}

TEST(Verdict, NamesTheRankBehindTheOthers) {
  const Verdict v = find_verdict(expired({in_call(0, 18), in_call(1, 18), in_call(2, 17), in_call(3, 18)}));
  EXPECT_EQ(v.headline,
            "allreduce 8 B, round 3 took longer than --timeout 5 s; stuck: rank 2 on node1 (behind the others)");
  EXPECT_EQ(v.lines, (std::vector<std::string>{"ranks 0, 1, 3: allreduce 8 B, round 3, timed call 18 of 100",
                                               "rank 2: allreduce 8 B, round 3, timed call 17 of 100"}));
}

TEST(Verdict, NamesTheStoppedRankRatherThanTheSlowOne) {
  auto ranks = std::vector{in_call(0, 17), in_call(1, 18), in_call(2, 17)};
  ranks[2].process = Process::stopped;
  EXPECT_NE(find_verdict(expired(ranks)).headline.find("stuck: rank 2 on node1 (stopped by a signal)"),
            std::string::npos);
}

TEST(Verdict, NamesSilentRanksOrSomeOfMany) {
  Evidence e = expired({in_call(0, 17)});
  for (int r = 1; r < 20; ++r) e.hosts[r] = "node1";
  const std::string line = find_verdict(e).headline;
  EXPECT_NE(line.find("stuck: rank 1 on node1 (does not answer), rank 2"), std::string::npos);
  EXPECT_NE(line.find("rank 8 on node1 (does not answer), and 11 more"), std::string::npos);
  EXPECT_EQ(find_verdict(e).lines.back(), "ranks 1-19: no answer");
}

TEST(Verdict, SaysWhereNoRankIsBehind) {
  const Verdict v = find_verdict(expired({in_call(0, 17), in_call(1, 17)}));
  EXPECT_NE(v.headline.find("all 2 ranks that answer are at the same place"), std::string::npos);
}

TEST(Verdict, ListsTheReasonsOfAllAbortedRanks) {
  Evidence e = expired({in_call(0, 17), in_call(1, 17), in_call(2, 17)});
  e.findings = {{Trouble::aborted, in_call(1, 17), "another rank has left"},
                {Trouble::aborted, in_call(0, 17), "not done"}};
  const Verdict v = find_verdict(e);
  EXPECT_TRUE(v.headline.ends_with("another rank has left")) << v.headline;
  ASSERT_EQ(v.lines.size(), 2U);
  EXPECT_EQ(v.lines[0], "rank 0: allreduce 8 B, round 3, timed call 17 of 100; not done");
  EXPECT_EQ(v.lines[1], "ranks 1, 2: allreduce 8 B, round 3, timed call 17 of 100");
}

TEST(Verdict, DoesNotCountRestingRanksAsBehind) {
  auto ranks = std::vector{in_call(0, 17), in_call(1, 17), in_call(2, 1)};
  ranks[2].turn = 2;
  ranks[2].resting = true;
  const Verdict v = find_verdict(expired(ranks));
  EXPECT_EQ(v.headline.find("stuck"), std::string::npos);
  EXPECT_EQ(v.lines.back(), "rank 2: waiting for its turn");
}

TEST(Verdict, NamesADeathBeforeItsConsequences) {
  Evidence e = expired({in_call(0, 18), in_call(1, 17)});
  e.findings.push_back({Trouble::signalled, in_call(0, 18), "SIGTERM"});
  e.findings.push_back({Trouble::gone, in_call(1, 17), ""});
  EXPECT_EQ(find_verdict(e).trouble, Trouble::gone);
  EXPECT_EQ(find_verdict(e).headline,
            "rank 1 on node0 is gone, killed or crashed: allreduce 8 B, round 3, timed call 17 of 100");
}

TEST(Verdict, NamesAllDeadRanks) {
  Status killed = in_call(1, 17), crashed = in_call(0, 17), alive = in_call(2, 17);
  killed.process = crashed.process = Process::gone;
  Evidence e{.statuses = {{0, crashed}, {1, killed}, {2, alive}}, .ranks = 3};
  e.findings = {{Trouble::gone, crashed, ""}, {Trouble::gone, killed, ""}};
  EXPECT_EQ(find_verdict(e).headline,
            "rank 0 on node0 is gone, killed or crashed: allreduce 8 B, round 3, timed call 17 of 100; so is rank 1");
}

TEST(Status, IsReadBackFromALetter) {
  Status s = in_call(3, 17);
  s.process = Process::in_kernel;
  s.position.checking = true;
  const auto back = nlohmann::json::parse(nlohmann::json(s).dump()).get<Status>();
  EXPECT_EQ(place(back), "allreduce 8 B, round 3, checking timed call 17 of 100");
  EXPECT_EQ(back.process, Process::in_kernel);
  EXPECT_EQ(back.turn, 7U);
  EXPECT_THROW((void)nlohmann::json::parse(R"({"rank":1})").get<Status>(), nlohmann::json::exception);
}

TEST(Process, IsReportedAsStopped) {
  const pid_t child = ::fork();
  if (child == 0)
    while (true) ::pause();
  EXPECT_EQ(look_at(child), Process::alive);
  ::kill(child, SIGSTOP);
  ::waitpid(child, nullptr, WUNTRACED);
  EXPECT_EQ(look_at(child), Process::stopped);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(look_at(child), Process::gone);
}

TEST(Post, DeliversLettersAndReadsAddresses) {
  const Post a, b;
  const PostAddress to = to_post_address(to_text(b.address("secret")));
  EXPECT_EQ(to.token, "secret");
  a.send("one", to);
  std::optional<Post::Letter> letter;
  for (int i = 0; i < 1000 && !(letter = b.receive()); ++i) std::this_thread::sleep_for(milliseconds(1));
  ASSERT_TRUE(letter);
  EXPECT_EQ(letter->text, "one");
  EXPECT_FALSE(b.receive());
  EXPECT_THROW((void)to_post_address("{}"), Error);
}

class Record : public testing::Test {
 protected:
  void SetUp() override {
    path = std::filesystem::temp_directory_path() / ("busbar_guard_test." + std::to_string(::getpid()));
    JournalWriter(path, true).write(RunRecord{.id = "a", .tool = {.name = "busbar-bench"}});
  }
  void TearDown() override { std::filesystem::remove(path); }
  void end(const std::string& reason) const {
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    end_record(file, {.status = EndStatus::aborted, .reason = reason, .exit_code = aborted});
    ::close(file);
  }
  std::filesystem::path path;
};

TEST_F(Record, GetsAnEndAfterItsLastWholeLine) {
  std::ofstream(path, std::ios::app) << R"({"record":"case","ind)" << std::string(200'000, 'x');
  end("rank 1 is gone");
  const busbar::Run run = read_journal(path);
  ASSERT_TRUE(run.end);
  EXPECT_EQ(run.end->reason, "rank 1 is gone");
  EXPECT_TRUE(run.cases.empty());
  EXPECT_TRUE(run.notes.empty());
}

TEST_F(Record, GetsUnfinishedCasesBeforeItsEnd) {
  CaseRecord done{.key = {.collective = "allreduce"}}, going_on = done;
  done.index = 1;
  {
    JournalWriter out(path, true);
    out.write(RunRecord{.id = "a", .tool = {.name = "busbar-bench"}});
    out.write_unfinished(std::vector{going_on, done});
    out.write(done);
  }
  end("rank 0 is gone");
  const busbar::Run run = read_journal(path);
  ASSERT_EQ(run.cases.size(), 2U) << "each once";
  EXPECT_EQ(run.end.value().reason, "rank 0 is gone");
  EXPECT_TRUE(run.notes.empty());
  EXPECT_FALSE(std::filesystem::exists(unfinished_beside(path)));
  std::ifstream file(path);
  EXPECT_EQ(std::count(std::istreambuf_iterator<char>(file), {}, '\n'), 4);
}

TEST_F(Record, IsPassedAsAnOpenFile) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  const Channel channel = open_channel();
  EXPECT_TRUE(send(channel.rank, "record", file));
  ::close(file);
  bool closed = false;
  const auto message = receive(channel.guard, closed);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->text, "record");
  end_record(message->file, {.status = EndStatus::aborted, .reason = "by another process"});
  EXPECT_EQ(read_journal(path).end->reason, "by another process");
  EXPECT_FALSE(receive(channel.guard, closed));
  EXPECT_FALSE(closed);
  ::close(channel.rank);
  EXPECT_FALSE(receive(channel.guard, closed));
  EXPECT_TRUE(closed);
  ::close(message->file);
  ::close(channel.guard);
}

void sleep_for_ever() {
  while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
}

/// A job of one rank.
void join_alone(Guard& guard) {
  test::Hub hub(1);
  test::ThreadGroup group(hub, 0);
  guard.join(group);
}

/// The same in the first round of a case.
void enter_round_alone(Guard& guard, double timeout_s) {
  join_alone(guard);
  guard.enter("allreduce 8 B", "round 1", "--timeout", timeout_s);
}

/// Waits up to a second for a process to be in this state, or in another.
void wait_until(pid_t process, Process state, bool wanted = true) {
  for (int i = 0; i < 1000 && (look_at(process) == state) != wanted; ++i) std::this_thread::sleep_for(milliseconds(1));
}

TEST(GuardDeathTest, EndsARankThatExceedsTheStartUpTimeout) {
  EXPECT_EXIT(
      {
        Guard guard("program", 0.2);
        sleep_for_ever();
      },
      testing::ExitedWithCode(aborted),
      "program: rank 0 on .*: start-up: MPI_Init took longer than --startup-timeout 0.2 s");
}

TEST(GuardDeathTest, EndsARankThatExceedsTheTimeout) {
  EXPECT_EXIT(
      {
        Guard guard("program", 0);
        enter_round_alone(guard, 0.2);
        guard.progress().set_calls(9);
        guard.progress().at(Phase::timed, 3);
        sleep_for_ever();
      },
      testing::ExitedWithCode(aborted),
      "program: allreduce 8 B, round 1 took longer than --timeout 0.2 s; .*timed call 3 of 9");
}

TEST(GuardDeathTest, ReportsWhyARankAborts) {
  EXPECT_EXIT(
      {
        Guard guard("program", 0);
        enter_round_alone(guard, 0);
        guard.abort("MPI_Allreduce: no such luck");
        ::_exit(aborted);
      },
      testing::ExitedWithCode(aborted),
      "rank 0 on .*: allreduce 8 B, round 1: MPI_Allreduce: no such luck; the job is ended");
}

/// A process of three ranks, in the first round of a case.
struct ThreeRanks {
  explicit ThreeRanks(double timeout_s) {
    join_alone(first);
    for (Guard* guard : {&first, &second, &third}) {
      guard->enter("allreduce 8 B", "round 1", "--timeout", timeout_s);
      guard->progress().set_calls(9);
      guard->progress().at(Phase::timed, 4);
    }
  }
  Guard first{"program", 0, 3};
  Guard second{first, 1};
  Guard third{first, 2};
};

TEST(GuardDeathTest, NamesTheRankOfAProcessThatFallsBehind) {
  EXPECT_EXIT(
      {
        ThreeRanks ranks(0.2);
        ranks.second.progress().at(Phase::timed, 3);
        sleep_for_ever();
      },
      testing::ExitedWithCode(aborted), "stuck: rank 1 on .* \\(behind the others\\)");
}

TEST(GuardDeathTest, CountsAllRanksOfAProcessAsStartingUp) {
  EXPECT_EXIT(
      {
        Guard first("program", 0.2, 2);
        Guard second(first, 1);
        join_alone(first);
        sleep_for_ever();
      },
      testing::ExitedWithCode(aborted), "start-up took longer than .*; all 2 ranks that answer are at the same place");
}

TEST(GuardDeathTest, ReportsWhyAnotherRankOfAProcessAborts) {
  EXPECT_EXIT(
      {
        ThreeRanks ranks(0);
        ranks.third.abort("ncclAllReduce: no such luck");
        ::_exit(aborted);
      },
      testing::ExitedWithCode(aborted),
      "rank 2 on .*: allreduce 8 B, round 1, timed call 4 of 9: ncclAllReduce: no such luck");
}

TEST(Guard, StaysSilentAsEachRankOfAProcessEnds) {
  const auto before = std::chrono::steady_clock::now();
  {
    const ThreeRanks ranks(0.5);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(900));  // not killed: it ended itself
}

TEST(GuardDeathTest, WakesAStoppedRankToEndIt) {
  EXPECT_EXIT(
      {
        Guard guard("program", 0);
        enter_round_alone(guard, 0.2);
        ::raise(SIGSTOP);
        sleep_for_ever();
      },
      testing::ExitedWithCode(aborted), "stuck: rank 0 on .* \\(stopped by a signal\\)");
}

/// The guard of the process `rank`: its only child.
pid_t guard_of(pid_t rank) {
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", rank));
  pid_t guard = 0;
  children >> guard;
  return guard;
}

TEST(Guard, DoesNotBlockItsRankWhenStopped) {
  const auto begin = std::chrono::steady_clock::now();
  pid_t guard_process = 0;
  {
    Guard guard("program", 0);
    join_alone(guard);
    guard_process = guard_of(::getpid());
    ::kill(guard_process, SIGSTOP);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_EQ(look_at(guard_process), Process::gone);
}

TEST(Guard, IsContinuedInTheNextTurnWhenStopped) {
  Guard guard("program", 0);
  join_alone(guard);
  const pid_t guard_process = guard_of(::getpid());
  ::kill(guard_process, SIGSTOP);
  wait_until(guard_process, Process::stopped);
  ASSERT_EQ(look_at(guard_process), Process::stopped);
  guard.enter("case", "", "--timeout", 0);
  wait_until(guard_process, Process::stopped, false);
  EXPECT_EQ(look_at(guard_process), Process::alive);
  EXPECT_TRUE(guard.protects());
}

TEST(Guard, IsReportedWhenKilled) {
  testing::internal::CaptureStderr();
  {
    Guard guard("program", 0);
    join_alone(guard);
    const pid_t guard_process = guard_of(::getpid());
    ::kill(guard_process, SIGKILL);
    wait_until(guard_process, Process::gone);
    EXPECT_TRUE(guard.protects()) << "nothing was noticed yet";
    for (int i = 0; i < 2; ++i) guard.enter("case", "", "--timeout", 60);
    EXPECT_FALSE(guard.protects());
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "program: rank 0: its guard was killed by signal 9; the run goes on unprotected, and the record says so\n");
}

TEST(GuardDeathTest, EndsARankWithoutGuardAtItsLimit) {
  EXPECT_EXIT(
      {
        Guard guard("program", 0);
        join_alone(guard);
        ::kill(guard_of(::getpid()), SIGKILL);
        std::this_thread::sleep_for(milliseconds(300));
        guard.enter("case", "", "--timeout", 0.3);
        sleep_for_ever();
      },
      testing::ExitedWithCode(aborted), "a rank whose guard was killed took longer than its limit; the rank is ended");
}

TEST(Guard, LetsASuspendedJobContinue) {
  const pid_t rank = ::fork();
  if (rank == 0) {
    {
      Guard guard("program", 0);
      join_alone(guard);
      guard.enter("case", "", "--timeout", 2);
      for (int i = 0; i < 10; ++i) std::this_thread::sleep_for(milliseconds(100));  // most of them after the suspension
    }
    ::_exit(0);
  }
  std::this_thread::sleep_for(milliseconds(300));
  const pid_t guard = guard_of(rank);
  for (const pid_t one : {rank, guard}) ::kill(one, SIGSTOP);
  std::this_thread::sleep_for(milliseconds(3000));
  for (const pid_t one : {rank, guard}) ::kill(one, SIGCONT);
  int status = 0;
  ::waitpid(rank, &status, 0);
  EXPECT_EQ(status, 0) << "ended by its limit";
}

TEST(Guard, StaysSilentWithinLimitsAndAfterTheEnd) {
  testing::internal::CaptureStderr();
  {
    Guard guard("program", 0);
    join_alone(guard);
    for (int i = 0; i < 10; ++i) {
      guard.enter("case", "", "--timeout", 2);
      std::this_thread::sleep_for(milliseconds(20));
    }
    guard.enter("case", "", "--timeout", 0.05);
    guard.progress().rest();
    std::this_thread::sleep_for(milliseconds(200));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace busbar::guarding
