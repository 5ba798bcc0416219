// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/mpi_library/algorithms.hpp"
#include "core/mpi_library/mpi_library.hpp"

namespace busbar {
namespace {

using namespace std::string_view_literals;

// Its launcher Hydra prints the version of its library. MVAPICH2 sets variables of its own for each rank.
constexpr std::array version_marks{"MPICH Version:"sv, "HYDRA build details:\n    Version:"sv};
constexpr std::array rank{"PMI_RANK", "MV2_COMM_WORLD_RANK"};
constexpr std::array size{"PMI_SIZE", "MV2_COMM_WORLD_SIZE"};
constexpr std::array local_rank{"MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK"};
constexpr std::array local_size{"MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE"};
constexpr std::array settings{"MPICH_"sv, "MPIR_CVAR_"sv};
constexpr std::array internal{"MPICH_INTERFACE_HOSTNAME"sv};

/// Sleeps 1 us (usleep) after 100 polls without progress. MPICH's sched_yield() (MPIR_CVAR_POLLS_BEFORE_YIELD) does not
/// help: with 4 ranks on 2 CPUs an 8-byte allreduce takes 8 ms (5.0.2), with this setting 0.15 ms. MPICH 4.0 lacks it.
constexpr std::array yield{MpiLibrary::Setting{"MPIR_CVAR_CH4_PROGRESS_THROTTLE", "1"},
                           MpiLibrary::Setting{"MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT", "100"}};
constexpr std::array remote_shell{"HYDRA_LAUNCHER_EXEC"};
constexpr std::array launchers{"mpirun"sv, "mpiexec"sv, "mpiexec.hydra"sv};
constexpr std::array daemons{"hydra_pmi_proxy"sv};

using AlgorithmCall = AlgorithmControl::AlgorithmCall;
constexpr std::array calls{AlgorithmCall{"allgather", "ALLGATHER", {}},
                           AlgorithmCall{"allreduce", "ALLREDUCE", {}},
                           AlgorithmCall{"alltoall", "ALLTOALL", {}},
                           AlgorithmCall{"barrier", "BARRIER", {}},
                           AlgorithmCall{"broadcast", "BCAST", {}},
                           AlgorithmCall{"gather", "GATHER", {}},
                           AlgorithmCall{"reduce", "REDUCE", {}},
                           AlgorithmCall{"reduce_scatter", "REDUCE_SCATTER", {}},
                           AlgorithmCall{"reduce_scatter_block", "REDUCE_SCATTER_BLOCK", {}},
                           AlgorithmCall{"scatter", "SCATTER", {}}};

/// A device (ch4) may replace a collective by its own, whatever algorithm is requested. An algorithm that cannot make a
/// call is replaced silently, unless the fallback is 0 (error).
constexpr std::array with_request{AlgorithmControl::Value{"MPIR_CVAR_{}_DEVICE_COLLECTIVE", 0},
                                  AlgorithmControl::Value{"MPIR_CVAR_COLLECTIVE_FALLBACK", 0}};
/// smp calls the same collective on parts of the communicator, which then use smp as well: an allreduce of 4 ranks on
/// one host does not return (5.0.2).
constexpr std::array left_out{"smp"sv};
constexpr AlgorithmControl algorithms{.scope = AlgorithmControl::Scope::call,
                                      .names = AlgorithmControl::Names::description,
                                      .variable = "MPIR_CVAR_{}_INTRA_ALGORITHM",
                                      .calls = calls,
                                      .left_out = left_out,
                                      .parameters = {},
                                      .before_init = {},
                                      .with_request = with_request,
                                      .must_be_true = "",
                                      .must_be_empty = ""};

}  // namespace

extern const MpiLibrary mpich{
    .name = "MPICH",
    .version_marks = version_marks,
    .rank = rank,
    .size = size,
    .local_rank = local_rank,
    .local_size = local_size,
    .settings = settings,
    .internal = internal,
    .yield = yield,
    .yield_control = "MPIR_CVAR_CH4_PROGRESS_THROTTLE",
    .yield_flag = nullptr,
    .yield_by_launcher = nullptr,
    .hosts = "-np {ranks} -hosts {hosts} -ppn {ranks_per_node}",
    .per_host = "",
    .remote_shell = remote_shell,
    .launchers = launchers,
    .daemons = daemons,
    .interface_hint = "mpirun -iface, UCX_NET_DEVICES, FI_TCP_IFACE",
    .bind_hint = "mpirun -bind-to core",
    .show_bind_hint = "HYDRA_TOPO_DEBUG=1 mpirun -bind-to core",
    .yield_hint = "MPIR_CVAR_CH4_PROGRESS_THROTTLE=1; MPICH 5.0 knows it, 4.0 does not",
    .algorithms = &algorithms,
};

}  // namespace busbar
