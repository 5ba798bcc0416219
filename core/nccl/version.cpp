// SPDX-License-Identifier: Apache-2.0
#include "core/nccl/version.hpp"

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar {

std::string to_string(NcclVersion v) { return fmt::format("{}.{}.{}", v.major(), v.minor(), v.patch()); }

void require_nccl(NcclVersion version, NcclVersion first, std::string_view what) {
  if (version.code >= first.code) return;
  throw Unsupported(fmt::format("NCCL {}.{} has no {} ({}.{} has)", version.major(), version.minor(), what,
                                first.major(), first.minor()));
}

}  // namespace busbar
