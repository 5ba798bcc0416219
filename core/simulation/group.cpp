// SPDX-License-Identifier: Apache-2.0
#include "core/mpi/group.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fmt/core.h>

#include "core/mpi/check.hpp"
#include "core/mpi/communicator.hpp"
#include "core/record/software.hpp"
#include "core/simulation/board.hpp"
#include "core/simulation/job.hpp"
#include "core/simulation/members.hpp"
#include "core/simulation/settings.hpp"

/// Control plane of simulated ranks. Its messages are not simulated, so they do not affect simulated times.
namespace busbar {
namespace {

/// RAII for MPI_Init and MPI_Finalize.
class Session {
 public:
  Session(int& argc, char**& argv) { mpi_check(MPI_Init(&argc, &argv), "MPI_Init"); }
  ~Session() { MPI_Finalize(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

class BoardGroup final : public Group {
 public:
  /// `session`: finalises MPI with this group; null for a part of the job.
  explicit BoardGroup(Communicator communicator, std::unique_ptr<Session> session = nullptr)
      : session_(std::move(session)),
        communicator_(std::move(communicator)),
        board_(shared_board(communicator_.handle())),
        rank_(communicator_.rank()),
        size_(communicator_.size()) {}

  [[nodiscard]] const Communicator& communicator() const { return communicator_; }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  void barrier() override { board_->meet(); }
  void barrier_asleep() override { board_->meet(); }

  using Group::all_gather;
  [[nodiscard]] std::vector<double> all_gather(std::span<const double> mine) override {
    std::vector<double> all;
    all.reserve(mine.size() * static_cast<std::size_t>(size_));
    for (const auto& one : board_->put(rank_, std::vector(mine.begin(), mine.end())))
      all.insert(all.end(), one.begin(), one.end());
    return all;
  }
  [[nodiscard]] std::vector<std::string> all_gather(const std::string& mine) override {
    return board_->put(rank_, mine);
  }
  [[nodiscard]] std::string broadcast(std::string text, int root) override {
    return board_->put(rank_, rank_ == root ? std::move(text) : "")[static_cast<std::size_t>(root)];
  }
  void max(std::span<double> values) override {
    const auto& all = board_->put(rank_, std::vector(values.begin(), values.end()));
    for (const auto& one : all)
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::max(values[i], one[i]);
  }
  void send(int to, double value) override { board_->send(rank_, to, value); }
  [[nodiscard]] double receive(int from) override { return board_->receive(from, rank_); }

 private:
  void do_abort(std::string_view why) noexcept override {
    std::fflush(stdout);
    std::fprintf(stderr, "busbar: rank %d: %.*s\n", rank_, static_cast<int>(why.size()), why.data());
    std::_Exit(static_cast<int>(Exit::aborted));  // all ranks are in this process
  }

  std::unique_ptr<Session> session_;
  Communicator communicator_;
  std::shared_ptr<Board> board_;
  int rank_, size_;
};

}  // namespace

std::unique_ptr<Group> join_mpi(int& argc, char**& argv, Threading /*threading*/, LastWords /*last_words*/) {
  auto session = std::make_unique<Session>(argc, argv);
  return std::make_unique<BoardGroup>(Communicator::world(), std::move(session));
}

std::unique_ptr<Group> group_of(Communicator communicator, const Group& /*job*/) {
  return std::make_unique<BoardGroup>(std::move(communicator));
}

Communicator communicator_of(const Group& group) {
  return dynamic_cast<const BoardGroup&>(group).communicator().duplicate();
}

Yielding yielding() { return {.yields = false, .asked_by = "nobody"}; }

Mpi mpi_facts() {
  int version = 0, subversion = 0;
  mpi_check(MPI_Get_version(&version, &subversion), "MPI_Get_version");
  return {.library = fmt::format("SimGrid SMPI {}", simgrid_version()),
          .standard = fmt::format("{}.{}", version, subversion),
          .thread_level = "single"};
}

}  // namespace busbar
