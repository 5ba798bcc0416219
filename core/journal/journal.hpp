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

/// The record to be created already exists.
class FileExists : public UsageError {
 public:
  using UsageError::UsageError;
};

/// Writes a run record by record. Each record is one line, written completely and synced to disk before the call
/// returns, so all finished cases survive a crash. The writer holds a lock (flock) on the file: no other run can write
/// to it, and readers know that it is being written. On file systems without locks there is none.
class JournalWriter {
 public:
  /// Creates the file and, if necessary, its folder; both survive a crash of the machine. Reuses an empty file that
  /// nobody is writing: the rest of a run that was killed at its start. Throws FileExists if the file has content
  /// (unless `overwrite`), and UsageError if another run is writing it, its name is too long or it cannot be created.
  explicit JournalWriter(std::filesystem::path path, bool overwrite = false);
  /// Continues after the last complete line of a record. The first write truncates the rest, not this call. Throws
  /// UsageError if the file cannot be opened, is not a regular file or is being written.
  [[nodiscard]] static JournalWriter resume(std::filesystem::path path);
  /// Removes a file that it created but wrote no line to, so that wrong use leaves nothing behind.
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  /// Each throws OutputError if the line could not be written: disk full, quota, the file deleted, replaced or
  /// truncated, or its file system gone. The file is then truncated to the last complete line, so that the rest stays
  /// valid.
  void write(const RunRecord&);
  void write(const CaseRecord&);
  void write(const EndRecord&);
  /// Saves unfinished cases, so that they survive if the program is killed (core/journal/unfinished.hpp). They are kept
  /// until the end record or the next call. Requires a run record; does nothing if the file is not a regular file.
  void write_unfinished(std::span<const CaseRecord>);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The open file, owned by this object. A process that inherits it shares its lock and position.
  [[nodiscard]] int descriptor() const { return file_.get(); }

 private:
  enum class Opening { create, overwrite, resume };
  JournalWriter(std::filesystem::path path, Opening how);
  void open(Opening how);
  void continue_record();
  void require_there() const;
  void append(const std::string& lines);

  std::filesystem::path path_, absolute_;  ///< as given; independent of the working directory
  Descriptor file_;
  bool regular_ = false;
  bool created_ = false;                ///< the file did not exist before
  std::string head_;                    ///< line of the run record
  std::optional<std::int64_t> cut_at_;  ///< position to truncate to before the next write
  std::string taken_up_;                ///< lines that a resumed record lacks
};

/// Writes a whole run under a temporary name and renames it, so that the file is never incomplete. Throws like
/// JournalWriter.
void write_journal(const std::filesystem::path& path, const Run& run, bool overwrite = false);

/// How much of each case to read. Most of a journal is lists that few readers need.
enum class Detail {
  all,
  without_samples,  ///< leaves samples_s empty
  figures,          ///< also leaves rounds, ranks, usage and telemetry empty
};

/// Reads a journal, even while it is being written, including unfinished cases of its last launch. Skips and notes an
/// incomplete last line (the run was killed while writing), and notes a missing end record and cases from resumed
/// launches. Throws UsageError, naming file and line, if the file cannot be opened, is not a journal, has a broken line
/// before its end or a newer schema than this build.
[[nodiscard]] Run read_journal(const std::filesystem::path& path, Detail detail = Detail::all);

/// Reads a journal that may contain several launches (busbar repeat), in order, without empty ones. Other journals give
/// one run. Throws like read_journal(), which rejects several launches.
[[nodiscard]] std::vector<Run> read_journals(const std::filesystem::path& path, Detail detail = Detail::all);

/// Unfinished cases that the journal lacks, from a program that was killed. Empty if the journal or the file beside it
/// cannot be read.
[[nodiscard]] std::vector<CaseRecord> unfinished_cases(const std::filesystem::path& journal);

/// The line of one record, without the newline. All records, including imported ones, go through here, which removes
/// names of people (core/base/privacy.hpp).
[[nodiscard]] std::string to_line(const RunRecord&);
[[nodiscard]] std::string to_line(const CaseRecord&);
[[nodiscard]] std::string to_line(const EndRecord&);
[[nodiscard]] std::string to_line(const LaunchRecord&);

/// The current time, as "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc_now();

/// Id of a new run: UTC start time and 32 random bits, e.g. "20260131T120000Z-1f3a9c02".
[[nodiscard]] std::string new_run_id();

}  // namespace busbar
