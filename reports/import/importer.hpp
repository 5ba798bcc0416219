// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"

/// Reading what other tools print into records. A format is one file of this folder and one word in its CMake list.
/// docs/import.md says what is taken from where.
namespace busbar {

/// One log and what its user said about it.
struct ImportRequest {
  std::string_view text;                  ///< the whole log
  std::string source;                     ///< its file, as the user named it; for messages and for the record
  std::optional<std::string> collective;  ///< canonical name; beats whatever the log says
  std::optional<int> ranks, nodes;        ///< for logs that do not say it
  std::optional<std::uint64_t> bytes;     ///< of the buffers, for logs that do not say it
  std::map<std::string, std::string> labels;
};

/// A run of a log as records: what a journal is written from.
struct ImportedRun {
  std::string name;  ///< what tells it from the other runs of the same log; empty where there is one
  RunRecord head;
  std::vector<CaseRecord> cases;
  EndRecord end;
  std::vector<std::string> warnings;  ///< those of the head's notes that a user should see at once
  std::string collective;             ///< of all cases, or what else they are of
  int rows = 0;                       ///< rows of the tool's table, repeated ones included
};

/// A text format.
struct Importer {
  std::string_view name;   ///< as it stands in messages
  std::string_view about;  ///< one line for the docs and the command's help
  bool (*recognises)(std::string_view text);
  /// At least one run. Throws UsageError, which names the source, where something is missing that only the user can
  /// say, or nothing can be used.
  std::vector<ImportedRun> (*read)(const ImportRequest&);
};

/// Reads the log with the first importer that recognises it. Throws UsageError, naming the source and the known
/// formats, where none does.
[[nodiscard]] std::vector<ImportedRun> import_log(const ImportRequest&);

/// An id that is the same whenever the same log is imported as the same collective.
[[nodiscard]] std::string import_id(std::string_view text, std::string_view collective);

/// Gives the runs of one log their ids, and names that tell them apart where there are several: "1-allreduce".
void name_runs(std::vector<ImportedRun>&, std::string_view text);

}  // namespace busbar
