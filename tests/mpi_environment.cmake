# Variables under which tests launch ranks: Open MPI starts as root, starts more ranks than cores (4 by the first, 5 by the
# second) and lets idle ones yield, as do MPICH and Intel MPI; the launcher that CMake found is the mpirun of PATH.
set(BUSBAR_MPI_ENVIRONMENT
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
  OMPI_MCA_mpi_yield_when_idle=1 MPIR_CVAR_CH4_PROGRESS_THROTTLE=1 MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT=100
  I_MPI_WAIT_MODE=1)
cmake_path(GET MPIEXEC_EXECUTABLE PARENT_PATH mpi_folder)
find_program(mpirun_of_path mpirun NO_CACHE)
if(NOT mpirun_of_path MATCHES "^${mpi_folder}/")
  list(APPEND BUSBAR_MPI_ENVIRONMENT "PATH=${mpi_folder}:$ENV{PATH}")
endif()
# Which library it belongs to: tests of Open MPI's own options are made with it alone. BUSBAR_EXIT_ABORTED: what mpirun may
# give where busbar ends a job with 3; hydra kills ranks that have not ended yet, and joins the codes of all by or.
execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE mpiexec_version ERROR_QUIET)
if(mpiexec_version MATCHES "\\((Open MPI|OpenRTE)\\)")
  set(BUSBAR_OPEN_MPI TRUE)
  set(BUSBAR_MPI_ALGORITHM recursive_doubling)
  set(BUSBAR_EXIT_ABORTED 3)
elseif(mpiexec_version MATCHES "Intel")
  set(BUSBAR_OPEN_MPI FALSE)
  set(BUSBAR_MPI_ALGORITHM preset_1)
  set(BUSBAR_EXIT_ABORTED 3,255)
else()
  set(BUSBAR_OPEN_MPI FALSE)
  set(BUSBAR_MPI_ALGORITHM recursive_doubling)
  set(BUSBAR_EXIT_ABORTED 3,9,11)
endif()
