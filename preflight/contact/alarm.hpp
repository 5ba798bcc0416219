// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "preflight/facts/stage.hpp"

namespace busbar::preflight {

/// Limits the time of each stage on this rank, even if it blocks in MPI_Init, a driver or a file. At the limit, a
/// signal handler (SIGALRM) prints the rank's activity on standard error. If rank 0 has not ended the job `grace_s`
/// later, the process exits with the stage's exit code, so that the launcher ends the others. Uses no thread: threads
/// slow down small messages of Open MPI 4.1. One instance per process.
class Alarm {
 public:
  /// Seconds after the limit in which ranks can still report who did not answer.
  static constexpr double grace_s = 3;

  /// `who`: "rank 3 of 8 on node1". `limit_s`: per stage, above 0.
  Alarm(double limit_s, std::string who);
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  /// Begins a stage and starts its limit.
  void enter(Stage stage);
  /// Sets the activity that the time-out message prints: "connecting to other hosts". Does not restart the limit.
  void at(const std::string& what);
  [[nodiscard]] double limit_s() const { return limit_s_; }
  /// True when the stage's limit has passed.
  [[nodiscard]] bool over() const;

 private:
  double limit_s_;
  std::string who_;
  Stage stage_ = Stage::launch;
  std::int64_t began_ns_ = 0;
};

}  // namespace busbar::preflight
