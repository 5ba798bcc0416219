// SPDX-License-Identifier: Apache-2.0
#include <array>

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
};

}  // namespace busbar
