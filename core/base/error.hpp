// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <stdexcept>
#include <string>

namespace busbar {

/// Base of all exceptions that busbar throws. what() is one line that a user can act on: it names the flag, file, line
/// or rank.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Wrong use: a bad option, an unknown name, an unreadable input. Every rank throws the same error, so rank 0 reports
/// it and all ranks leave together. Exit code 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// Results could not be written completely: a full disk, an exceeded quota, a lost file system. Exit code 4.
class OutputError : public Error {
 public:
  using Error::Error;
};

enum class Severity : int { ok, skipped, failed };

/// Outcome of one step of one case. After agree() it is the same on every rank.
struct Verdict {
  Severity severity = Severity::ok;
  std::string reason = {};
  [[nodiscard]] bool ok() const { return severity == Severity::ok; }
};

/// Thrown by a step that cannot run here (not enough memory, unsupported type). The case is skipped, not failed.
class Unsupported : public Error {
 public:
  using Error::Error;
};

/// Runs `step`. Unsupported and std::bad_alloc become a skipped verdict of this rank, any other Error a failed one.
[[nodiscard]] Verdict attempt(const std::function<void()>& step);

/// Exit codes of every busbar program; docs/records.md explains them.
enum class Exit : int {
  ok = 0,
  failed = 1,        ///< a case failed, or an input had nothing usable
  usage = 2,         ///< wrong use; nothing was measured
  aborted = 3,       ///< ranks waited for each other; the job was aborted
  output = 4,        ///< results could not be written
  inconclusive = 5,  ///< busbar gate only: neither passed nor failed
  interrupted = 130,
};

}  // namespace busbar
