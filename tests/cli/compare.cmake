# busbar compare, gate and baseline on made-up launches.
add_test(NAME cli.compare COMMAND ${CMAKE_COMMAND} -DBUSBAR=$<TARGET_FILE:busbar> -DTESTS=${CMAKE_CURRENT_SOURCE_DIR}/..
  -DPYTHON=$<TARGET_FILE:Python3::Interpreter> -DWORK=${CMAKE_CURRENT_BINARY_DIR}/compare_runs
  -DSTEPS=${CMAKE_CURRENT_SOURCE_DIR}/compare_runs.cmake -P ${CMAKE_CURRENT_SOURCE_DIR}/expect.cmake)
set_tests_properties(cli.compare PROPERTIES LABELS cli TIMEOUT 120)
# The ready workflow, its shell steps as they stand there.
add_test(NAME cli.workflow COMMAND Python3::Interpreter -B ${CMAKE_CURRENT_SOURCE_DIR}/workflow_test.py
  ${PROJECT_SOURCE_DIR}/scripts/ci/github-gate.yml $<TARGET_FILE_DIR:busbar> ${MPIEXEC_EXECUTABLE} ${CMAKE_CURRENT_BINARY_DIR}/workflow)
set_tests_properties(cli.workflow PROPERTIES LABELS cli TIMEOUT 120 SKIP_RETURN_CODE 77 ENVIRONMENT
  "${BUSBAR_MPI_ENVIRONMENT}")
