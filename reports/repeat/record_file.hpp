// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <vector>

#include "core/files/descriptor.hpp"
#include "core/record/fwd.hpp"

namespace busbar::repeat {

/// The one record of all launches. Each launch is appended whole and synced before the call returns, so that whatever
/// ends the program, all launches before are readable.
class RecordFile {
 public:
  /// Makes it, and its folder; with `resume` goes on with one that is there. Throws UsageError where it cannot.
  RecordFile(std::filesystem::path path, bool resume);

  /// Where the next launch is to write its own record, which append() takes in and removes.
  [[nodiscard]] std::filesystem::path of_launch() const;
  /// Throws OutputError where it could not be written; the file is then as it was.
  void append(const LaunchRecord&);
  /// All that it holds, also of launches that left nothing. Throws UsageError for what is no record of launches.
  [[nodiscard]] std::vector<LaunchRecord> launches() const;

 private:
  std::filesystem::path path_;
  Descriptor file_;
};

}  // namespace busbar::repeat
