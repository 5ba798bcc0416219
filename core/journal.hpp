// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "core/record.hpp"

namespace busbar {

/// Writes a run record by record. Each record is one line, written whole and synced to disk before the call returns:
/// whatever ends the program, all finished cases are readable.
class JournalWriter {
 public:
  /// Creates the file, and its folder if need be. Throws UsageError where it exists already (unless `overwrite`) or
  /// cannot be created.
  explicit JournalWriter(std::filesystem::path path, bool overwrite = false);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  /// Each throws Error when the line could not be written (disk full, quota, ...). The file is then cut back to the
  /// last whole line, so that what was written stays valid.
  void write(const RunRecord&);
  void write(const CaseRecord&);
  void write(const EndRecord&);
  /// Cases as they stand, so that a program that is killed has not measured for nothing. They are in the file until
  /// whatever is written next takes their place. Nothing where the file is no regular one.
  void write_unfinished(std::span<const CaseRecord>);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  void write_line(const std::string& line);
  void drop_unfinished();
  std::filesystem::path path_;
  int file_ = -1;
  std::optional<std::int64_t> unfinished_;  // where these begin in the file
};

/// How much of each case is read: most of a journal is lists that only few readers have a use for.
enum class Detail {
  all,
  without_samples,  ///< samples_s is left empty
  figures,          ///< so are rounds, ranks, usage and telemetry
};

/// Reads a journal back. A last line that is cut off (the run was killed while writing) is left out and noted; so is a
/// missing end record. Throws UsageError, naming file and line, for a file that cannot be opened, is no journal, has a
/// broken line in its middle or a newer schema than this build knows.
[[nodiscard]] Run read_journal(const std::filesystem::path& path, Detail detail = Detail::all);

/// The line of one record, without the newline. Every record goes through here, ours and imported ones: there are no
/// people in it (core/privacy.hpp).
[[nodiscard]] std::string to_line(const RunRecord&);
[[nodiscard]] std::string to_line(const CaseRecord&);
[[nodiscard]] std::string to_line(const EndRecord&);

/// Now, as "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc_now();

/// An id for a new run: UTC start and 32 random bits, e.g. "20260131T120000Z-1f3a9c02".
[[nodiscard]] std::string new_run_id();

}  // namespace busbar
