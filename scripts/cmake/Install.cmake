# Rules for `cmake --install`: bin/, lib/busbar/ (modules), share/busbar/ (data) and share/doc/busbar/. Programs find
# these folders relative to their own (core/files/own_place.hpp), so a prefix can be moved. The build folder has the
# same layout: links in share/busbar point to the sources.
set(data_folders workloads/models workloads/profiles scripts/suites scripts/acceptance reports/expected/known)
foreach(folder IN LISTS data_folders)
  cmake_path(GET folder FILENAME name)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/share/busbar")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}" "${PROJECT_BINARY_DIR}/share/busbar/${name}" SYMBOLIC)
  install(DIRECTORY "${folder}" DESTINATION share/busbar FILES_MATCHING PATTERN "*.json" PATTERN "*.profile")
endforeach()
if(BUSBAR_FUZZ)
  return()  # builds only parsers, no programs
endif()

set(programs busbar busbar-bench busbar-bench-sim busbar-preflight busbar-train busbar-train-sim)
get_property(modules GLOBAL PROPERTY BUSBAR_MODULES)

# No RPATH to this machine's folders by default; CMAKE_INSTALL_RPATH_USE_LINK_PATH=ON adds MPI's. The compiler wrapper
# of a wheel's MPI passes an RPATH to the linker: remove it.
get_target_property(link_options MPI::MPI_CXX INTERFACE_LINK_OPTIONS)
if(link_options)
  string(REPLACE "$<COMMA>" "," link_options "${link_options}")  # as FindMPI writes it
  string(REGEX REPLACE "-Wl,-rpath[ ,](-Wl,)?[^ ,;>]+" "" link_options "${link_options}")
  string(REPLACE "," "$<COMMA>" link_options "${link_options}")
  set_property(TARGET MPI::MPI_CXX PROPERTY INTERFACE_LINK_OPTIONS "${link_options}")
endif()
set(own_libraries "$ORIGIN/../lib/busbar")
if(BUSBAR_PORTABLE)
  list(APPEND own_libraries "$ORIGIN/../lib")
endif()
set_target_properties(${programs} PROPERTIES INSTALL_RPATH "${own_libraries};${CMAKE_INSTALL_RPATH}")
install(TARGETS ${programs} RUNTIME_DEPENDENCY_SET libraries RUNTIME DESTINATION bin)
if(busbar_bundled)
  install(RUNTIME_DEPENDENCY_SET libraries PRE_INCLUDE_REGEXES "${busbar_bundled}" PRE_EXCLUDE_REGEXES ".*"
          LIBRARY DESTINATION lib/busbar)
endif()
if(modules)
  set_target_properties(${modules} PROPERTIES INSTALL_RPATH "$ORIGIN;${CMAKE_INSTALL_RPATH}")
  install(TARGETS ${modules} LIBRARY DESTINATION lib/busbar)
endif()

# For plug-ins: the header, and find_package(busbar).
include(CMakePackageConfigHelpers)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/busbarConfigVersion.cmake" COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
install(FILES include/busbar/backend.h DESTINATION include/busbar)
install(FILES scripts/cmake/busbarConfig.cmake "${PROJECT_BINARY_DIR}/busbarConfigVersion.cmake" DESTINATION lib/cmake/busbar)

install(FILES docs/record.schema.json docs/suite.schema.json DESTINATION share/busbar/schemas)
install(PROGRAMS scripts/launch/hostfile.sh scripts/launch/openpbs.pbs scripts/launch/slurm.sbatch
        DESTINATION share/busbar/launchers)
install(FILES scripts/launch/mpijob.yaml DESTINATION share/busbar/launchers)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION share/doc/busbar)
install(DIRECTORY docs/ DESTINATION share/doc/busbar FILES_MATCHING PATTERN "*.md" PATTERN images EXCLUDE)
