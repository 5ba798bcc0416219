// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace busbar::suite {

/// One line on standard error, where that is a terminal, that says what is being done and the last that it said.
class Progress {
 public:
  /// `place`: "[3 of 9] pairs.1".
  explicit Progress(std::string place);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Replaces the line. `log`: what the child writes to.
  void show(double seconds, const std::filesystem::path& log);
  void clear();

 private:
  std::string place_;
  bool terminal_;
  bool shown_ = false;
};

/// The last line of a file that is being written that has something on it, without what a terminal would act on; what a
/// carriage return began anew counts as a line. Reads the end of the file only.
[[nodiscard]] std::string last_line(const std::filesystem::path& file);

}  // namespace busbar::suite
