// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/thread_group.hpp"

#include <array>
#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include "catch_error.hpp"

namespace busbar {
namespace {

using testing::ElementsAre;

constexpr int processes = 2, threads = 3, all = processes * threads;

/// Runs `body` on six ranks: two processes, which are threads here too, of three threads each.
void run_job(const std::function<void(Group&)>& body) {
  ThreadRanks job(processes);
  std::list<ThreadGroup> of_processes;
  std::list<ThreadRanks> of_threads;
  std::list<std::jthread> running;
  for (int process = 0; process < processes; ++process) {
    ThreadRanks& ranks = of_threads.emplace_back(threads, &of_processes.emplace_back(job, process));
    for (int thread = 0; thread < threads; ++thread)
      running.emplace_back([&body, &ranks, thread] {
        ThreadGroup group(ranks, thread);
        body(group);
      });
  }
}

/// What `step` gives on each rank.
template <class T>
std::vector<T> on_all_ranks(const std::function<T(Group&)>& step) {
  std::vector<T> results(all);
  run_job([&](Group& group) { results[static_cast<std::size_t>(group.rank())] = step(group); });
  return results;
}

TEST(ThreadGroup, NumbersRanksByProcess) {
  std::vector<int> sizes(all), of_process(all);
  run_job([&](Group& group) {
    const auto rank = static_cast<std::size_t>(group.rank());
    sizes[rank] = group.size();
    of_process[rank] = group.threads()->size();
  });
  EXPECT_THAT(sizes, testing::Each(all));
  EXPECT_THAT(of_process, testing::Each(threads));
}

TEST(ThreadGroup, GathersNumbersInRankOrder) {
  const auto gathered = on_all_ranks<std::vector<double>>([](Group& group) {
    std::vector<double> last;
    for (int i = 0; i < 100; ++i) last = group.all_gather(std::array{group.rank() + 10.0 * i, -1.0});
    return last;
  });
  EXPECT_THAT(gathered, testing::Each(ElementsAre(990, -1, 991, -1, 992, -1, 993, -1, 994, -1, 995, -1)));
}

TEST(ThreadGroup, GathersTextsWithAnyBytes) {
  const auto gathered = on_all_ranks<std::vector<std::string>>([](Group& group) {
    const std::array<std::string, all> texts{"", "3:a", std::string("\0\xff", 2), "b\n", ":", "12"};
    return group.all_gather(texts[static_cast<std::size_t>(group.rank())]);
  });
  EXPECT_THAT(gathered, testing::Each(ElementsAre("", "3:a", std::string("\0\xff", 2), "b\n", ":", "12")));
}

TEST(ThreadGroup, BroadcastsFromAnyRank) {
  for (int root = 0; root < all; ++root) {
    const auto told = on_all_ranks<std::string>([root](Group& group) {
      return group.broadcast(group.rank() == root ? "from " + std::to_string(root) : "", root);
    });
    EXPECT_THAT(told, testing::Each("from " + std::to_string(root)));
  }
}

TEST(ThreadGroup, FindsTheMaximumOfAllRanks) {
  const auto most = on_all_ranks<std::vector<double>>([](Group& group) {
    std::vector<double> values{static_cast<double>(group.rank()), -static_cast<double>(group.rank())};
    group.max(values);
    return values;
  });
  EXPECT_THAT(most, testing::Each(ElementsAre(all - 1, 0)));
}

TEST(ThreadGroup, WaitsForAllRanksInEitherBarrier) {
  std::atomic<int> before = 0;
  const auto seen = on_all_ranks<int>([&](Group& group) {
    ++before;
    group.barrier();
    const int all_before = before;
    group.barrier_asleep();
    ++before;
    group.barrier_asleep();
    return all_before * 100 + before;
  });
  EXPECT_THAT(seen, testing::Each(all * 100 + 2 * all));
}

TEST(ThreadGroup, SendsWithinAProcessAndBetweenFirstRanks) {
  std::vector<double> heard(all);
  run_job([&](Group& group) {
    const int rank = group.rank(), first = rank / threads * threads;
    if (rank == 0) group.send(threads, 7);
    if (rank == threads) heard[threads] = group.receive(0);
    if (rank != first) group.send(first, rank);
    for (int other = first + 1; rank == first && other < first + threads; ++other)
      heard[static_cast<std::size_t>(other)] = group.receive(other);
  });
  EXPECT_THAT(heard, ElementsAre(0, 1, 2, 7, 4, 5));
}

TEST(ThreadGroup, RefusesOtherMessages) {
  std::string refused;
  run_job([&](Group& group) {
    if (group.rank() == 1) refused = test::catch_error<Error>([&] { group.send(threads, 1); });
  });
  EXPECT_EQ(refused, "no messages between rank 1 and rank 3: only the first ranks of processes exchange them");
}

TEST(ThreadRanks, ShareWhatTheFirstThreadMakes) {
  std::atomic<int> made = 0;
  std::vector<const int*> shared(all);
  std::list<std::shared_ptr<int>> kept;
  std::mutex keeping;
  run_job([&](Group& group) {
    auto mine = group.threads()->share<int>(group.rank() % threads, [&] { return std::make_shared<int>(++made); });
    shared[static_cast<std::size_t>(group.rank())] = mine.get();
    const std::scoped_lock lock(keeping);
    kept.push_back(std::move(mine));
  });
  EXPECT_EQ(made, processes);
  EXPECT_EQ(shared[0], shared[2]);
  EXPECT_NE(shared[0], shared[3]);
}

TEST(ThreadGroupDeathTest, ReportsThenAborts) {
  EXPECT_DEATH(
      {
        ThreadRanks ranks(1);
        ThreadGroup group(ranks, 0, [](std::string_view why) {
          std::fprintf(stderr, "last words: %.*s\n", static_cast<int>(why.size()), why.data());
        });
        group.abort("no such luck");
      },
      "last words: no such luck");
}

}  // namespace
}  // namespace busbar
