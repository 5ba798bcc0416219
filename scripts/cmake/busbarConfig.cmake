# find_package(busbar): what a plug-in of busbar-bench needs. busbar::backend has the header, and
#   busbar_add_backend(NAME SOURCES...)
# makes busbar-NAME.so, which `busbar-bench --backend NAME` opens from a folder of BUSBAR_BACKENDS.
get_filename_component(busbar_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET busbar::backend)
  add_library(busbar::backend INTERFACE IMPORTED)
  target_include_directories(busbar::backend INTERFACE "${busbar_PREFIX}/include")
endif()

function(busbar_add_backend name)
  add_library(busbar-${name} MODULE ${ARGN})
  target_link_libraries(busbar-${name} PRIVATE busbar::backend)
  set_target_properties(busbar-${name} PROPERTIES PREFIX "" SUFFIX ".so" C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden)
  install(TARGETS busbar-${name} LIBRARY DESTINATION lib/busbar/backends)
endfunction()
