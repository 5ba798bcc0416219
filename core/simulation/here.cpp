// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/here.hpp"

#include <algorithm>
#include <cmath>

#include <simgrid/s4u.hpp>
#include <unistd.h>

#include "core/job/guard/guard.hpp"
#include "core/machine/host_name.hpp"
#include "core/machine/local_clock.hpp"
#include "core/machine/pace.hpp"
#include "core/machine/usage.hpp"
#include "core/ranks/launcher.hpp"
#include "core/simulation/job.hpp"

/// Replaces the functions that read a real machine. Unknown values are empty or 0.
namespace busbar {

SimulatedRank& this_rank() { return *simgrid::s4u::Actor::self()->get_data<SimulatedRank>(); }

// core/machine/local_clock.hpp

std::int64_t steady_ns() { return std::llround(simgrid::s4u::Engine::get_clock() * 1e9); }

void wait_towards(std::int64_t ns, Waiting /*how*/) {
  simgrid::s4u::this_actor::sleep_for(static_cast<double>(std::max<std::int64_t>(1, ns - steady_ns())) * 1e-9);
}

// core/machine/host_name.hpp, core/ranks/launcher.hpp

std::string host_name() { return this_rank().node; }
int launch_rank() { return this_rank().rank; }
std::optional<int> launch_size() { return this_rank().job.ranks; }
std::optional<int> local_launch_rank() { return std::nullopt; }
std::optional<int> local_launch_size() { return std::nullopt; }
int launcher_process() { return 0; }
std::int64_t launched_ns() { return 0; }
std::vector<std::string> launch_words() { return this_rank().job.words; }
std::optional<Terminal> stdout_terminal() {
  return ::isatty(STDOUT_FILENO) == 1 ? std::optional(Terminal{}) : std::nullopt;
}

// core/ranks/here.hpp

namespace here {

const Simulation* simulation() { return &this_rank().job.facts; }
Host host() { return {.name = host_name()}; }
std::vector<int> cpus() { return {}; }
std::map<std::string, std::string> environment() { return {}; }
Timer timer() { return {.resolution_s = 1e-9, .cost_s = 0}; }
std::unique_ptr<MemorySpace> memory(bool with_data) { return simulated_memory(with_data, this_rank().job.pages); }

}  // namespace here

// core/job/guard/guard.hpp: no guard is needed; the simulator detects deadlocks.

Guard::Guard(const std::string& /*program*/, double /*limit_s*/, int ranks) : ranks_(ranks), progress_(new Progress) {}
Guard::Guard(Guard& /*first*/, int /*number*/) : ranks_(0), progress_(new Progress) {}
Guard::~Guard() { delete progress_; }
void Guard::join(Group& /*processes*/) {}
void Guard::enter(std::string_view what, std::string_view where, std::string_view flag, double /*limit_s*/) {
  progress_->enter(what, where, flag, 0);
}
void Guard::rest() { progress_->rest(); }
void Guard::name_host(const std::string& /*name*/) {}
void Guard::keep_record(int /*file*/) {}
void Guard::abort(std::string_view /*why*/) noexcept {}

// core/machine/pace.hpp, core/machine/usage.hpp

Pace::Pace() = default;
double Pace::measure() { return 0; }

UsageMeter::File::File(const std::filesystem::path& /*path*/) {}
UsageMeter::File::~File() = default;
UsageMeter::UsageMeter(const std::filesystem::path& /*root*/, bool /*of_thread*/)
    : schedstat_(""), stat_(""), cgroup_stat_("") {}
Usage UsageMeter::own() const { return {}; }
Usage UsageMeter::whole() const { return {}; }

}  // namespace busbar
