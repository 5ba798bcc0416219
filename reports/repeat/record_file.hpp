// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <vector>

#include "core/files/descriptor.hpp"
#include "core/record/fwd.hpp"

namespace busbar::repeat {

/// One record for all launches. Each launch is appended whole and synced before the call returns, so a crash cannot
/// damage earlier launches.
class RecordFile {
 public:
  /// Creates the file and its folder, or opens an existing file with `resume`. Throws UsageError if that fails.
  RecordFile(std::filesystem::path path, bool resume);

  /// Path for the next launch's own record, which append() moves into this one.
  [[nodiscard]] std::filesystem::path of_launch() const;
  /// Appends a launch. Throws OutputError if writing fails; the file is then unchanged.
  void append(const LaunchRecord&);
  /// All launches in the file, including those without results. Throws UsageError if it is not a record of launches.
  [[nodiscard]] std::vector<LaunchRecord> launches() const;

 private:
  std::filesystem::path path_;
  Descriptor file_;
};

}  // namespace busbar::repeat
