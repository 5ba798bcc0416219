// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/mpi_library/algorithms.hpp"
#include "core/mpi_library/mpi_library.hpp"

namespace busbar {
namespace {

using namespace std::string_view_literals;

constexpr std::array version_marks{"Open MPI v"sv, "(Open MPI) "sv, "(OpenRTE) "sv};  // the last is mpiexec of version
                                                                                      // 4
constexpr std::array rank{"OMPI_COMM_WORLD_RANK", "PMIX_RANK"};
constexpr std::array size{"OMPI_COMM_WORLD_SIZE"};
constexpr std::array local_rank{"OMPI_COMM_WORLD_LOCAL_RANK"};
constexpr std::array local_size{"OMPI_COMM_WORLD_LOCAL_SIZE"};
constexpr std::array settings{"OMPI_MCA_"sv};

/// The run-time layer (orte, prte, ess, pmix, plm, oob) passes job data to its processes: ids, addresses, session
/// folders, the key of the transports. mca_base_env_list forwards arbitrary variables. The rest are paths or hints of
/// the launcher.
constexpr std::array internal{"OMPI_MCA_orte_"sv,
                              "OMPI_MCA_prte_"sv,
                              "OMPI_MCA_ess"sv,
                              "OMPI_MCA_pmix"sv,
                              "OMPI_MCA_plm_"sv,
                              "OMPI_MCA_oob_"sv,
                              "OMPI_MCA_mca_base_env_list"sv,
                              "OMPI_MCA_initial_wdir"sv,
                              "OMPI_MCA_shmem_RUNTIME_QUERY_hint"sv,
                              "OMPI_MCA_PREFIXES"sv,
                              "OMPI_MCA_cpu_type"sv,
                              "OMPI_MCA_num_procs"sv};

constexpr std::array yield{MpiLibrary::Setting{"OMPI_MCA_mpi_yield_when_idle", "1"}};
constexpr std::array remote_shell{"OMPI_MCA_plm_rsh_agent", "PRTE_MCA_plm_ssh_agent"};
constexpr std::array launchers{"mpirun"sv, "mpiexec"sv, "orterun"sv, "prterun"sv};
constexpr std::array daemons{"orted"sv, "prted"sv};

// Algorithms of coll/tuned by number, as Open MPI 4.1.4 and 5.0.11 enumerate them; numbers of collectives as in
// ompi/mca/coll/base/coll_base_functions.h.
using AlgorithmCall = AlgorithmControl::AlgorithmCall;
constexpr std::array allgather{"ignore"sv, "linear"sv,   "bruck"sv,    "recursive_doubling"sv,
                               "ring"sv,   "neighbor"sv, "two_proc"sv, "sparbit"sv};
constexpr std::array allreduce{"ignore"sv, "basic_linear"sv,   "nonoverlapping"sv, "recursive_doubling"sv,
                               "ring"sv,   "segmented_ring"sv, "rabenseifner"sv};
constexpr std::array alltoall{"ignore"sv, "linear"sv, "pairwise"sv, "modified_bruck"sv, "linear_sync"sv, "two_proc"sv};
constexpr std::array barrier{"ignore"sv, "linear"sv,   "double_ring"sv, "recursive_doubling"sv,
                             "bruck"sv,  "two_proc"sv, "tree"sv};
constexpr std::array bcast{
    "ignore"sv,      "basic_linear"sv, "chain"sv,   "pipeline"sv,          "split_binary_tree"sv,
    "binary_tree"sv, "binomial"sv,     "knomial"sv, "scatter_allgather"sv, "scatter_allgather_ring"sv};
constexpr std::array gather{"ignore"sv, "basic_linear"sv, "binomial"sv, "linear_sync"sv};
constexpr std::array reduce{"ignore"sv, "linear"sv,   "chain"sv,           "pipeline"sv,
                            "binary"sv, "binomial"sv, "in-order_binary"sv, "rabenseifner"sv};
constexpr std::array reduce_scatter{"ignore"sv, "non-overlapping"sv, "recursive_halving"sv, "ring"sv, "butterfly"sv};
constexpr std::array reduce_scatter_block{"ignore"sv, "basic_linear"sv, "recursive_doubling"sv, "recursive_halving"sv,
                                          "butterfly"sv};
constexpr std::array scatter{"ignore"sv, "basic_linear"sv, "binomial"sv, "linear_nb"sv};

constexpr std::array calls{AlgorithmCall{"allgather", "allgather", allgather, 0},
                           AlgorithmCall{"allreduce", "allreduce", allreduce, 2},
                           AlgorithmCall{"alltoall", "alltoall", alltoall, 3},
                           AlgorithmCall{"barrier", "barrier", barrier, 6},
                           AlgorithmCall{"broadcast", "bcast", bcast, 7},
                           AlgorithmCall{"gather", "gather", gather, 9},
                           AlgorithmCall{"reduce", "reduce", reduce, 11},
                           AlgorithmCall{"reduce_scatter", "reduce_scatter", reduce_scatter, 12},
                           AlgorithmCall{"reduce_scatter_block", "reduce_scatter_block", reduce_scatter_block, 13},
                           AlgorithmCall{"scatter", "scatter", scatter, 15}};
constexpr std::array parameters{
    AlgorithmControl::Parameter{"fanout", "coll_tuned_{}_algorithm_tree_fanout"},
    AlgorithmControl::Parameter{"fanout", "coll_tuned_{}_algorithm_chain_fanout"},
    AlgorithmControl::Parameter{"segsize", "coll_tuned_{}_algorithm_segmentsize", true},
};
/// What han serves in 4.1 and 5.0 (coll_han_module.c); with one rank on each host it passes its calls on.
constexpr std::array calls_of_han{"allgather"sv, "allreduce"sv, "barrier"sv, "broadcast"sv,
                                  "gather"sv,    "reduce"sv,    "scatter"sv};
constexpr std::array components{
    AlgorithmControl::Component{"han", calls_of_han, "coll_han_priority", "--mca coll_han_priority 100"}};
/// With a last segment that is shorter, and with several segments in place. Fixed in 4.1.6 ("fix the count of
/// allreduce_t3_task", "correctly handle MPI_IN_PLACE").
constexpr std::array before_4_1_6{"4.1.0"sv, "4.1.1"sv, "4.1.2"sv, "4.1.3"sv, "4.1.4"sv, "4.1.5"sv};
constexpr std::array crashes{AlgorithmControl::Crash{"allreduce", "han", before_4_1_6}};
constexpr std::array before_init{MpiLibrary::Setting{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"}};

/// coll/tuned reads the variables when it sets up a communicator. Open MPI 4 prefers a file of rules to them. han of
/// version 5 has a higher priority and would serve communicators between hosts without the info key.
constexpr AlgorithmControl algorithms{.scope = AlgorithmControl::Scope::communicator,
                                      .names = AlgorithmControl::Names::enumerator,
                                      .variable = "coll_tuned_{}_algorithm",
                                      .calls = calls,
                                      .parameters = parameters,
                                      .before_init = before_init,
                                      .with_request = {},
                                      .must_be_true = "coll_tuned_use_dynamic_rules",
                                      .must_be_empty = "coll_tuned_dynamic_rules_filename",
                                      .components = components,
                                      .crashes = crashes,
                                      .info_key = "ompi_comm_coll_preference",
                                      .info_value = "tuned"};

}  // namespace

extern const MpiLibrary open_mpi{
    .name = "Open MPI",
    .version_marks = version_marks,
    .rank = rank,
    .size = size,
    .local_rank = local_rank,
    .local_size = local_size,
    .settings = settings,
    .internal = internal,
    .yield = yield,
    .yield_control = "mpi_yield_when_idle",
    .yield_flag = "opal_progress_yield_when_idle",
    .yield_by_launcher = "OMPI_MCA_mpi_oversubscribe",  // since 4.0.3; it counts slots, not CPUs
    .hosts = "-np {ranks} --host {slots}",
    .per_host = "--map-by ppr:{ranks_per_node}:node",
    .remote_shell = remote_shell,
    .launchers = launchers,
    .daemons = daemons,
    .interface_hint = "--mca btl_tcp_if_include, oob_tcp_if_include",
    .bind_hint = "mpirun --bind-to core",
    .show_bind_hint = "mpirun --report-bindings",
    .yield_hint = "mpirun --mca mpi_yield_when_idle 1",
    .algorithms = &algorithms,
};

}  // namespace busbar
