# busbar_module(nccl SOURCES a.cpp LIBRARIES busbar_nccl): busbar-nccl.so, which programs load on demand
# (core/files/module.hpp). It exports only marked symbols.
function(busbar_module name)
  cmake_parse_arguments(M "" "" "SOURCES;LIBRARIES" ${ARGN})
  set(target busbar_module_${name})
  add_library(${target} MODULE ${M_SOURCES} "${PROJECT_SOURCE_DIR}/core/files/module_revision.cpp")
  add_dependencies(${target} busbar_revision)
  target_link_libraries(${target} PRIVATE ${M_LIBRARIES})
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL)
  if(NOT BUSBAR_SANITIZE)  # only the program has the sanitizer's functions
    target_link_options(${target} PRIVATE -Wl,--no-undefined)
  endif()
  set_property(GLOBAL APPEND PROPERTY BUSBAR_MODULES ${target})
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME busbar-${name}
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/busbar" CXX_VISIBILITY_PRESET hidden)
endfunction()
