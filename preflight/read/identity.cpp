// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/build_info.hpp"
#include "core/files/kernel_files.hpp"
#include "core/machine/host_name.hpp"
#include "core/ranks/launcher.hpp"
#include "preflight/read/libraries.hpp"
#include "preflight/read/read.hpp"

namespace busbar::preflight {
Identity read_identity() {
  return {.rank = launch_rank(),
          .host = host_name(),
          .machine = facts::line("/proc/sys/kernel/random/boot_id").value_or(""),
          .network = facts::link_name("/proc/self/ns/net").value_or(""),
          .launched = launch_size(),
          .launched_here = local_launch_size(),
          .place_here = local_launch_rank(),
          .world = launch_size().value_or(1),
          .interfaces = facts::entries("/sys/class/net"),
          .environment = read_environment()};
}

Versions read_versions() {
  return {.build = fmt::format("{} ({})", version(), git_revision()),
          .mpi = {},
          .nccl = nccl_version(),
          .cuda = cuda_driver_version()};
}

}  // namespace busbar::preflight
