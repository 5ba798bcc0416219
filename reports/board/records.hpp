// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"

namespace busbar::board {

/// The records (*.jsonl) of a folder, without samples and rounds. Keeps what it has read.
class Records {
 public:
  explicit Records(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Reads files that are new or have changed, and forgets those that are gone. Returns true if anything differs.
  bool look();
  /// In the order of the files' names.
  [[nodiscard]] std::vector<Run> runs() const;
  [[nodiscard]] std::vector<std::filesystem::path> files() const;
  /// "x.jsonl: ...": why a file is no record.
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  struct Stamp {
    std::uintmax_t size = 0;
    std::filesystem::file_time_type time;
    bool being_written = false;
    bool operator==(const Stamp&) const = default;
  };
  struct File {
    Stamp stamp;
    std::vector<Run> runs;
    std::string problem;
  };
  static Stamp stamp_of(const std::filesystem::path& file);
  static File read(const std::filesystem::path& file, const Stamp& stamp);

  std::filesystem::path folder_;
  std::map<std::filesystem::path, File> files_;
};

}  // namespace busbar::board
