// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/require.hpp"

namespace busbar::fuzz {

/// A file in memory, for functions that read files by name.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : file_(::memfd_create("input", MFD_CLOEXEC)) {
    require(file_ >= 0, "no file in memory");
    require(::write(file_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
            "a file in memory is full");
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace busbar::fuzz
