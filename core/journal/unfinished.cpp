// SPDX-License-Identifier: Apache-2.0
#include "core/journal/unfinished.hpp"

#include <cerrno>
#include <cstring>
#include <string>

#include <fmt/core.h>
#include <unistd.h>

#include "core/base/error.hpp"
#include "core/files/descriptor.hpp"
#include "core/files/output_file.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;

bool may_not(int why) { return why == EACCES || why == EPERM || why == EROFS; }

[[noreturn]] void fail_to_keep_unfinished(const fs::path& path, int why) {
  throw OutputError(
      fmt::format("cannot write {}: {}; the records before stay valid", path.string(), std::strerror(why)));
}

/// Removes FILE.unfinished.RANDOM.tmp of programs that were killed while they wrote them.
void remove_leftovers(const fs::path& unfinished) {
  const std::string begin = unfinished.filename().string() + ".";
  std::error_code problem;
  for (fs::directory_iterator at(unfinished.parent_path(), problem), end; !problem && at != end;
       at.increment(problem)) {
    const std::string name = at->path().filename().string();
    std::error_code ignored;
    if (name.starts_with(begin) && name.ends_with(".tmp")) fs::remove(at->path(), ignored);
  }
}

}  // namespace

fs::path unfinished_beside(const fs::path& journal) {
  std::error_code problem;
  const fs::path itself = fs::weakly_canonical(journal, problem);
  return (problem ? journal : itself).string() + ".unfinished";
}

void write_unfinished(const fs::path& journal, std::string_view lines) {
  const fs::path path = unfinished_beside(journal);
  const FreshFile fresh = create_fresh(path, 0644);
  if (!fresh.file.is_open() && may_not(errno)) return;
  if (!fresh.file.is_open()) fail_to_keep_unfinished(path, errno);
  const bool kept = write_all(fresh.file.get(), lines) == lines.size() &&
                    (::fdatasync(fresh.file.get()) == 0 || errno == EINVAL) &&
                    ::rename(fresh.name.c_str(), path.c_str()) == 0;
  if (kept) return;
  const int why = errno;
  ::unlink(fresh.name.c_str());
  fail_to_keep_unfinished(path, why);
}

void remove_unfinished(const fs::path& journal) {
  const fs::path path = unfinished_beside(journal);
  std::error_code problem;
  fs::remove(path, problem);
  remove_leftovers(path);
}

}  // namespace busbar
