# BUSBAR_PORTABLE=ON: programs for other distributions, where only an MPI must be installed. {fmt} and the compiler's
# runtime are linked statically; oneDNN and its threading runtime are copied to lib/busbar. The prefix's lib/ is also
# searched for MPI, so programs can be unpacked into an MPI's folder (a venv with the wheel mpich).
# GPU, SimGrid and Cairo parts are left out: a module's exceptions would meet another copy of the C++ runtime.
# Hint: CMAKE_PREFIX_PATH names the folder of a static {fmt} (lib/libfmt.a); otherwise {fmt} is compiled into every file
# that needs it.
option(BUSBAR_PORTABLE "Build programs that need nothing but the C library and an MPI" OFF)
set(busbar_bundled "")
if(BUSBAR_PORTABLE)
  set(BUSBAR_GPU OFF CACHE BOOL "Left out of portable programs" FORCE)
  set(BUSBAR_SIMGRID OFF CACHE BOOL "Left out of portable programs" FORCE)
  set(BUSBAR_CAIRO OFF CACHE BOOL "Left out of portable programs" FORCE)
  set(busbar_bundled "^lib(dnnl|gomp|tbb|OpenCL)[.]so")
  add_link_options(-static-libstdc++ -static-libgcc)
endif()

# Sets `out` to the {fmt} target that programs link.
function(busbar_choose_fmt out)
  set(${out} fmt::fmt PARENT_SCOPE)
  get_target_property(type fmt::fmt TYPE)
  if(NOT BUSBAR_PORTABLE OR NOT type STREQUAL "SHARED_LIBRARY")
    return()
  endif()
  find_library(BUSBAR_FMT_ARCHIVE libfmt.a)
  if(NOT BUSBAR_FMT_ARCHIVE)
    set(${out} fmt::fmt-header-only PARENT_SCOPE)
    return()
  endif()
  add_library(busbar_static_fmt INTERFACE)
  target_include_directories(busbar_static_fmt SYSTEM INTERFACE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(busbar_static_fmt INTERFACE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
  target_link_libraries(busbar_static_fmt INTERFACE "${BUSBAR_FMT_ARCHIVE}")
  set(${out} busbar_static_fmt PARENT_SCOPE)
endfunction()
