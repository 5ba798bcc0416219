// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.hpp"
#include "reports/suite/plan.hpp"

/// What was done in a folder of results so far: FOLDER/suite.journal, a JSON object a line. Its name does not end in
/// .jsonl, so that the folder can be given to commands that read all records of a folder.
namespace busbar::suite {

inline constexpr std::string_view journal_name = "suite.journal";

/// How a launch ended.
struct Ending {
  std::vector<std::string> argv;
  std::string ended;             ///< "itself", "without result", "time limit", "interrupted" or "not started"
  std::optional<int> exit_code;  ///< empty where it was not started
  std::string reason;            ///< in words where it failed, else empty
  double wall_s = 0;
  [[nodiscard]] bool ok() const { return ended == "itself" && exit_code == 0; }
};

struct History {
  std::optional<nlohmann::json> made_from;  ///< fingerprint(); empty where nothing was done
  std::map<std::string, Ending> endings;    ///< by the launch's name; none of one that was begun again since
};

/// Reads FOLDER/suite.journal; a line that is cut off at the end is left out. Throws UsageError, naming file and line,
/// for what no suite wrote.
[[nodiscard]] History read_history(const std::filesystem::path& folder);
/// The same from `text`; `file` is for messages.
[[nodiscard]] History parse_history(std::string_view text, const std::string& file);

/// True where a launch need not run again: the same command ended with 0, or with 1 (some cases failed) though the rest
/// of the suite can do without it, and its record says that all of the plan was done.
[[nodiscard]] bool is_done(const Launch& launch, const Step& step, const History& history);

/// True where a launch left a record that did not get to its end, being interrupted, aborted or killed: `--resume` goes
/// on with it.
[[nodiscard]] bool is_cut_short(const Launch& launch, const Step& step);

/// What that record says of it; empty where it says nothing, or there is none.
[[nodiscard]] std::string why_cut_short(const Launch& launch);

/// Adds to the journal, without people (core/base/privacy.hpp). Holds a lock on it: two suites never write into one
/// folder.
class Journal {
 public:
  /// Makes the folder if need be. `anew`: what was there is forgotten. Throws UsageError where it cannot be written or
  /// another process has it.
  Journal(const std::filesystem::path& folder, bool anew);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Each is on disk when the call returns, and throws Error where that fails.
  void write_made_from(const nlohmann::json& fingerprint);
  void write_begin(const Launch& launch);
  void write_end(const Launch& launch, const Ending& ending);

 private:
  void write(nlohmann::json line);
  std::filesystem::path path_;
  int file_ = -1;
};

}  // namespace busbar::suite
