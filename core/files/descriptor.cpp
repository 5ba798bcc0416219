// SPDX-License-Identifier: Apache-2.0
#include "core/files/descriptor.hpp"

#include <cerrno>

#include <unistd.h>

namespace busbar {

std::size_t write_all(int file, std::string_view text) {
  std::size_t done = 0;
  errno = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

}  // namespace busbar
