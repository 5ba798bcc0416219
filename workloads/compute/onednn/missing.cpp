// SPDX-License-Identifier: Apache-2.0
// Replaces the other files here in a build without oneDNN. scripts/cmake/OneDnn.cmake generates missing_for_onednn().
#include <fmt/core.h>

#include "core/base/error.hpp"
#include "workloads/compute/onednn.hpp"

namespace busbar {

std::unique_ptr<OnednnCompute> make_onednn(const Network& /*network*/, const OnednnSetup& /*setup*/) {
  throw UsageError(fmt::format("--compute onednn: {}", missing_for_onednn()));
}

}  // namespace busbar
