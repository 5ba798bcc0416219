find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  add_test(NAME cli.report
    COMMAND Python3::Interpreter "${CMAKE_CURRENT_LIST_DIR}/report_command" $<TARGET_FILE:busbar>
            "${CMAKE_SOURCE_DIR}/tests/golden/report/input")
  set_tests_properties(cli.report PROPERTIES LABELS cli TIMEOUT 120)
else()
  message(STATUS "Tests of the command line of busbar report are left out: there is no python3")
endif()
