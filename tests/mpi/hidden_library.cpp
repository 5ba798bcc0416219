// SPDX-License-Identifier: Apache-2.0
// Preloaded: dlopen() does not find libraries whose name contains HIDDEN_LIBRARY.
#include <cstdlib>
#include <string_view>

#include <dlfcn.h>

extern "C" void* dlopen(const char* file, int mode) {
  const char* const hidden = std::getenv("HIDDEN_LIBRARY");
  if (file != nullptr && hidden != nullptr && std::string_view(file).find(hidden) != std::string_view::npos)
    return nullptr;
  return reinterpret_cast<decltype(&dlopen)>(::dlsym(RTLD_NEXT, "dlopen"))(file, mode);
}
