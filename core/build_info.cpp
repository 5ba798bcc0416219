// SPDX-License-Identifier: Apache-2.0
#include "core/build_info.hpp"

namespace busbar {

std::string_view version() { return BUSBAR_VERSION; }
std::string_view compiler() { return BUSBAR_COMPILER; }
std::string_view build_type() { return BUSBAR_BUILD_TYPE; }

}  // namespace busbar
