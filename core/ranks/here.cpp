// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/here.hpp"

#include "core/machine/host_memory.hpp"

namespace busbar::here {

const Simulation* simulation() { return nullptr; }
Host host() { return read_host(); }
std::vector<int> cpus() { return affinity(); }
std::map<std::string, std::string> environment() { return read_environment(); }
Timer timer() { return measure_timer(); }
std::unique_ptr<MemorySpace> memory(bool /*with_data*/) { return std::make_unique<HostMemory>(); }

}  // namespace busbar::here
