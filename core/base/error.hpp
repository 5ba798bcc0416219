// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <stdexcept>
#include <string>

namespace busbar {

/// What this library throws. what() is one line that a user can act on: it names the flag, file, line or rank.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Wrong use: a bad option, an unknown name, an input that cannot be read. The same on every rank, so that rank 0
/// reports it and all ranks leave together. Exit code 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// Results that could not be written to their end: a full disk, a quota, a file system that is gone. Exit code 4.
class OutputError : public Error {
 public:
  using Error::Error;
};

enum class Severity : int { ok, skipped, failed };

/// How one step of one case ended. After agree() it is the same on every rank.
struct Verdict {
  Severity severity = Severity::ok;
  std::string reason = {};
  [[nodiscard]] bool ok() const { return severity == Severity::ok; }
};

/// Thrown by a step that cannot run here (no memory, no such type): the case is skipped, not failed.
class Unsupported : public Error {
 public:
  using Error::Error;
};

/// Runs `step`. An Unsupported or std::bad_alloc becomes a skipped verdict of this rank, any other Error a failed one.
[[nodiscard]] Verdict attempt(const std::function<void()>& step);

/// Exit codes of every busbar program; docs/records.md explains them.
enum class Exit : int {
  ok = 0,
  failed = 1,        ///< a case failed, or an input held nothing usable
  usage = 2,         ///< wrong use; nothing was measured
  aborted = 3,       ///< ranks were waiting on each other and the job was ended
  output = 4,        ///< results could not be written any further
  inconclusive = 5,  ///< of busbar gate: neither passed nor failed
  interrupted = 130,
};

}  // namespace busbar
