// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>

namespace busbar::preflight {

/// In the order in which they are run: each needs what those before it have shown.
enum class Stage : int { reach, launch, same, host, binding, gpu, network, pairs, all };

struct StageRow {
  std::string_view name;
  std::string_view about;
  bool ends_run;  ///< a failure here makes the stages behind it pointless
};

inline constexpr std::array<StageRow, 9> stages{{
    {"reach", "each host answers by the remote shell and has this program (with --hosts only)", true},
    {"launch", "the launcher's processes become one MPI job, and each rank gets a message to rank 0", true},
    {"same", "builds, libraries, drivers and settings are the same on all ranks", true},
    {"host", "names, clocks, limits and memory of each host", false},
    {"binding", "the CPUs of each rank", false},
    {"gpu", "GPUs of ranks, their modes, and the ways between them and to network devices", false},
    {"network", "RDMA ports, link speeds, and TCP between all hosts on each interface", true},
    {"pairs", "messages between two ranks, neighbour by neighbour", true},
    {"all", "a sum over all ranks", true},
}};

[[nodiscard]] constexpr const StageRow& row(Stage s) { return stages[static_cast<std::size_t>(s)]; }
[[nodiscard]] constexpr std::string_view name(Stage s) { return row(s).name; }

/// Of the program, where this is the first stage that failed or ran out of time: 10 for reach to 18 for all. Below 10
/// they mean what they mean in every busbar program (busbar::Exit).
[[nodiscard]] constexpr int exit_code(Stage s) { return 10 + static_cast<int>(s); }

}  // namespace busbar::preflight
