// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include "core/base/error.hpp"
#include "preflight/contact/alarm.hpp"

namespace busbar::preflight {

/// Thrown on rank 0 if ranks did not answer within the stage's limit.
class Silence : public Error {
 public:
  explicit Silence(std::vector<int> silent) : Error("ranks did not answer"), ranks(std::move(silent)) {}
  std::vector<int> ranks;
};

/// Messages between the ranks of this job. No message waits longer than the stage's limit, so that hanging ranks can be
/// named. Initialises MPI for its lifetime. Uses no MPI collectives and no new communicators. Requires that the alarm
/// has entered stage launch. Throws Error if MPI reports a failed message.
class Roll {
 public:
  /// `alarm` must outlive this.
  Roll(int& argc, char**& argv, Alarm& alarm);
  ~Roll();
  Roll(const Roll&) = delete;
  Roll& operator=(const Roll&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// Collective over the job. Returns the texts of all ranks in rank order on rank 0, nothing elsewhere. Throws Silence
  /// on rank 0; the other ranks wait for rank 0 until the alarm ends them.
  [[nodiscard]] std::vector<std::string> gather(const std::string& mine);
  /// Collective over the job. Returns rank 0's `text` on every rank.
  [[nodiscard]] std::string tell(const std::string& text);

  /// Exchanges equally many bytes with rank `other`, which must call this too. Returns its bytes, or nothing after
  /// `limit_s`; MPI then keeps the buffers until the job ends.
  [[nodiscard]] std::optional<std::vector<std::byte>> swap(int other, std::span<const std::byte> send, double limit_s);

  /// Ends all ranks of the job with this exit code.
  [[noreturn]] void end_job(int code);

 private:
  /// Makes progress until `done`; false at the limit of the stage.
  bool wait(const std::function<bool()>& done);
  [[nodiscard]] std::string receive_text(MPI_Message message, MPI_Status status);

  Alarm& alarm_;
  int rank_ = 0, size_ = 1;
  int gathered_ = 0;  ///< calls to gather()
};

}  // namespace busbar::preflight
