// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace busbar {

/// Owns a file descriptor; -1 if it has none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int file) : file_(file) {}
  Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~Descriptor() {
    if (file_ >= 0) ::close(file_);
  }

  [[nodiscard]] int get() const { return file_; }
  [[nodiscard]] bool is_open() const { return file_ >= 0; }

 private:
  int file_ = -1;
};

/// Writes `text` to an open file. Returns the number of bytes written; if that is not all, errno says why.
[[nodiscard]] std::size_t write_all(int file, std::string_view text);

}  // namespace busbar
