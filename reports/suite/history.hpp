// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.hpp"
#include "core/files/descriptor.hpp"
#include "core/record/launch_record.hpp"
#include "reports/suite/plan.hpp"

/// What a results folder contains so far: FOLDER/suite.journal, one JSON object per line. Its name does not end in
/// .jsonl, so commands that read all records of a folder skip it.
namespace busbar::suite {

inline constexpr std::string_view journal_name = "suite.journal";

/// How a launch ended.
struct Ending {
  std::vector<std::string> argv;
  LaunchEnd ended = LaunchEnd::itself;
  bool without_result = false;   ///< it ended well, but left no result
  std::optional<int> exit_code;  ///< empty if it was not started
  std::string reason;            ///< description of the failure, else empty
  double wall_s = 0;
  [[nodiscard]] bool ok() const { return ended == LaunchEnd::itself && exit_code == 0 && !without_result; }
};

struct History {
  std::optional<nlohmann::json> made_from;  ///< fingerprint(); empty for a new folder
  std::map<std::string, Ending> endings;    ///< by launch name; launches that began again since have none
};

/// Reads FOLDER/suite.journal and ignores a truncated last line. Throws UsageError, naming file and line, if the
/// content is not from busbar suite.
[[nodiscard]] History read_history(const std::filesystem::path& folder);
/// Parses `text` like read_history; `file` is for messages.
[[nodiscard]] History parse_history(std::string_view text, const std::string& file);

/// True if a launch need not run again: the same command ended with 0, or with 1 (some cases failed) in a step that is
/// not required, and its result is complete.
[[nodiscard]] bool is_done(const Launch& launch, const Step& step, const History& history);

/// True if a launch left an incomplete record (interrupted, aborted or killed), which `--resume` can continue.
[[nodiscard]] bool is_cut_short(const Launch& launch, const Step& step);

/// The reason in that record; empty if it has none, or there is no record.
[[nodiscard]] std::string why_cut_short(const Launch& launch);

/// Appends to the journal, without personal data (core/base/privacy.hpp). Locks it, so that two suites cannot write
/// into one folder.
class Journal {
 public:
  /// Creates the folder if necessary. `anew` discards the previous journal. Throws UsageError if it cannot be written
  /// or another process has locked it.
  Journal(const std::filesystem::path& folder, bool anew);

  /// Each call returns once its line is on disk. Throws OutputError if writing fails.
  void write_made_from(const nlohmann::json& fingerprint);
  void write_begin(const Launch& launch);
  void write_end(const Launch& launch, const Ending& ending);

 private:
  void write(nlohmann::json line);
  std::filesystem::path path_;
  Descriptor file_;
};

}  // namespace busbar::suite
