add_test(NAME cli.report
  COMMAND Python3::Interpreter "${CMAKE_CURRENT_LIST_DIR}/report_command" $<TARGET_FILE:busbar>
          "${CMAKE_SOURCE_DIR}/tests/golden/report/input")
set_tests_properties(cli.report PROPERTIES LABELS cli TIMEOUT 120)
