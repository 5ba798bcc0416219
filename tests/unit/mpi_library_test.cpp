// SPDX-License-Identifier: Apache-2.0
// The texts of libraries and launchers are copies of what they printed.
#include "core/mpi_library/mpi_library.hpp"

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/environment/environment.hpp"
#include "core/ranks/launcher.hpp"

namespace {

using namespace busbar;

TEST(MpiLibrary, ReadsNameAndVersion) {
  EXPECT_EQ(mpi_library_name("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022"),
            "Open MPI 4.1.4");
  EXPECT_EQ(mpi_library_name("Open MPI v5.0.11, package: Open MPI user@localhost Distribution, ident: 5.0.11"),
            "Open MPI 5.0.11");
  EXPECT_EQ(mpi_library_name("MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 12:34:45 CDT 2022\n"),
            "MPICH 4.0.2");
  EXPECT_EQ(mpi_library_name("MPICH Version:      5.0.2\nMPICH ABI:          18:2:6\n"), "MPICH 5.0.2");
  EXPECT_EQ(mpi_library_name("MPICH Version:      5.0.0b1\n"), "MPICH 5.0.0b1");
  EXPECT_EQ(mpi_library_name("Intel(R) MPI Library 2021.18.1 for Linux* OS\n"), "Intel MPI 2021.18.1");
}

TEST(MpiLibrary, KeepsOneLineOfUnknownLibraries) {
  EXPECT_EQ(mpi_library_name("MPI VERSION    : CRAY MPICH version 8.1.27\nMPI BUILD INFO : Mon\n"),
            "MPI VERSION    : CRAY MPICH version 8.1.27");
  EXPECT_EQ(mpi_library_name("MPICH Version:\tunknown\n"), "MPICH Version: unknown");
  EXPECT_EQ(mpi_library_name(""), "");
}

std::string launcher_of(std::string_view said) {
  const auto known = parse_mpi_version(said);
  return known ? std::string(known->library->name) + " " + known->version : "none";
}

TEST(MpiLibrary, RecognisesALauncherByItsVersion) {
  EXPECT_EQ(launcher_of("mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org/community/help/\n"),
            "Open MPI 4.1.4");
  EXPECT_EQ(launcher_of("mpirun (Open MPI) 5.0.11\n"), "Open MPI 5.0.11");
  EXPECT_EQ(launcher_of("mpiexec (OpenRTE) 4.1.4\n\nReport bugs to http://www.open-mpi.org/community/help/\n"),
            "Open MPI 4.1.4");
  EXPECT_EQ(launcher_of("HYDRA build details:\n    Version:                                 4.0.2\n"), "MPICH 4.0.2");
  EXPECT_EQ(launcher_of("HYDRA build details:\n    Version:                                 5.0.2\n    CC: cc\n"),
            "MPICH 5.0.2");
  EXPECT_EQ(launcher_of("Intel(R) MPI Library for Linux* OS, Version 2021.18.1 Build 20260626 (id: b44796a)\n"),
            "Intel MPI 2021.18.1");
  EXPECT_EQ(launcher_of("slurm 22.05.8\n"), "none");
}

TEST(MpiLibrary, IsFoundByTheNameInARecord) {
  EXPECT_EQ(find_mpi_library("MPICH 4.0.2").name, "MPICH");
  EXPECT_EQ(find_mpi_library("Intel MPI 2021.18").name, "Intel MPI");
  EXPECT_EQ(find_mpi_library("Open MPI 5.0.11").name, "Open MPI");
  EXPECT_EQ(find_mpi_library("SMPI").name, "Open MPI");
}

TEST(MpiLibrary, PlacesRanksOnHosts) {
  using Words = std::vector<std::string>;
  const Words hosts{"a", "b"};
  EXPECT_EQ(place_on_hosts(find_mpi_library("Open MPI"), hosts, 4), (Words{"-np", "8", "--host", "a:4,b:4"}));
  for (const auto* name : {"MPICH", "Intel MPI"})
    EXPECT_EQ(place_on_hosts(find_mpi_library(name), hosts, 4), (Words{"-np", "8", "-hosts", "a,b", "-ppn", "4"}));
}

TEST(MpiLibrary, RecognisesProcessesByTheirShortNames) {
  for (const auto* name : {"mpirun", "mpiexec", "prterun", "mpiexec.hydra", "mpirun.mpich", "mpiexec.openmpi"})
    EXPECT_TRUE(is_launcher(name)) << name;
  for (const auto* name : {"orted", "prted", "hydra_pmi_proxy", "hydra_bstrap_pr"})
    EXPECT_TRUE(is_launcher_daemon(name)) << name;
  for (const auto* name : {"", "bash", "mpi", "srun", "hydra_bstrap_proxy_2"}) {
    EXPECT_FALSE(is_launcher(name)) << name;
    EXPECT_FALSE(is_launcher_daemon(name)) << name;
  }
}

/// A process that no launcher has started.
class Launched : public ::testing::Test {
 protected:
  Launched() { clear(); }
  ~Launched() override { clear(); }
  static void clear() {
    for (const auto* name :
         {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE",
          "PMIX_RANK", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_RANK",
          "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE", "SLURM_NODEID"})
      ::unsetenv(name);
  }
};

struct Launch {
  std::vector<std::pair<const char*, const char*>> variables;
  int rank;
  std::optional<int> size, local_rank, local_size;
};

class LaunchedBy : public Launched, public ::testing::WithParamInterface<Launch> {};

TEST_P(LaunchedBy, SetsRankAndSizesByVariables) {
  for (const auto& [name, value] : GetParam().variables) ::setenv(name, value, 1);
  EXPECT_EQ(launch_rank(), GetParam().rank);
  EXPECT_EQ(launch_size(), GetParam().size);
  EXPECT_EQ(local_launch_rank(), GetParam().local_rank);
  EXPECT_EQ(local_launch_size(), GetParam().local_size);
}

INSTANTIATE_TEST_SUITE_P(Nobody, LaunchedBy, ::testing::Values(Launch{.rank = 0}));
INSTANTIATE_TEST_SUITE_P(OpenMpi, LaunchedBy,
                         ::testing::Values(Launch{.variables = {{"OMPI_COMM_WORLD_RANK", "5"},
                                                                {"OMPI_COMM_WORLD_SIZE", "8"},
                                                                {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                                                                {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}},
                                                  .rank = 5,
                                                  .size = 8,
                                                  .local_rank = 1,
                                                  .local_size = 4}));
INSTANTIATE_TEST_SUITE_P(
    Hydra, LaunchedBy,
    ::testing::Values(Launch{
        .variables = {{"PMI_RANK", "5"}, {"PMI_SIZE", "8"}, {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "4"}},
        .rank = 5,
        .size = 8,
        .local_rank = 1,
        .local_size = 4}));
INSTANTIATE_TEST_SUITE_P(Slurm, LaunchedBy,
                         ::testing::Values(Launch{.variables = {{"SLURM_PROCID", "5"},
                                                                {"SLURM_STEP_NUM_TASKS", "8"},
                                                                {"SLURM_LOCALID", "1"}},
                                                  .rank = 5,
                                                  .size = 8,
                                                  .local_rank = 1}));

TEST(MpiLibrary, RecordsSettingsOnly) {
  for (const auto* name : {"OMPI_MCA_btl", "MPICH_ASYNC_PROGRESS", "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM",
                           "I_MPI_ADJUST_ALLREDUCE", "I_MPI_FABRICS", "I_MPI_PIN_DOMAIN"})
    EXPECT_TRUE(environment_allowed(name)) << name;
  for (const auto* name :
       {"OMPI_MCA_PREFIXES", "OMPI_MCA_num_procs", "PMI_FD", "PMI_HOSTNAME", "HYDI_CONTROL_FD", "MPI_LOCALRANKID",
        "MPICH_INTERFACE_HOSTNAME", "I_MPI_ROOT", "I_MPI_INFO_BRAND", "I_MPI_HYDRA_UUID", "I_MPI_HYDRA_HOST_FILE",
        "I_MPI_PIN_INFO", "I_MPI_PIN_MAPPING", "I_MPI_MPIRUN", "HYDRA_BSTRAP_LOCALHOST"})
    EXPECT_FALSE(environment_allowed(name)) << name;
}

}  // namespace
