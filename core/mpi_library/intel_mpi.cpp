// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/mpi_library/algorithms.hpp"
#include "core/mpi_library/mpi_library.hpp"

namespace busbar {
namespace {

using namespace std::string_view_literals;

// Its launcher is Hydra, with the variables of MPICH.
constexpr std::array version_marks{"Intel(R) MPI Library for Linux* OS, Version "sv, "Intel(R) MPI Library "sv};
constexpr std::array rank{"PMI_RANK"};
constexpr std::array size{"PMI_SIZE"};
constexpr std::array local_rank{"MPI_LOCALRANKID"};
constexpr std::array local_size{"MPI_LOCALNRANKS"};
constexpr std::array settings{"I_MPI_"sv};

/// What mpirun finds out about the machine and passes to its ranks, plus paths and host names.
constexpr std::array internal{"I_MPI_INFO_"sv,     "I_MPI_HYDRA_"sv,   "I_MPI_ROOT"sv,
                              "I_MPI_MPIRUN"sv,    "I_MPI_PIN_INFO"sv, "I_MPI_PIN_MAPPING"sv,
                              "I_MPI_INTERNAL_"sv, "I_MPI_RETURN_"sv,  "I_MPI_BIND_WIN_ALLOCATE"sv,
                              "I_MPI_HOST"sv,      "I_MPI_TMPDIR"sv};

constexpr std::array yield{MpiLibrary::Setting{"I_MPI_WAIT_MODE", "1"}};
constexpr std::array remote_shell{"I_MPI_HYDRA_BOOTSTRAP_EXEC", "HYDRA_BOOTSTRAP_EXEC"};
constexpr std::array launchers{"mpirun"sv, "mpiexec"sv, "mpiexec.hydra"sv};
constexpr std::array daemons{"hydra_bstrap_proxy"sv, "hydra_pmi_proxy"sv};

// Algorithms by number: Intel MPI Library Developer Reference, "I_MPI_ADJUST Family Environment Variables". "topo_" are
// the topology-aware ones.
using AlgorithmCall = AlgorithmControl::AlgorithmCall;
constexpr std::array allgather{"auto"sv, "recursive_doubling"sv, "bruck"sv,
                               "ring"sv, "topo_gatherv_bcast"sv, "knomial"sv};
constexpr std::array allreduce{"auto"sv,
                               "recursive_doubling"sv,
                               "rabenseifner"sv,
                               "reduce_bcast"sv,
                               "topo_reduce_bcast"sv,
                               "binomial_gather_scatter"sv,
                               "topo_binomial_gather_scatter"sv,
                               "shumilin_ring"sv,
                               "ring"sv,
                               "knomial"sv,
                               "topo_shm_flat"sv,
                               "topo_shm_knomial"sv,
                               "topo_shm_knary"sv};
constexpr std::array alltoall{"auto"sv, "bruck"sv, "isend_irecv"sv, "pairwise"sv, "plum"sv};
constexpr std::array barrier{"auto"sv,
                             "dissemination"sv,
                             "recursive_doubling"sv,
                             "topo_dissemination"sv,
                             "topo_recursive_doubling"sv,
                             "binomial_gather_scatter"sv,
                             "topo_binomial_gather_scatter"sv,
                             "topo_shm_flat"sv,
                             "topo_shm_knomial"sv,
                             "topo_shm_knary"sv};
constexpr std::array bcast{"auto"sv,          "binomial"sv,         "recursive_doubling"sv,
                           "ring"sv,          "topo_binomial"sv,    "topo_recursive_doubling"sv,
                           "topo_ring"sv,     "shumilin"sv,         "knomial"sv,
                           "topo_shm_flat"sv, "topo_shm_knomial"sv, "topo_shm_knary"sv};
constexpr std::array gather{"auto"sv, "binomial"sv, "topo_binomial"sv, "shumilin"sv, "segmented_binomial"sv};
constexpr std::array reduce{"auto"sv,          "shumilin"sv,         "binomial"sv,          "topo_shumilin"sv,
                            "topo_binomial"sv, "rabenseifner"sv,     "topo_rabenseifner"sv, "knomial"sv,
                            "topo_shm_flat"sv, "topo_shm_knomial"sv, "topo_shm_knary"sv,    "topo_shm_binomial"sv};
constexpr std::array reduce_scatter{"auto"sv,
                                    "recursive_halving"sv,
                                    "pairwise"sv,
                                    "recursive_doubling"sv,
                                    "reduce_scatterv"sv,
                                    "topo_reduce_scatterv"sv};
constexpr std::array scatter{"auto"sv, "binomial"sv, "topo_binomial"sv, "shumilin"sv};

constexpr std::array calls{AlgorithmCall{"allgather", "ALLGATHER", allgather},
                           AlgorithmCall{"allreduce", "ALLREDUCE", allreduce},
                           AlgorithmCall{"alltoall", "ALLTOALL", alltoall},
                           AlgorithmCall{"barrier", "BARRIER", barrier},
                           AlgorithmCall{"broadcast", "BCAST", bcast},
                           AlgorithmCall{"gather", "GATHER", gather},
                           AlgorithmCall{"reduce", "REDUCE", reduce},
                           AlgorithmCall{"reduce_scatter", "REDUCE_SCATTER", reduce_scatter},
                           AlgorithmCall{"scatter", "SCATTER", scatter}};

/// MPI's tool interface does not have these variables: the library reads them in MPI_Init.
constexpr AlgorithmControl algorithms{.scope = AlgorithmControl::Scope::launch,
                                      .names = AlgorithmControl::Names::table,
                                      .variable = "I_MPI_ADJUST_{}",
                                      .calls = calls,
                                      .parameters = {},
                                      .before_init = {},
                                      .with_request = {},
                                      .must_be_true = "",
                                      .must_be_empty = ""};

}  // namespace

extern const MpiLibrary intel_mpi{
    .name = "Intel MPI",
    .version_marks = version_marks,
    .rank = rank,
    .size = size,
    .local_rank = local_rank,
    .local_size = local_size,
    .settings = settings,
    .internal = internal,
    .yield = yield,
    .yield_control = "MPIR_CVAR_IMPI_WAIT_MODE",
    .yield_flag = nullptr,
    .yield_by_launcher = nullptr,
    .hosts = "-np {ranks} -hosts {hosts} -ppn {ranks_per_node}",
    .per_host = "",
    .remote_shell = remote_shell,
    .launchers = launchers,
    .daemons = daemons,
    .interface_hint = "I_MPI_HYDRA_IFACE, FI_TCP_IFACE",
    .bind_hint = "I_MPI_PIN=1 I_MPI_PIN_DOMAIN=core mpirun",
    .show_bind_hint = "I_MPI_DEBUG=4 mpirun",
    .yield_hint = "I_MPI_WAIT_MODE=1",
    .algorithms = &algorithms,
};

}  // namespace busbar
