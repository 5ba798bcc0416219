// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>

namespace busbar::preflight {

/// In order of execution: each stage relies on earlier results.
enum class Stage : int { reach, launch, same, host, binding, gpu, network, pairs, all };

struct StageRow {
  std::string_view name;
  std::string_view about;
  bool ends_run;  ///< a failure here makes the later stages pointless
};

inline constexpr std::array<StageRow, 9> stages{{
    {"reach", "each host is reachable by remote shell and has this program (only with --hosts)", true},
    {"launch", "the launched processes form one MPI job, and a message from each rank reaches rank 0", true},
    {"same", "builds, libraries, drivers and settings are the same on all ranks", true},
    {"host", "names, clocks, limits and memory of each host", false},
    {"binding", "CPU binding of each rank", false},
    {"gpu", "GPU of each rank, GPU modes, and paths between GPUs and to network devices", false},
    {"network", "RDMA ports, link speeds, and TCP between all hosts on each interface", true},
    {"pairs", "messages between neighbouring ranks", true},
    {"all", "an allreduce over all ranks", true},
}};

[[nodiscard]] constexpr const StageRow& row(Stage s) { return stages[static_cast<std::size_t>(s)]; }
[[nodiscard]] constexpr std::string_view name(Stage s) { return row(s).name; }

/// Exit code of the program if this is the first stage that failed or timed out: 10 (reach) to 18 (all). Codes below 10
/// are common to all busbar programs (busbar::Exit).
[[nodiscard]] constexpr int exit_code(Stage s) { return 10 + static_cast<int>(s); }

}  // namespace busbar::preflight
