// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dlfcn.h>

namespace busbar {

/// SimGrid's own definition of a function that this program defines too. SimGrid calls ours instead, because a
/// program's symbols precede those of its libraries (scripts/cmake/SimGrid.cmake checks it). `symbol`: its mangled
/// name.
template <class Function>
[[nodiscard]] Function* simgrids_own(const char* symbol) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, symbol));
}

}  // namespace busbar
