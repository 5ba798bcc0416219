// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <fstream>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "core/files/descriptor.hpp"

namespace busbar {

/// A new file with a random name. O_EXCL ensures that it is not a file or link of another user.
struct FreshFile {
  std::filesystem::path name;
  Descriptor file;  ///< for writing
};

/// Creates PATH.RANDOM.tmp. On failure the file is not open and errno says why.
[[nodiscard]] FreshFile create_fresh(const std::filesystem::path& path, mode_t mode);

/// A file that appears whole or not at all: written under a temporary name, synced, then renamed. Anything but a
/// regular file (a pipe, /dev/null) is written directly. Errors name `flag`.
class OutputFile {
 public:
  /// Throws UsageError if the file cannot be created.
  OutputFile(std::filesystem::path path, std::string flag);
  /// Removes the temporary file unless finish() succeeded.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  [[nodiscard]] std::ostream& stream() { return stream_; }
  /// Throws OutputError if writing or renaming failed.
  void finish();

 private:
  [[noreturn]] void fail(int why) const;
  [[nodiscard]] std::filesystem::path place() const;
  void create_beside();

  std::filesystem::path path_, final_, beside_;  ///< as given; links resolved; the temporary file, empty if none
  std::string flag_;
  Descriptor file_;  ///< for syncing
  std::ofstream stream_;
};

/// Writes all of `text` to standard output. Throws OutputError.
void write_standard_output(std::string_view text);

/// Writes a whole file. Throws UsageError if it cannot be created, OutputError if it cannot be written completely; both
/// name `flag`.
void write_whole(const std::filesystem::path& path, std::string_view text, std::string_view flag);

/// For content too large for memory: `write` streams it.
void write_whole(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write,
                 std::string_view flag);

}  // namespace busbar
