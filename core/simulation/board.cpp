// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/board.hpp"

namespace busbar {

Board::Board(int ranks)
    : meeting_(simgrid::s4u::Barrier::create(static_cast<unsigned>(ranks))),
      texts_(static_cast<std::size_t>(ranks)),
      numbers_(static_cast<std::size_t>(ranks)) {}

const std::vector<std::string>& Board::put(int rank, std::string mine) {
  return texts_.put(static_cast<std::size_t>(rank), std::move(mine), *meeting_);
}

const std::vector<std::vector<double>>& Board::put(int rank, std::vector<double> mine) {
  return numbers_.put(static_cast<std::size_t>(rank), std::move(mine), *meeting_);
}

void Board::send(int from, int to, double value) {
  Mail& mail = mail_[{from, to}];
  mail.values.push_back(value);
  mail.arrived->release();
}

double Board::receive(int from, int to) {
  Mail& mail = mail_[{from, to}];
  mail.arrived->acquire();
  const double value = mail.values.front();
  mail.values.pop_front();
  return value;
}

}  // namespace busbar
