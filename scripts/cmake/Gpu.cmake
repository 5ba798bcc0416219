# Finds the optional dependencies for NVIDIA GPUs: nvcc and the CUDA toolkit (12.2 or newer), NCCL (2.18), cuDNN (9.0),
# cuBLASLt.
# Sets BUSBAR_GPU_MISSING (empty: CUDA modules are built), BUSBAR_NCCL_MISSING and BUSBAR_CUDNN_MISSING to a description
# of what is missing; programs also show it to users. If all are found, it defines NCCL::NCCL and cuDNN::cuDNN besides
# CUDAToolkit's targets, and sets BUSBAR_NCCL_VERSION and BUSBAR_CUDNN_VERSION from their headers.
# Hints: CMAKE_CUDA_COMPILER or CUDACXX, NCCL_ROOT, CUDNN_ROOT (folders with include/ and lib/, such as Python's
# site-packages/nvidia/nccl), BUSBAR_GPU=OFF to build none of these parts.
option(BUSBAR_GPU "Build the parts for NVIDIA GPUs where CUDA is found" ON)
set(BUSBAR_GPU_MISSING "")
set(BUSBAR_NCCL_MISSING "")
set(BUSBAR_CUDNN_MISSING "")

include(Version)
set(BUSBAR_OLDEST_CUDA 12.2)
set(BUSBAR_OLDEST_NCCL 2.18)
set(BUSBAR_OLDEST_CUDNN 9.0)

# The version that `nvcc --version` prints, such as 12.2.140; empty if it prints none.
function(busbar_read_nvcc_version out nvcc)
  execute_process(COMMAND "${nvcc}" --version OUTPUT_VARIABLE text ERROR_QUIET)
  set(version "")
  if(text MATCHES "release [0-9.]+, V([0-9.]+)")
    set(version "${CMAKE_MATCH_1}")
  endif()
  set(${out} "${version}" PARENT_SCOPE)
endfunction()

# Defines an imported target for a header and a library; sets ${missing} to what was not found.
function(busbar_find_gpu_library target header library root missing)
  find_path(${library}_INCLUDE ${header} HINTS "${${root}}" ENV ${root} ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES include)
  find_library(${library}_LIBRARY NAMES ${library} ${ARGN} HINTS "${${root}}" ENV ${root} ${CUDAToolkit_LIBRARY_DIR} PATH_SUFFIXES lib lib64)
  if(NOT ${library}_INCLUDE OR NOT ${library}_LIBRARY)
    set(${missing} "${header} or lib${library}.so was not found (${root} names the folder with include/ and lib/)" PARENT_SCOPE)
    return()
  endif()
  add_library(${target} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION "${${library}_LIBRARY}")
  target_include_directories(${target} SYSTEM INTERFACE "${${library}_INCLUDE}")
endfunction()

if(NOT BUSBAR_GPU)
  set(BUSBAR_GPU_MISSING "it was built with BUSBAR_GPU=OFF")
else()
  find_program(BUSBAR_NVCC nvcc HINTS "${CMAKE_CUDA_COMPILER}" ENV CUDACXX ENV CUDA_PATH ENV CUDA_HOME
               PATHS /usr/local/cuda PATH_SUFFIXES bin)
  if(NOT BUSBAR_NVCC)
    set(BUSBAR_GPU_MISSING "nvcc was not found when it was built (CUDACXX names it)")
  else()
    busbar_read_nvcc_version(nvcc_version "${BUSBAR_NVCC}")
    busbar_judge_version(BUSBAR_GPU_MISSING "CUDA of ${BUSBAR_NVCC}" "${nvcc_version}" ${BUSBAR_OLDEST_CUDA})
  endif()
endif()

if(NOT BUSBAR_GPU_MISSING)
  set(CMAKE_CUDA_COMPILER "${BUSBAR_NVCC}")
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
  set(CMAKE_CUDA_HOST_COMPILER "${CMAKE_CXX_COMPILER}")
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    # Machine code for Turing, Ampere (which Ada runs too) and Hopper; PTX for later GPUs.
    set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 90)
  endif()
  enable_language(CUDA)
  # CMake 3.25's FindCUDAToolkit requires this library, but CUDA 13 lacks it.
  if(NOT TARGET CUDA::nvToolsExt)
    add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
  endif()
  find_package(CUDAToolkit REQUIRED)
  busbar_find_gpu_library(NCCL::NCCL nccl.h nccl NCCL_ROOT BUSBAR_NCCL_MISSING libnccl.so.2)
  busbar_find_gpu_library(cuDNN::cuDNN cudnn.h cudnn CUDNN_ROOT BUSBAR_CUDNN_MISSING libcudnn.so.9)
  if(TARGET NCCL::NCCL)
    busbar_read_version(BUSBAR_NCCL_VERSION "${nccl_INCLUDE}/nccl.h" NCCL)
    busbar_judge_version(BUSBAR_NCCL_MISSING "NCCL in ${nccl_INCLUDE}" "${BUSBAR_NCCL_VERSION}" ${BUSBAR_OLDEST_NCCL})
  endif()
  if(TARGET cuDNN::cuDNN)
    busbar_read_version(BUSBAR_CUDNN_VERSION "${cudnn_INCLUDE}/cudnn_version.h" CUDNN)
    busbar_judge_version(BUSBAR_CUDNN_MISSING "cuDNN in ${cudnn_INCLUDE}" "${BUSBAR_CUDNN_VERSION}" ${BUSBAR_OLDEST_CUDNN})
  endif()
  # Options for device code, instead of busbar_build.
  add_library(busbar_device_code INTERFACE)
  # -std by hand: CMake 3.25 does not know nvcc's C++20. CMake makes nvcc's warnings errors, not its host compiler's.
  set(host_warnings -Wall,-Wextra)
  if(CMAKE_COMPILE_WARNING_AS_ERROR)
    string(APPEND host_warnings ",-Werror")
  endif()
  target_compile_options(busbar_device_code INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;-Xcompiler=${host_warnings}>")
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.8)  # C++ files launch template kernels
    target_compile_options(busbar_device_code INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-static-global-template-stub=false>")
  endif()
  target_include_directories(busbar_device_code INTERFACE "${PROJECT_SOURCE_DIR}")
endif()
foreach(part GPU NCCL CUDNN)
  if(BUSBAR_${part}_MISSING)
    message(STATUS "Without ${part}: ${BUSBAR_${part}_MISSING}")
  endif()
endforeach()
