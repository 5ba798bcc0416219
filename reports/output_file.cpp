// SPDX-License-Identifier: Apache-2.0
#include "reports/output_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/core.h>
#include <unistd.h>

#include "core/error.hpp"

namespace busbar::report {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(std::string_view flag, const fs::path& path, std::string_view why) {
  throw UsageError(fmt::format("{}: cannot write {}: {}", flag, path.string(), why));
}

/// The reason why it could not be written, 0 where it was.
int write_file(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  if (out) write(out);
  out.close();
  if (out) return 0;
  return errno == 0 ? EIO : errno;
}

}  // namespace

void write_whole(const fs::path& path, std::string_view text, std::string_view flag) {
  write_whole(
      path, [text](std::ostream& out) { out.write(text.data(), static_cast<std::streamsize>(text.size())); }, flag);
}

void write_whole(const fs::path& path, const std::function<void(std::ostream&)>& write, std::string_view flag) {
  std::error_code problem;
  if (fs::is_directory(path, problem)) fail(flag, path, "it is a folder");
  if (fs::exists(path, problem) && !fs::is_regular_file(path, problem)) {
    if (const int why = write_file(path, write)) fail(flag, path, std::strerror(why));
    return;
  }
  const fs::path target = fs::weakly_canonical(path, problem);  // a link stays one
  fs::path temporary = problem || target.empty() ? path : target;
  const fs::path final_path = temporary;
  temporary += fmt::format(".{}.tmp", ::getpid());
  if (const int why = write_file(temporary, write)) {
    fs::remove(temporary, problem);
    fail(flag, path, std::strerror(why));
  }
  fs::rename(temporary, final_path, problem);
  if (!problem) return;
  const std::string why = problem.message();
  fs::remove(temporary, problem);
  fail(flag, path, why);
}

}  // namespace busbar::report
