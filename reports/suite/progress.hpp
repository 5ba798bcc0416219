// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace busbar::suite {

/// A status line on standard error, if that is a terminal: the current launch and the last line of its output.
class Progress {
 public:
  /// `place`: "[3 of 9] pairs.1".
  explicit Progress(std::string place);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Replaces the line. `log`: output file of the child.
  void show(double seconds, const std::filesystem::path& log);
  void clear();

 private:
  std::string place_;
  bool terminal_;
  bool shown_ = false;
};

/// The last non-blank line of a file, possibly still being written, without control characters. A carriage return also
/// ends a line. Reads only the end of the file.
[[nodiscard]] std::string last_line(const std::filesystem::path& file);

}  // namespace busbar::suite
