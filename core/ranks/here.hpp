// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/elements/memory_space.hpp"
#include "core/environment/environment.hpp"
#include "core/machine/timer.hpp"
#include "core/record/simulation.hpp"

/// The machine of this rank, for programs that measure. A simulator redefines these functions for its ranks, and with
/// them the clock (core/machine/local_clock.hpp), the launcher (core/ranks/launcher.hpp), the host's name, the pace and
/// usage of its CPUs, the Guard, and the Group over MPI. Nothing else differs in a simulation (core/simulation/).
namespace busbar::here {

/// The simulator of this rank; null if it is real.
[[nodiscard]] const Simulation* simulation();

[[nodiscard]] Host host();
/// CPUs that this rank may run on; empty if unknown.
[[nodiscard]] std::vector<int> cpus();
/// Like read_environment().
[[nodiscard]] std::map<std::string, std::string> environment();
/// Properties of steady_ns().
[[nodiscard]] Timer timer();

/// This process's memory. If `with_data` is false, the contents have no meaning and need not be stored.
[[nodiscard]] std::unique_ptr<MemorySpace> memory(bool with_data);

}  // namespace busbar::here
