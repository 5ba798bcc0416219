// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/thread_group.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/core.h>

#include "core/machine/local_clock.hpp"

namespace busbar {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Several texts as one, for a group that gathers one text per process: the length of each before it.
std::string join(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += fmt::format("{}:{}", text.size(), text);
  return joined;
}

void append_parts(std::string_view joined, std::vector<std::string>& texts) {
  while (!joined.empty()) {
    const std::size_t colon = joined.find(':');
    const std::size_t length = std::stoul(std::string(joined.substr(0, colon)));
    texts.emplace_back(joined.substr(colon + 1, length));
    joined.remove_prefix(colon + 1 + length);
  }
}

}  // namespace

/// Sleeps after a while: on a busy CPU a thread that yields can keep those from running that it waits for.
void PolledBarrier::arrive_and_wait() {
  constexpr int polls = 2000;
  constexpr double awake_s = 1e-3;
  const unsigned round = round_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
    arrived_.store(0, std::memory_order_relaxed);
    round_.store(round + 1, std::memory_order_release);
    round_.notify_all();
    return;
  }
  const auto done = [&] { return round_.load(std::memory_order_acquire) != round; };
  for (int i = 0; i < polls; ++i)
    if (done()) return;
  const std::int64_t begin_ns = steady_ns();
  while (!done()) {
    if (seconds_since(begin_ns) > awake_s) return round_.wait(round, std::memory_order_acquire);
    std::this_thread::yield();
  }
}

void ThreadRanks::Mailbox::put(double value) {
  full_.wait(true, std::memory_order_acquire);
  value_ = value;
  flip(true);
}

double ThreadRanks::Mailbox::take() {
  full_.wait(false, std::memory_order_acquire);
  const double value = value_;
  flip(false);
  return value;
}

void ThreadRanks::Mailbox::flip(bool full) {
  full_.store(full, std::memory_order_release);
  full_.notify_one();
}

ThreadRanks::ThreadRanks(int threads, Group* processes)
    : size_(threads),
      processes_(processes),
      meet_(threads),
      meet_asleep_(threads),
      mail_(at(threads * threads)),
      given_values_(at(threads)),
      given_texts_(at(threads)) {}

int ThreadGroup::size() const { return (ranks_.processes_ != nullptr ? ranks_.processes_->size() : 1) * ranks_.size_; }

int ThreadGroup::process() const { return ranks_.processes_ != nullptr ? ranks_.processes_->rank() : 0; }

/// Runs `step` on the first thread, when all have arrived. Afterwards all have its result until the next step.
template <class Step>
void ThreadGroup::lead(Step step) {
  ranks_.meet_.arrive_and_wait();
  if (thread_ == 0) step();
  ranks_.meet_.arrive_and_wait();
}

void ThreadGroup::barrier() {
  if (ranks_.processes_ == nullptr) return ranks_.meet_.arrive_and_wait();
  lead([&] { ranks_.processes_->barrier(); });
}

void ThreadGroup::barrier_asleep() {
  ranks_.meet_asleep_.arrive_and_wait();
  if (thread_ == 0 && ranks_.processes_ != nullptr) ranks_.processes_->barrier_asleep();
  ranks_.meet_asleep_.arrive_and_wait();
}

void ThreadGroup::sleep_in_waits(bool sleeps) {
  if (thread_ == 0 && ranks_.processes_ != nullptr) ranks_.processes_->sleep_in_waits(sleeps);
}

std::vector<double> ThreadGroup::all_gather(std::span<const double> mine) {
  ranks_.given_values_[at(thread_)] = mine;
  lead([&] {
    auto& all = ranks_.values_;
    all.clear();
    for (const auto& given : ranks_.given_values_) all.insert(all.end(), given.begin(), given.end());
    if (ranks_.processes_ != nullptr) all = ranks_.processes_->all_gather(all);
  });
  return ranks_.values_;
}

std::vector<std::string> ThreadGroup::all_gather(const std::string& mine) {
  ranks_.given_texts_[at(thread_)] = mine;
  lead([&] {
    auto& all = ranks_.texts_;
    if (ranks_.processes_ == nullptr) {
      all = ranks_.given_texts_;
      return;
    }
    all.clear();
    for (const auto& joined : ranks_.processes_->all_gather(join(ranks_.given_texts_))) append_parts(joined, all);
  });
  return ranks_.texts_;
}

std::string ThreadGroup::broadcast(std::string text, int root) {
  ranks_.given_texts_[at(thread_)] = std::move(text);
  lead([&] {
    std::string& given = ranks_.given_texts_[at(root % ranks_.size_)];
    ranks_.texts_ = {ranks_.processes_ != nullptr ? ranks_.processes_->broadcast(std::move(given), root / ranks_.size_)
                                                  : std::move(given)};
  });
  return ranks_.texts_.front();
}

void ThreadGroup::max(std::span<double> values) {
  ranks_.given_values_[at(thread_)] = values;
  lead([&] {
    auto& most = ranks_.values_;
    most.assign(values.begin(), values.end());
    for (const auto& given : ranks_.given_values_)
      std::ranges::transform(most, given, most.begin(), [](double a, double b) { return std::max(a, b); });
    if (ranks_.processes_ != nullptr) ranks_.processes_->max(most);
  });
  std::ranges::copy(ranks_.values_, values.begin());
}

ThreadRanks::Mailbox& ThreadGroup::mailbox(int from, int to) const {
  return ranks_.mail_[at(from % ranks_.size_ * ranks_.size_ + to % ranks_.size_)];
}

Group& ThreadGroup::between_processes(int rank) const {
  if (thread_ != 0 || rank % ranks_.size_ != 0)
    throw Error(fmt::format("no messages between rank {} and rank {}: only the first ranks of processes exchange them",
                            this->rank(), rank));
  return *ranks_.processes_;
}

void ThreadGroup::send(int to, double value) {
  if (is_here(to)) return mailbox(rank(), to).put(value);
  between_processes(to).send(to / ranks_.size_, value);
}

double ThreadGroup::receive(int from) {
  return is_here(from) ? mailbox(from, rank()).take() : between_processes(from).receive(from / ranks_.size_);
}

/// Only the first thread that aborts reports: what others notice then follows from it.
void ThreadGroup::do_abort(std::string_view why) noexcept {
  ranks_.aborting_.lock();  // until the process ends
  if (last_words_) last_words_(why);
  if (ranks_.processes_ != nullptr) ranks_.processes_->abort(why);
  if (!last_words_) std::fprintf(stderr, "busbar: rank %d: %.*s\n", rank(), static_cast<int>(why.size()), why.data());
}

}  // namespace busbar
