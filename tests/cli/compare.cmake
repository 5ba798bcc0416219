# busbar compare, gate and baseline on made-up launches.
add_test(NAME cli.compare COMMAND ${CMAKE_COMMAND} -DBUSBAR=$<TARGET_FILE:busbar> -DTESTS=${CMAKE_CURRENT_SOURCE_DIR}/..
  -DPYTHON=$<TARGET_FILE:Python3::Interpreter> -DWORK=${CMAKE_CURRENT_BINARY_DIR}/compare_runs
  -DSTEPS=${CMAKE_CURRENT_SOURCE_DIR}/compare_runs.cmake -P ${CMAKE_CURRENT_SOURCE_DIR}/expect.cmake)
set_tests_properties(cli.compare PROPERTIES LABELS cli TIMEOUT 120)
