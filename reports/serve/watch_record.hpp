// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

#include "core/base/error.hpp"

namespace busbar::serve {

struct WatchOptions {
  std::filesystem::path path;  ///< a record, which may not exist yet, or a folder of records
  std::filesystem::path out;   ///< the static page of a record
  int port = 0;                ///< 0: any free one
  bool stay = false;           ///< go on serving after the run has ended
};

/// Prints the address, serves the live page, and at the end of the run writes the static page and shows it to browsers
/// that are looking. Returns ok; failed if the run died; interrupted after SIGINT or SIGTERM. Throws UsageError if
/// what is there is no record, and OutputError if the page cannot be written.
[[nodiscard]] Exit watch_record(const WatchOptions&);

/// Prints the address and serves the board of a folder until SIGINT or SIGTERM; then returns interrupted.
[[nodiscard]] Exit watch_folder(const WatchOptions&);

}  // namespace busbar::serve
