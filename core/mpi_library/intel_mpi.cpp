// SPDX-License-Identifier: Apache-2.0
#include <array>

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
};

}  // namespace busbar
