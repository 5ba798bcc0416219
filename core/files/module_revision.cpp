// SPDX-License-Identifier: Apache-2.0
// Linked into every module: the revision that it was built from (core/files/module.hpp).
#include "core/base/build_info.hpp"

extern "C" {
[[gnu::visibility("default")]] extern std::string_view (*const busbar_module_revision)();
std::string_view (*const busbar_module_revision)() = busbar::git_revision;
}
