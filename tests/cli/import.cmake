# Command-line tests of busbar import, export and expect.
busbar_steps_test(import_logs)
busbar_steps_test(import_more -DPYTHON=${Python3_EXECUTABLE})
busbar_steps_test(import_other_tools)
busbar_steps_test(import_golden)
busbar_steps_test(export_records)
busbar_steps_test(expect_runs)
busbar_steps_test(fit_runs)
busbar_steps_test(platform)

# All logs of the public set, where it lies beside the checkout (or BUSBAR_NCCL_TESTS_LOGS says); else skipped.
add_test(NAME cli.import_public_logs COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/import_public_logs.sh $<TARGET_FILE:busbar>
  ${PROJECT_SOURCE_DIR}/../shared/data/nccl-tests-logs ${CMAKE_CURRENT_BINARY_DIR}/import_public_logs)
# Google Benchmark's own compare.py on two exports.
add_test(NAME cli.compare_py COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/compare_py.sh $<TARGET_FILE:busbar>
  ${CMAKE_CURRENT_BINARY_DIR}/compare_py)
set_tests_properties(cli.import_public_logs cli.compare_py PROPERTIES LABELS cli TIMEOUT 120 SKIP_RETURN_CODE 77)
