// SPDX-License-Identifier: Apache-2.0
// Linked into a second busbar-preflight, in place of the revision that it was built from.
#include "core/base/build_info.hpp"

std::string_view busbar::git_revision() { return "another"; }
