# Looks for SimGrid, on which busbar-bench-sim and busbar-train-sim run. It is not required. Sets BUSBAR_SIMGRID_MISSING
# (empty: it is there) to what is missing, in words that a user of a build without it reads as well. Where it is there,
# SimGrid::SMPI is its library with SMPI's mpi.h.
# Hints: SIMGRID_ROOT (a folder with include/ and lib/), BUSBAR_SIMGRID=OFF to leave it out.
option(BUSBAR_SIMGRID "Build the simulators where SimGrid is found" ON)
set(BUSBAR_SIMGRID_MISSING "")
if(NOT BUSBAR_SIMGRID)
  set(BUSBAR_SIMGRID_MISSING "SimGrid was left out when it was built (BUSBAR_SIMGRID=OFF)")
else()
  find_path(SIMGRID_INCLUDE simgrid/s4u.hpp HINTS "${SIMGRID_ROOT}" ENV SIMGRID_ROOT PATH_SUFFIXES include)
  find_path(SMPI_INCLUDE mpi.h HINTS "${SIMGRID_INCLUDE}/smpi" NO_DEFAULT_PATH)
  find_library(SIMGRID_LIBRARY simgrid HINTS "${SIMGRID_ROOT}" ENV SIMGRID_ROOT PATH_SUFFIXES lib lib64)
  if(NOT SIMGRID_INCLUDE OR NOT SMPI_INCLUDE OR NOT SIMGRID_LIBRARY)
    set(BUSBAR_SIMGRID_MISSING "SimGrid was not found when it was built (Debian: libsimgrid-dev; SIMGRID_ROOT names the folder with include/ and lib/)")
  endif()
endif()
if(BUSBAR_SIMGRID_MISSING)
  message(STATUS "Without SimGrid: ${BUSBAR_SIMGRID_MISSING}")
else()
  add_library(SimGrid::SMPI UNKNOWN IMPORTED GLOBAL)
  set_target_properties(SimGrid::SMPI PROPERTIES IMPORTED_LOCATION "${SIMGRID_LIBRARY}")
  target_include_directories(SimGrid::SMPI SYSTEM INTERFACE "${SIMGRID_INCLUDE}" "${SMPI_INCLUDE}")
endif()

# busbar_simulator(busbar-bench-sim SOURCES ... LIBRARIES ...): a program under mpirun, its ranks simulated. SOURCES are
# those of its files that know MPI, compiled against SMPI's mpi.h; LIBRARIES know nothing of MPI and are the program's own.
function(busbar_simulator name)
  cmake_parse_arguments(S "" "" "SOURCES;LIBRARIES" ${ARGN})
  if(BUSBAR_SIMGRID_MISSING)
    add_executable(${name} "${PROJECT_SOURCE_DIR}/core/simulation/missing.cpp")
    target_compile_definitions(${name} PRIVATE "BUSBAR_SIMGRID_MISSING=\"${BUSBAR_SIMGRID_MISSING}\"")
    target_link_libraries(${name} PRIVATE busbar_build)
    return()
  endif()
  add_executable(${name} ${S_SOURCES} $<TARGET_OBJECTS:busbar_simulation>)
  target_link_libraries(${name} PRIVATE ${S_LIBRARIES} busbar_core SimGrid::SMPI)
endfunction()
