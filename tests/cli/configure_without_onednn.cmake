# cmake -DROOT=... -DWORK=... -DMAKE=... -P configure_without_onednn.cmake: a build without oneDNN has nothing of
# oneDNN or OpenMP.
file(REMOVE_RECURSE "${WORK}")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${ROOT}" -B "${WORK}" -G Ninja -DCMAKE_MAKE_PROGRAM=${MAKE} -DCMAKE_BUILD_TYPE=Release
    -DBUSBAR_ONEDNN=OFF -DBUSBAR_GPU=OFF -DBUSBAR_SIMGRID=OFF -DBUILD_TESTING=OFF
  RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
if(NOT code EQUAL 0 OR NOT out MATCHES "Without oneDNN: oneDNN was left out when it was built .BUSBAR_ONEDNN=OFF.")
  message(FATAL_ERROR "exit code ${code}:\n${out}")
endif()
file(STRINGS "${WORK}/build.ninja" lines REGEX "libdnnl|fopenmp|libgomp|libomp|compute/onednn/engine")
if(lines)
  message(FATAL_ERROR "oneDNN or OpenMP in a build without them: ${lines}")
endif()
file(STRINGS "${WORK}/build.ninja" missing REGEX "compute/onednn/missing[.]cpp")
if(NOT missing)
  message(FATAL_ERROR "workloads/compute/onednn/missing.cpp is not compiled")
endif()
