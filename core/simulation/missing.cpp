// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/missing.hpp"

#include <cstdio>
#include <cstring>

#include "core/base/error.hpp"

/// Placeholder for a simulator that was built without SimGrid.
int main(int /*argc*/, char** argv) {
  const char* slash = std::strrchr(argv[0], '/');
  std::fprintf(stderr, "%s: %s\n", slash != nullptr ? slash + 1 : argv[0], busbar::simgrid_missing());
  return static_cast<int>(busbar::Exit::usage);
}
