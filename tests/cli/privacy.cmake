# What must be in no output: people always, names of machines with --anonymise. And what must reach no shell.
foreach(test privacy hostile_words)
  add_test(NAME cli.${test}
    COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_LIST_DIR}/${test}_test" "${PROJECT_SOURCE_DIR}" $<TARGET_FILE_DIR:busbar-bench>
            $<TARGET_FILE_DIR:fake_nvml>)
  set_tests_properties(cli.${test} PROPERTIES LABELS cli TIMEOUT 600 PROCESSORS 2 SKIP_RETURN_CODE 77
    ENVIRONMENT "${BUSBAR_MPI_ENVIRONMENT}")
endforeach()
