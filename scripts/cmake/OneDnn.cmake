# Finds oneDNN, which computes training steps on CPUs. Optional. Sets BUSBAR_ONEDNN_MISSING (empty: found) to a
# description of what is missing; programs also show it to users. If found, OneDNN::CPU is the library with its
# threading runtime, BUSBAR_ONEDNN_GENERATION is 2 or 3 and BUSBAR_ONEDNN_THREADS omp, tbb or seq: both select files of
# workloads/compute/onednn.
# Hints: DNNL_ROOT (a folder with include/ and lib/; CMAKE_PREFIX_PATH works too), BUSBAR_ONEDNN=OFF to omit it.
# Without root: `python3 -m venv ENV && ENV/bin/pip install onednn-devel-cpu-gomp==2023.2.0`, then -DDNNL_ROOT=ENV
# (docs/training.md has the other wheels). oneDNN's package file is not used: Debian's requires OpenCL without need.
include(Version)
include(CheckCXXSourceCompiles)
option(BUSBAR_ONEDNN "Compute training steps on CPUs where oneDNN is found" ON)
set(BUSBAR_ONEDNN_OLDEST 2.6)
set(BUSBAR_ONEDNN_UNKNOWN 4)  # the first generation with an unknown interface

# Why headers of this version and runtime (the word after DNNL_RUNTIME_) cannot be used; empty: they can.
function(busbar_judge_onednn out version runtime)
  set(${out} "" PARENT_SCOPE)
  if(version STREQUAL "")
    set(${out} "its dnnl_version.h has no version" PARENT_SCOPE)
  elseif(version VERSION_LESS BUSBAR_ONEDNN_OLDEST OR version VERSION_GREATER_EQUAL BUSBAR_ONEDNN_UNKNOWN)
    set(${out} "its version is ${version}, and busbar supports ${BUSBAR_ONEDNN_OLDEST} to 3.x" PARENT_SCOPE)
  elseif(NOT runtime MATCHES "^(OMP|TBB|SEQ|SYCL)$")
    set(${out} "it was built for the CPU runtime ${runtime}, and busbar supports OMP, TBB, SEQ and SYCL" PARENT_SCOPE)
  endif()
endfunction()

# The library of the runtime, or empty if it has none. Sets ${missing} if the library was not found.
function(busbar_find_runtime out runtime missing)
  set(library "")
  if(runtime STREQUAL "OMP")
    find_package(OpenMP COMPONENTS CXX)
    set(library OpenMP::OpenMP_CXX)
  elseif(runtime MATCHES "^(TBB|SYCL)$")  # with SYCL, oneDNN's CPU code uses TBB
    find_package(TBB QUIET HINTS "${DNNL_ROOT}" "$ENV{DNNL_ROOT}")
    set(library TBB::tbb)
  endif()
  if(library AND NOT TARGET ${library})
    set(${missing} "oneDNN was built for the threads of ${library}, which was not found when busbar was built" PARENT_SCOPE)
  endif()
  set(${out} "${library}" PARENT_SCOPE)
endfunction()

# Sets BUSBAR_ONEDNN_MISSING, or defines OneDNN::CPU.
function(busbar_find_onednn)
  find_path(DNNL_INCLUDE oneapi/dnnl/dnnl.hpp HINTS "${DNNL_ROOT}" ENV DNNL_ROOT PATH_SUFFIXES include)
  cmake_path(GET DNNL_INCLUDE PARENT_PATH beside)
  find_library(DNNL_LIBRARY NAMES dnnl libdnnl.so.3 libdnnl.so.2 HINTS "${DNNL_ROOT}" ENV DNNL_ROOT "${beside}"
               PATH_SUFFIXES lib lib64)
  if(NOT DNNL_INCLUDE OR NOT DNNL_LIBRARY)
    set(BUSBAR_ONEDNN_MISSING "oneDNN was not found when it was built (Debian: libdnnl-dev; without root: the wheel onednn-devel-cpu-gomp; DNNL_ROOT names the folder with include/ and lib/)" PARENT_SCOPE)
    return()
  endif()
  busbar_read_version(version "${DNNL_INCLUDE}/oneapi/dnnl/dnnl_version.h" DNNL_VERSION)
  file(STRINGS "${DNNL_INCLUDE}/oneapi/dnnl/dnnl_config.h" line REGEX "define DNNL_CPU_RUNTIME DNNL_RUNTIME_" LIMIT_COUNT 1)
  string(REGEX REPLACE ".*DNNL_RUNTIME_([A-Z]+).*" "\\1" runtime "${line}")
  busbar_judge_onednn(unfit "${version}" "${runtime}")
  if(unfit)
    set(BUSBAR_ONEDNN_MISSING "oneDNN in ${DNNL_INCLUDE} cannot be used: ${unfit}" PARENT_SCOPE)
    return()
  endif()
  set(missing "")
  busbar_find_runtime(threads ${runtime} missing)
  if(missing)
    set(BUSBAR_ONEDNN_MISSING "${missing}" PARENT_SCOPE)
    return()
  endif()
  add_library(OneDNN::CPU UNKNOWN IMPORTED GLOBAL)
  set_target_properties(OneDNN::CPU PROPERTIES IMPORTED_LOCATION "${DNNL_LIBRARY}")
  target_include_directories(OneDNN::CPU SYSTEM INTERFACE "${DNNL_INCLUDE}")
  target_link_libraries(OneDNN::CPU INTERFACE ${threads})
  set(CMAKE_REQUIRED_LIBRARIES OneDNN::CPU)
  check_cxx_source_compiles("#include <oneapi/dnnl/dnnl.hpp>\nint main() { return dnnl::version()->major == 0; }" BUSBAR_ONEDNN_LINKS)
  if(NOT BUSBAR_ONEDNN_LINKS)
    unset(BUSBAR_ONEDNN_LINKS CACHE)  # the next CMake run checks again
    set(BUSBAR_ONEDNN_MISSING "oneDNN ${version} (${DNNL_LIBRARY}) cannot be linked: some library that it needs is missing" PARENT_SCOPE)
    return()
  endif()
  string(REGEX MATCH "^[0-9]+" generation "${version}")
  string(REPLACE "SYCL" "TBB" threads "${runtime}")
  string(TOLOWER "${threads}" threads)
  set(BUSBAR_ONEDNN_GENERATION ${generation} PARENT_SCOPE)
  set(BUSBAR_ONEDNN_THREADS ${threads} PARENT_SCOPE)
  message(STATUS "oneDNN ${version} (${DNNL_LIBRARY}), threads: ${runtime}")
endfunction()

# busbar_add_missing_onednn(busbar_onednn "why"): a substitute library that reports why oneDNN is missing.
function(busbar_add_missing_onednn target why)
  # A source file, not a compile definition: definitions are a list, which a semicolon in the text would split.
  set(text "${CMAKE_CURRENT_BINARY_DIR}/${target}_missing.cpp")
  file(CONFIGURE OUTPUT "${text}" @ONLY CONTENT
"// Generated by scripts/cmake/OneDnn.cmake.
#include \"workloads/compute/onednn.hpp\"
namespace busbar {
std::string_view missing_for_onednn() { return R\"(@why@)\"; }
}  // namespace busbar
")
  add_library(${target} STATIC "${PROJECT_SOURCE_DIR}/workloads/compute/onednn/missing.cpp" "${text}")
endfunction()

set(BUSBAR_ONEDNN_MISSING "")
if(NOT BUSBAR_ONEDNN)
  set(BUSBAR_ONEDNN_MISSING "oneDNN was left out when it was built (BUSBAR_ONEDNN=OFF)")
elseif(NOT CMAKE_SCRIPT_MODE_FILE)
  busbar_find_onednn()
endif()
if(BUSBAR_ONEDNN_MISSING)
  message(STATUS "Without oneDNN: ${BUSBAR_ONEDNN_MISSING}")
endif()
