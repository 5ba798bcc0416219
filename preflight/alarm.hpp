// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "preflight/stage.hpp"

namespace busbar::preflight {

/// Bounds each stage on this rank, whatever the rank is stuck in: MPI_Init, a driver, a file. When the limit passes, a
/// signal (SIGALRM) has the rank say on standard error where it is; when rank 0 has not ended the job `grace_s` later,
/// the process ends itself with the stage's exit code, so that the launcher ends the others. No thread: threads make
/// small messages of Open MPI 4.1 slower. One in a process.
class Alarm {
 public:
  /// How long after the limit ranks may still tell each other who did not answer.
  static constexpr double grace_s = 3;

  /// `who`: "rank 3 of 8 on node1". `limit_s`: of each stage, above 0.
  Alarm(double limit_s, std::string who);
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  /// A stage begins: so does its limit.
  void enter(Stage stage);
  /// What this rank does next, for its last words: "check tcp: connecting". The limit goes on.
  void at(const std::string& what);
  [[nodiscard]] double limit_s() const { return limit_s_; }
  [[nodiscard]] Stage stage() const { return stage_; }
  /// True when the stage's limit has passed.
  [[nodiscard]] bool over() const;

 private:
  double limit_s_;
  std::string who_;
  Stage stage_ = Stage::launch;
  std::int64_t began_ns_ = 0;
};

}  // namespace busbar::preflight
