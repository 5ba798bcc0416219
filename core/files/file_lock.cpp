// SPDX-License-Identifier: Apache-2.0
#include "core/files/file_lock.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>

#include "core/base/error.hpp"
#include "core/files/descriptor.hpp"

namespace busbar {
namespace {

/// The file system does not support locks, or its lock server is unavailable.
bool knows_no_locks(int why) { return why == ENOSYS || why == ENOLCK || why == EOPNOTSUPP || why == ENOTSUP; }

}  // namespace

bool lock_for_writing(int file) {
  // is_being_written() holds a shared lock for some microseconds, so retry.
  constexpr int most_tries = 50;
  for (int tries = 1;; ++tries) {
    if (::flock(file, LOCK_EX | LOCK_NB) == 0 || knows_no_locks(errno)) return true;
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) throw Error(fmt::format("cannot be locked: {}", std::strerror(errno)));
    if (tries == most_tries) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

bool is_being_written(const std::filesystem::path& path) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem)) return false;
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return file.is_open() && ::flock(file.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace busbar
