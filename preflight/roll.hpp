// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include "core/error.hpp"
#include "preflight/alarm.hpp"

namespace busbar::preflight {

/// Thrown on rank 0 where ranks did not answer within the stage's limit.
class Silence : public Error {
 public:
  explicit Silence(std::vector<int> silent) : Error("ranks did not answer"), ranks(std::move(silent)) {}
  std::vector<int> ranks;
};

/// The ranks of this job by messages that are never waited for longer than a stage may take, so that one that hangs can
/// be named. MPI is initialised for as long as it lives; nothing of it is a collective call of MPI, not even a new
/// communicator. The launch stage is entered. Throws Error where MPI says that a message failed.
class Roll {
 public:
  /// `alarm` outlives it.
  Roll(int& argc, char**& argv, Alarm& alarm);
  ~Roll();
  Roll(const Roll&) = delete;
  Roll& operator=(const Roll&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// Collective. On rank 0 the texts of all ranks in rank order, empty elsewhere. Throws Silence on rank 0; other ranks
  /// wait for a rank 0 that does not take theirs until the alarm ends them.
  [[nodiscard]] std::vector<std::string> gather(const std::string& mine);
  /// Collective. `text` of rank 0, on every rank.
  [[nodiscard]] std::string tell(const std::string& text);

  /// `send` to rank `other`, which sends as many bytes: what it sent, or nothing where that took longer than `limit_s`;
  /// buffers of the messages then stay with MPI until the job ends. The same two ranks, the same number of bytes.
  [[nodiscard]] std::optional<std::vector<std::byte>> swap(int other, std::span<const std::byte> send, double limit_s);

  /// Ends all ranks of the job with this exit code.
  [[noreturn]] void end_job(int code);

 private:
  /// Makes progress until `done` or the stage is over; false then.
  bool wait(const std::function<bool()>& done);
  [[nodiscard]] std::string receive_text(MPI_Message message, MPI_Status status);

  Alarm& alarm_;
  int rank_ = 0, size_ = 1;
  int gathered_ = 0;  ///< calls to gather()
};

}  // namespace busbar::preflight
