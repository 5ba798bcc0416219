// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <simgrid/s4u/Barrier.hpp>
#include <simgrid/s4u/Semaphore.hpp>

namespace busbar {

/// What each rank has put where all can read it. Two pages in turns: nobody writes on one before all have read it, with
/// one meeting of all for each call.
template <class T>
class Pages {
 public:
  explicit Pages(std::size_t ranks) : pages_{std::vector<T>(ranks), std::vector<T>(ranks)}, turns_(ranks) {}

  /// Collective. Everyone's in rank order, left alone until all have come to the call after the next.
  [[nodiscard]] const std::vector<T>& put(std::size_t rank, T mine, simgrid::s4u::Barrier& meeting) {
    std::vector<T>& page = pages_[turns_[rank]];
    turns_[rank] ^= 1U;
    page[rank] = std::move(mine);
    meeting.wait();
    return page;
  }

 private:
  std::array<std::vector<T>, 2> pages_;
  std::vector<unsigned char> turns_;
};

/// Where simulated ranks put what the others are to read. All of them are actors of one process, so nothing is sent and
/// no simulated time goes by.
class Board {
 public:
  explicit Board(int ranks);

  void meet() { meeting_->wait(); }
  [[nodiscard]] const std::vector<std::string>& put(int rank, std::string mine);
  [[nodiscard]] const std::vector<std::vector<double>>& put(int rank, std::vector<double> mine);

  void send(int from, int to, double value);
  [[nodiscard]] double receive(int from, int to);

 private:
  /// Numbers on their way from one rank to another.
  struct Mail {
    std::deque<double> values;
    simgrid::s4u::SemaphorePtr arrived = simgrid::s4u::Semaphore::create(0);
  };

  simgrid::s4u::BarrierPtr meeting_;
  Pages<std::string> texts_;
  Pages<std::vector<double>> numbers_;
  std::map<std::pair<int, int>, Mail> mail_;
};

}  // namespace busbar
