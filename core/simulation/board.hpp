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

/// One value per rank, readable by all. Two pages alternate, with one barrier per call: a page is not overwritten
/// before all ranks have made the next call.
template <class T>
class Pages {
 public:
  explicit Pages(std::size_t ranks) : pages_{std::vector<T>(ranks), std::vector<T>(ranks)}, turns_(ranks) {}

  /// Collective over the ranks. The values of all ranks, in rank order; valid until this rank's next call.
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

/// Exchanges data between simulated ranks. All are actors of one process, so this sends nothing and takes no time.
class Board {
 public:
  explicit Board(int ranks);

  void meet() { meeting_->wait(); }
  [[nodiscard]] const std::vector<std::string>& put(int rank, std::string mine);
  [[nodiscard]] const std::vector<std::vector<double>>& put(int rank, std::vector<double> mine);

  void send(int from, int to, double value);
  [[nodiscard]] double receive(int from, int to);

 private:
  /// Numbers sent from one rank to another, not yet received.
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
