// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>

#include <sys/types.h>

#include "core/job/guard/launcher_process.hpp"
#include "core/job/guard/post.hpp"
#include "core/job/guard/verdict.hpp"

namespace busbar::guarding {

/// What the guard of one rank does, in a process of its own: it sleeps until the rank's limit passes, the rank's
/// process ends, or another guard writes. Then rank 0's guard asks all others where their ranks are, says it, ends its
/// rank and the record, and has the others end theirs; so does each guard by itself that rank 0's does not answer.
class Sentry {
 public:
  /// How long rank 0's guard waits for answers; another for its word; one that knows no other, after its last words.
  static constexpr double answers_s = 2, word_s = 5, alone_s = 2;
  /// How long a launcher may take to end when its job is ended.
  static constexpr double launcher_s = 4;

  /// What is referred to outlives this. `channel`: to the rank, its end means that the rank has gone.
  Sentry(std::string program, int rank, pid_t process, LauncherProcess launcher, Progress& progress, int channel,
         const Post& post);
  [[noreturn]] void watch();

 private:
  void sleep();
  void read_channel();
  void read_post();
  void read_letter(const nlohmann::json& letter, const Post::Sender& from);
  void take_as_first(const std::string& kind, const nlohmann::json& letter, const Post::Sender& from);
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
  [[nodiscard]] Status status() const;
  [[nodiscard]] bool is_first() const { return rank_ == 0; }

  const std::string program_;
  int rank_;
  const pid_t process_;
  const LauncherProcess launcher_;
  std::string host_;  ///< as it is called
  Progress& progress_;
  const int channel_;
  const Post& post_;
  std::optional<PostAddress> first_;  ///< of rank 0's guard
  int record_ = -1;                   ///< the file, on rank 0's guard
  int ranks_ = 1;
  bool gone_ = false, greeted_ = false;
  std::int64_t sent_ns_ = 0;  ///< the last letter
  std::optional<Diagnosis> alarm_;
  std::int64_t alarm_ns_ = 0;  ///< since when there is one, of this rank or of another
  // Of rank 0's guard.
  std::map<int, Post::Sender> others_;
  Evidence evidence_;
};

}  // namespace busbar::guarding
