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

/// A new file, whose name nobody can have known: no file or link of another user is opened in its place.
struct FreshFile {
  std::filesystem::path name;
  Descriptor file;  ///< for writing
};

/// Makes PATH.RANDOM.tmp. Its file is not open where that cannot be; errno says why.
[[nodiscard]] FreshFile create_fresh(const std::filesystem::path& path, mode_t mode);

/// A file that is there whole or not at all: written beside its place, synced and put there in the end. What is no
/// regular file (a pipe, /dev/null) is written to as it is. Errors name `flag`.
class OutputFile {
 public:
  /// Throws UsageError where it cannot be created.
  OutputFile(std::filesystem::path path, std::string flag);
  /// Leaves nothing behind unless it was finished.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  [[nodiscard]] std::ostream& stream() { return stream_; }
  /// Throws OutputError where not all of it could be written, or put in place.
  void finish();

 private:
  [[noreturn]] void fail(int why) const;
  [[nodiscard]] std::filesystem::path place() const;
  void create_beside();

  std::filesystem::path path_, final_, beside_;  ///< as it was named; behind links; empty: nothing is beside it
  std::string flag_;
  Descriptor file_;  ///< for syncing
  std::ofstream stream_;
};

/// Writes all of it to standard output. Throws OutputError.
void write_standard_output(std::string_view text);

/// Writes all of a file. Throws UsageError where it cannot be created, OutputError where it cannot be written to its
/// end; both name `flag`.
void write_whole(const std::filesystem::path& path, std::string_view text, std::string_view flag);

/// The same for what is too large to be held: `write` puts it into the stream.
void write_whole(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write,
                 std::string_view flag);

}  // namespace busbar
