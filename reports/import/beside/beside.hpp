// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reports/import/beside/companion.hpp"
#include "reports/import/importer.hpp"

namespace busbar {

/// Facts beside a log, and the file that they are from, as seen from the log's folder: "../nodelist".
struct BesideFact {
  const Companion* kind = nullptr;
  std::string from;
  CompanionFacts facts;
};

/// What lies beside a log.
struct Beside {
  std::vector<BesideFact> facts;      ///< at most one of each kind
  std::vector<std::string> warnings;  ///< files of which it is not known whether they are of this log
};

/// The companions below a folder.
class BesideFiles {
 public:
  explicit BesideFiles(std::filesystem::path root) : root_(std::move(root)) {}

  void add_log(const std::filesystem::path& log);
  void add_companion(const std::filesystem::path& file, const Companion* kind, CompanionFacts facts);

  /// For each kind the file in the folder of the log, or else in the nearest folder above it, up to the root. A file
  /// with the name of a log (n2.env for n2.log) is of that log alone. Of several others none is taken, with a warning.
  /// All logs and companions must have been added.
  [[nodiscard]] Beside of(const std::filesystem::path& log) const;

 private:
  struct File {
    std::filesystem::path path;
    CompanionFacts facts;
  };
  struct Folder {
    std::map<const Companion*, std::map<std::string, std::vector<File>>> files;  ///< by stem
    std::map<std::string, bool> stems_of_logs;                                   ///< beginnings of the names of logs
  };
  [[nodiscard]] const File* choose(const Folder& folder, const Companion* kind, const std::string& log_name,
                                   std::vector<std::string>& warnings) const;

  std::filesystem::path root_;
  std::map<std::filesystem::path, Folder> folders_;
};

/// Reads a log and adds the facts beside it to its records, each with a note that says where it is from. What the log
/// or its user says is kept: a difference is a warning with both values. Only where a log cannot be read without a
/// number of ranks is it that of the files, with a warning. Throws what import_log() throws.
[[nodiscard]] std::vector<ImportedRun> import_with(const ImportRequest&, const Beside&);

}  // namespace busbar
