// SPDX-License-Identifier: Apache-2.0
#include "core/unfinished.hpp"

#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include "core/descriptor.hpp"
#include "core/error.hpp"
#include "core/write_all.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;

bool may_not(int why) { return why == EACCES || why == EPERM || why == EROFS; }

[[noreturn]] void fail_to_keep_unfinished(const fs::path& path, int why) {
  throw OutputError(
      fmt::format("cannot write {}: {}; the records before stay valid", path.string(), std::strerror(why)));
}

/// One name, so that a program that is killed leaves one file at most.
fs::path fresh_one(const fs::path& unfinished) { return unfinished.string() + ".tmp"; }

}  // namespace

fs::path unfinished_beside(const fs::path& journal) {
  std::error_code problem;
  const fs::path itself = fs::weakly_canonical(journal, problem);
  return (problem ? journal : itself).string() + ".unfinished";
}

void write_unfinished(const fs::path& journal, std::string_view lines) {
  const fs::path path = unfinished_beside(journal), fresh = fresh_one(path);
  {
    const Descriptor file(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (!file.is_open() && may_not(errno)) return;
    if (!file.is_open()) fail_to_keep_unfinished(path, errno);
    if (write_all(file.get(), lines) < lines.size()) {
      const int why = errno;
      ::unlink(fresh.c_str());
      fail_to_keep_unfinished(path, why);
    }
  }
  if (::rename(fresh.c_str(), path.c_str()) != 0) fail_to_keep_unfinished(path, errno);
}

void remove_unfinished(const fs::path& journal) {
  const fs::path path = unfinished_beside(journal);
  std::error_code problem;
  fs::remove(path, problem);
  fs::remove(fresh_one(path), problem);
}

}  // namespace busbar
