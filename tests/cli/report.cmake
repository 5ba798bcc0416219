# Command-line tests of busbar report, explain, compare, gate, baseline, suite, watch and site.
add_test(NAME cli.report
  COMMAND Python3::Interpreter "${CMAKE_CURRENT_LIST_DIR}/report_command" $<TARGET_FILE:busbar>
          "${CMAKE_SOURCE_DIR}/tests/golden/report/input")
set_tests_properties(cli.report PROPERTIES LABELS cli TIMEOUT 120)

add_test(NAME cli.figure
  COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_LIST_DIR}/figure_test" $<TARGET_FILE:busbar>
          "${CMAKE_SOURCE_DIR}/tests/golden/report/input")
set_tests_properties(cli.figure PROPERTIES LABELS cli TIMEOUT 60 SKIP_RETURN_CODE 77)

busbar_steps_test(explain)
busbar_steps_test(compare -DPYTHON=$<TARGET_FILE:Python3::Interpreter>)  # on made-up launches
set_tests_properties(cli.compare PROPERTIES TIMEOUT 120)

add_test(NAME cli.suite COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_LIST_DIR}/suite_test" $<TARGET_FILE:busbar>
         $<TARGET_FILE_DIR:busbar-bench>)
set_tests_properties(cli.suite PROPERTIES LABELS cli PROCESSORS 2 TIMEOUT 600 ENVIRONMENT "${mpi_environment}")

add_test(NAME cli.watch COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_LIST_DIR}/watch_test" $<TARGET_FILE_DIR:busbar-bench>
         ${CMAKE_CURRENT_BINARY_DIR}/watch)
set_tests_properties(cli.watch PROPERTIES LABELS cli PROCESSORS 2 TIMEOUT 300 SKIP_RETURN_CODE 77 ENVIRONMENT "${mpi_environment}")
add_test(NAME cli.site COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_LIST_DIR}/site_test" $<TARGET_FILE:busbar> ${CMAKE_CURRENT_BINARY_DIR}/site)
set_tests_properties(cli.site PROPERTIES LABELS cli TIMEOUT 120)

# The ready workflow, its shell steps as they stand there.
add_test(NAME cli.workflow COMMAND Python3::Interpreter -B ${CMAKE_CURRENT_SOURCE_DIR}/workflow_test.py
  ${PROJECT_SOURCE_DIR}/scripts/ci/github-gate.yml $<TARGET_FILE_DIR:busbar> ${MPIEXEC_EXECUTABLE} ${CMAKE_CURRENT_BINARY_DIR}/workflow)
set_tests_properties(cli.workflow PROPERTIES LABELS cli TIMEOUT 120 SKIP_RETURN_CODE 77 ENVIRONMENT
  "${BUSBAR_MPI_ENVIRONMENT}")
