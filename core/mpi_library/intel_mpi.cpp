// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <span>

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

// Algorithms have numbers, which Intel calls presets. Its references from 2021.8 on do not say which algorithm each is.
// How many there are: `impi_info -v I_MPI_ADJUST_ALLREDUCE` of version 2021.18.1.
using AlgorithmCall = AlgorithmControl::AlgorithmCall;
constexpr std::array presets{"auto"sv,      "preset_1"sv,  "preset_2"sv,  "preset_3"sv,  "preset_4"sv,  "preset_5"sv,
                             "preset_6"sv,  "preset_7"sv,  "preset_8"sv,  "preset_9"sv,  "preset_10"sv, "preset_11"sv,
                             "preset_12"sv, "preset_13"sv, "preset_14"sv, "preset_15"sv, "preset_16"sv, "preset_17"sv,
                             "preset_18"sv, "preset_19"sv, "preset_20"sv, "preset_21"sv, "preset_22"sv, "preset_23"sv,
                             "preset_24"sv, "preset_25"sv, "preset_26"sv, "preset_27"sv, "preset_28"sv, "preset_29"sv,
                             "preset_30"sv, "preset_31"sv, "preset_32"sv};

/// `last`: the highest preset.
constexpr std::span<const std::string_view> presets_to(std::size_t last) { return std::span(presets).first(last + 1); }

constexpr std::array calls{AlgorithmCall{"allgather", "ALLGATHER", presets_to(6)},
                           AlgorithmCall{"allreduce", "ALLREDUCE", presets_to(32)},
                           AlgorithmCall{"alltoall", "ALLTOALL", presets_to(18)},
                           AlgorithmCall{"barrier", "BARRIER", presets_to(11)},
                           AlgorithmCall{"broadcast", "BCAST", presets_to(22)},
                           AlgorithmCall{"gather", "GATHER", presets_to(5)},
                           AlgorithmCall{"reduce", "REDUCE", presets_to(19)},
                           AlgorithmCall{"reduce_scatter", "REDUCE_SCATTER", presets_to(6)},
                           AlgorithmCall{"scatter", "SCATTER", presets_to(5)}};

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
