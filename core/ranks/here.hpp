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

/// The machine that this rank finds itself on, as programs that measure ask for it. A simulator defines these anew for
/// its ranks, and with them the other things that a machine has: the clock (core/machine/local_clock.hpp), the launcher
/// (core/ranks/launcher.hpp), the host's name, the pace and the usage of its CPUs, the Guard, and the Group over MPI.
/// Those are all that tells the two apart (core/simulation/).
namespace busbar::here {

/// What simulates this rank; none: nothing, it is real.
[[nodiscard]] const Simulation* simulation();

[[nodiscard]] Host host();
/// That this rank may run on; empty: it has none that can be named.
[[nodiscard]] std::vector<int> cpus();
/// As read_environment().
[[nodiscard]] std::map<std::string, std::string> environment();
/// Of steady_ns().
[[nodiscard]] Timer timer();

/// This process's memory. `with_data` false: what is written to it means nothing to anybody, and need not be kept.
[[nodiscard]] std::unique_ptr<MemorySpace> memory(bool with_data);

}  // namespace busbar::here
