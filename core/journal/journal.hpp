// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/files/descriptor.hpp"
#include "core/record/fwd.hpp"

namespace busbar {

/// A record that would be created is there already.
class FileExists : public UsageError {
 public:
  using UsageError::UsageError;
};

/// Writes a run record by record. Each record is one line, written whole and synced to disk before the call returns:
/// whatever ends the program, all finished cases are readable. While it lives it holds a lock (flock) on the file, so
/// that no other run writes to it and readers know that it is being written. Where the file system knows no locks,
/// there is none.
class JournalWriter {
 public:
  /// Creates the file, and its folders if need be; both outlive a crash of the machine. An empty one that nobody writes
  /// is taken: a run that was killed at its start left it. Throws FileExists where it is there otherwise (unless
  /// `overwrite`), another UsageError where another run is writing it, its name is too long or it cannot be created.
  explicit JournalWriter(std::filesystem::path path, bool overwrite = false);
  /// Goes on behind the last whole line of a record that is there; what follows that line is cut away by the first
  /// write and not before. Throws UsageError where the file cannot be opened, is no regular one or is being written.
  [[nodiscard]] static JournalWriter resume(std::filesystem::path path);
  /// Removes a file that it created and wrote no line to: wrong use that is found at start-up leaves nothing behind.
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  /// Each throws OutputError when the line could not be written: disk full, quota, the file deleted, replaced or cut,
  /// its file system gone. The file is then cut back to the last whole line, so that what was written stays valid.
  void write(const RunRecord&);
  void write(const CaseRecord&);
  void write(const EndRecord&);
  /// Cases as they stand, so that a program that is killed has not measured for nothing: core/journal/unfinished.hpp.
  /// They are kept until the end is written, or this is called again. Behind the run record; nothing where the file is
  /// no regular one.
  void write_unfinished(std::span<const CaseRecord>);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The open file, which stays this object's. Whoever it is handed to shares its lock and its position.
  [[nodiscard]] int descriptor() const { return file_.get(); }

 private:
  enum class Opening { create, overwrite, resume };
  JournalWriter(std::filesystem::path path, Opening how);
  void open(Opening how);
  void take_up();
  void require_there() const;
  void append(const std::string& lines);

  std::filesystem::path path_, absolute_;  ///< as it was named; the same wherever this process goes
  Descriptor file_;
  bool regular_ = false;
  bool created_ = false;                ///< the file was not there before
  std::string head_;                    ///< the run's line
  std::optional<std::int64_t> cut_at_;  ///< where the file is cut before the next write
  std::string taken_up_;                ///< what a record that is gone on with lacks
};

/// Writes a whole run at once: beside its place, then put there, so that the file is never half written. Throws as
/// JournalWriter does.
void write_journal(const std::filesystem::path& path, const Run& run, bool overwrite = false);

/// How much of each case is read: most of a journal is lists that only few readers have a use for.
enum class Detail {
  all,
  without_samples,  ///< samples_s is left empty
  figures,          ///< so are rounds, ranks, usage and telemetry
};

/// Reads a journal back, also while it is being written, with the unfinished cases of its last launch that lie beside
/// it. A last line that is cut off (the run was killed while writing) is left out and noted; so is a missing end
/// record, and which cases a launch measured that resumed the run. Throws UsageError, naming file and line, for a file
/// that cannot be opened, is no journal, has a broken line in its middle or a newer schema than this build knows.
[[nodiscard]] Run read_journal(const std::filesystem::path& path, Detail detail = Detail::all);

/// Reads a journal that may hold several launches (busbar repeat), in their order; those that left nothing are left
/// out. Of any other it gives the one run. Throws as read_journal(), which reads no journal of several launches.
[[nodiscard]] std::vector<Run> read_journals(const std::filesystem::path& path, Detail detail = Detail::all);

/// Those that are in no line of the journal itself: what a program that was killed has left. None where the journal or
/// what lies beside it cannot be read.
[[nodiscard]] std::vector<CaseRecord> unfinished_cases(const std::filesystem::path& journal);

/// The line of one record, without the newline. Every record goes through here, ours and imported ones: there are no
/// people in it (core/base/privacy.hpp).
[[nodiscard]] std::string to_line(const RunRecord&);
[[nodiscard]] std::string to_line(const CaseRecord&);
[[nodiscard]] std::string to_line(const EndRecord&);
[[nodiscard]] std::string to_line(const LaunchRecord&);

/// Now, as "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc_now();

/// An id for a new run: UTC start and 32 random bits, e.g. "20260131T120000Z-1f3a9c02".
[[nodiscard]] std::string new_run_id();

}  // namespace busbar
