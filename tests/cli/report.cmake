add_test(NAME cli.report
  COMMAND Python3::Interpreter "${CMAKE_CURRENT_LIST_DIR}/report_command" $<TARGET_FILE:busbar>
          "${CMAKE_SOURCE_DIR}/tests/golden/report/input")
set_tests_properties(cli.report PROPERTIES LABELS cli TIMEOUT 120)

add_test(NAME cli.explain
  COMMAND ${CMAKE_COMMAND} -DBUSBAR=$<TARGET_FILE:busbar> -DTESTS=${CMAKE_CURRENT_LIST_DIR}/..
          -DWORK=${CMAKE_CURRENT_BINARY_DIR}/explain -DSTEPS=${CMAKE_CURRENT_LIST_DIR}/explain.cmake
          -P "${CMAKE_CURRENT_LIST_DIR}/expect.cmake")
set_tests_properties(cli.explain PROPERTIES LABELS cli TIMEOUT 60)

add_test(NAME cli.suite COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_LIST_DIR}/suite_test" $<TARGET_FILE:busbar>
         $<TARGET_FILE_DIR:busbar-bench>)
set_tests_properties(cli.suite PROPERTIES LABELS cli PROCESSORS 2 TIMEOUT 600 ENVIRONMENT "${mpi_environment}")
