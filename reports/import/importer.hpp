// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/table.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"

/// Importers convert the output of other tools to records. Each format is one file in this folder and one word in its
/// CMake list. docs/import.md says which fields come from where.
namespace busbar {

/// Maximum of --ranks and --nodes.
inline constexpr int most_stated_ranks = 1 << 24;

/// A log and the options its user gave for it.
struct ImportRequest {
  std::string_view text;                  ///< the whole log
  std::string source;                     ///< file name as given by the user; for messages and the record
  std::optional<std::string> collective;  ///< canonical name; overrides the log
  std::optional<int> ranks, nodes;        ///< for logs that do not state it
  std::optional<std::uint64_t> bytes;     ///< buffer size, for logs that do not state it
  std::map<std::string, std::string> labels;
};

/// A run from a log, as the records to write to a journal.
struct ImportedRun {
  std::string name;  ///< unique among the runs of a log; empty if it has only one
  RunRecord head;
  std::vector<CaseRecord> cases;
  EndRecord end;
  std::vector<std::string> warnings;  ///< the head's notes that the user should see immediately
  std::string collective;             ///< collective of all cases, or another description of them
  int rows = 0;                       ///< rows in the tool's table, including repeats
};

/// A text format.
struct Importer {
  std::string_view name;   ///< as used in messages
  std::string_view about;  ///< one line for the docs and --help
  bool (*recognises)(std::string_view text);
  /// Returns at least one run. Throws UsageError, naming the source, if the user must supply missing information or if
  /// nothing is usable.
  std::vector<ImportedRun> (*read)(const ImportRequest&);
  bool columns_of_numbers = false;  ///< tables of numbers between blanks: decimal commas are converted
};

/// Throws UsageError, which names the source of the log.
template <class... Values>
[[noreturn]] void refuse(const ImportRequest& request, fmt::format_string<Values...> why, Values&&... values) {
  throw UsageError(fmt::format("{}: {}", request.source, fmt::format(why, std::forward<Values>(values)...)));
}

/// A log that no importer recognises. The message names the source, the known formats and the first line.
class UnknownFormat : public UsageError {
 public:
  UnknownFormat(const std::string& source, const std::string& holds);

  [[nodiscard]] const std::string& brief() const { return brief_; }  ///< the message without the formats

 private:
  std::string brief_;
};

/// The user's options contradict the log: nothing of it is imported.
class Contradiction : public UsageError {
 public:
  using UsageError::UsageError;
};

/// "nccl-tests JSON, rccl-tests JSON, ...".
[[nodiscard]] std::string known_formats();

/// Reads the log with the first importer that recognises it. Throws UnknownFormat if none does.
[[nodiscard]] std::vector<ImportedRun> import_log(const ImportRequest&);

/// Reads each of `parts` of a log. A part for which `read` throws UsageError is left out, with a warning of the first
/// run that names it by `name_of`; if that is every part, the first error is thrown, and a Contradiction always. Sets
/// ids and names of the runs.
[[nodiscard]] std::vector<ImportedRun> read_parts(const ImportRequest&, std::size_t parts,
                                                  const std::function<ImportedRun(std::size_t)>& read,
                                                  const std::function<std::string(std::size_t)>& name_of);

/// Adds a warning to a run, and to the notes of its record.
void add_warning(ImportedRun&, const std::string& warning);

/// The head of a record from a log, with its origin, source and labels, and the name of the tool.
[[nodiscard]] RunRecord imported_head(const ImportRequest&, const std::string& tool);

/// The id of a launch: a hash of the log's text, its file's name without folders, its labels, and `subject`, such as
/// the collective. A short log, as of osu_barrier, repeats in other launches: their names or labels differ. A log that
/// was copied to another folder is the same launch.
[[nodiscard]] std::string import_id(const ImportRequest&, std::string_view subject);

/// Sets ids of the runs of a log and, if there are several, unique names: "1-allreduce".
void name_runs(std::vector<ImportedRun>&, const ImportRequest&);

}  // namespace busbar
