// SPDX-License-Identifier: Apache-2.0
#include "core/job/guard/last_record.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/error.hpp"
#include "core/files/descriptor.hpp"
#include "core/journal/journal.hpp"
#include "core/journal/unfinished.hpp"
#include "core/record/case_record.hpp"

namespace busbar::guarding {
namespace {

[[noreturn]] void fail() {
  throw Error(fmt::format("the end of the record cannot be written: {}", std::strerror(errno)));
}

/// End of the last whole line of a file. Reopens the file, which may be write-only.
off_t end_of_last_line(int file, off_t size) {
  const int reader = ::open(fmt::format("/proc/self/fd/{}", file).c_str(), O_RDONLY | O_CLOEXEC);
  if (reader < 0) fail();
  std::array<char, 65536> block{};
  off_t end = 0;
  for (off_t to = size; to > 0 && end == 0;) {
    const off_t from = std::max<off_t>(0, to - static_cast<off_t>(block.size()));
    const auto n = ::pread(reader, block.data(), static_cast<std::size_t>(to - from), from);
    if (n <= 0) break;
    const auto newline = std::string_view(block.data(), static_cast<std::size_t>(n)).rfind('\n');
    if (newline != std::string_view::npos) end = from + static_cast<off_t>(newline) + 1;
    to = from;
  }
  ::close(reader);
  return end;
}

/// Path of an open file; that of no file if it was deleted.
std::filesystem::path name_of(int file) {
  std::error_code problem;
  return std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", file), problem);
}

}  // namespace

void end_record(int file, const EndRecord& end) {
  struct stat found{};
  if (::fstat(file, &found) != 0 || !S_ISREG(found.st_mode)) return;
  const off_t whole = end_of_last_line(file, found.st_size);
  if (whole == 0) return;  // not even the head was written
  const std::filesystem::path journal = name_of(file);
  std::string lines;
  for (const CaseRecord& c : unfinished_cases(journal)) lines += to_line(c) + "\n";
  lines += to_line(end) + "\n";
  if (::ftruncate(file, whole) != 0 || ::lseek(file, whole, SEEK_SET) < 0) fail();
  if (write_all(file, lines) == lines.size() && ::fdatasync(file) == 0) return remove_unfinished(journal);
  const int why = errno == 0 ? ENOSPC : errno;
  if (::ftruncate(file, whole) != 0) fail();
  errno = why;
  fail();
}

}  // namespace busbar::guarding
