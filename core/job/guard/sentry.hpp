// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sys/types.h>

#include "core/job/guard/launcher_process.hpp"
#include "core/job/guard/post.hpp"
#include "core/job/guard/verdict.hpp"

namespace busbar::guarding {

/// Main loop of a rank's guard, in its own process, or of the guard of all ranks of a process. Sleeps until the rank's
/// limit passes, its process ends, or another guard writes. Rank 0's guard then collects the positions of all ranks,
/// reports them, ends its rank and the record, and tells the other guards to end their ranks. A guard that gets no
/// answer from rank 0's does this for its own rank.
class Sentry {
 public:
  /// How long rank 0's guard waits for answers, others wait for that guard, and a lone guard waits to end its rank.
  static constexpr double answers_s = 2, word_s = 5, alone_s = 2;
  /// Time for a launcher to end after its job.
  static constexpr double launcher_s = 4;

  /// References must outlive this. `rank`: the process's first; `progress`: of it and those after it. `channel`: to the
  /// process; its end means that the process is gone.
  Sentry(std::string program, int rank, pid_t process, LauncherProcess launcher, std::span<Progress> progress,
         int channel, const Post& post);
  [[noreturn]] void watch();

 private:
  void sleep();
  void read_channel();
  void read_post();
  void read_letter(const nlohmann::json& letter, const Post::Sender& from);
  void read_letter_as_first(const std::string& kind, const nlohmann::json& letter, const Post::Sender& from);
  void watch_own_rank();
  void greet();
  void report();
  [[nodiscard]] double patience_s() const;
  void gather();
  void conclude();
  void end_alone();
  void end_rank();
  void end_launcher() const;
  void write_end(const Verdict& verdict) const;
  void say(const std::string& line) const;
  [[nodiscard]] bool wait_for_end(double seconds);
  [[nodiscard]] std::string letter(std::string_view kind) const;
  [[nodiscard]] Status status(std::size_t number) const;
  [[nodiscard]] std::vector<Status> statuses() const;
  void add_own(Evidence& evidence) const;
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] bool is_first() const { return rank_ == 0; }

  const std::string program_;
  int rank_;
  const pid_t process_;
  const LauncherProcess launcher_;
  std::string host_;  ///< name for messages
  const std::span<Progress> progress_;
  const int channel_;
  const Post& post_;
  std::optional<PostAddress> first_;  ///< rank 0's guard
  int record_ = -1;                   ///< the record's file, in rank 0's guard
  int ranks_ = 1;
  bool gone_ = false, greeted_ = false;
  std::int64_t sent_ns_ = 0;  ///< time of the last letter
  std::optional<Diagnosis> alarm_;
  std::int64_t alarm_ns_ = 0;  ///< time of the first alarm, of this rank or another
  // Used by rank 0's guard.
  std::map<int, Post::Sender> others_;
  Evidence evidence_;
};

}  // namespace busbar::guarding
