# No output contains names of people, or of machines with --anonymise. No text reaches a shell.
set(tests hostile_words)
if(NOT BUSBAR_ONEDNN_MISSING)  # it trains, too
  list(PREPEND tests privacy)
endif()
foreach(test ${tests})
  add_test(NAME cli.${test}
    COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_LIST_DIR}/${test}_test" "${PROJECT_SOURCE_DIR}" $<TARGET_FILE_DIR:busbar-bench>
            $<TARGET_FILE_DIR:fake_nvml>)
  set_tests_properties(cli.${test} PROPERTIES LABELS cli TIMEOUT 600 PROCESSORS 2 SKIP_RETURN_CODE 77
    ENVIRONMENT "${BUSBAR_MPI_ENVIRONMENT}")
endforeach()
