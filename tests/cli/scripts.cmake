# Tests that the compare-* scripts still run: one or two short launches, without limits on the measured values.
foreach(test launches compare_pytorch lab_pieces)
  add_test(NAME cli.scripts.${test} COMMAND ${CMAKE_COMMAND} -E env "PYTHONPATH=${PROJECT_SOURCE_DIR}/scripts"
    $<TARGET_FILE:Python3::Interpreter> -B "${CMAKE_CURRENT_LIST_DIR}/${test}_test.py")
  set_tests_properties(cli.scripts.${test} PROPERTIES LABELS cli TIMEOUT 30)
endforeach()

# busbar_script_test(NAME SCRIPT EXPECT ... ARGUMENTS ...)
function(busbar_script_test name script)
  cmake_parse_arguments(T "" "" "EXPECT;ARGUMENTS" ${ARGN})
  busbar_cli_test(scripts.${name} EXPECT ${T_EXPECT}
    COMMAND $<TARGET_FILE:Python3::Interpreter> "${PROJECT_SOURCE_DIR}/scripts/${script}" --bin $<TARGET_FILE_DIR:busbar-bench>
            --mpirun ${MPIEXEC_EXECUTABLE} ${T_ARGUMENTS})
endfunction()

busbar_script_test(bare_loop compare-bare-loop
  EXPECT --match "^ +8 .* [0-9]\\.[0-9]{3}$" --match "^    1K " --absent "Traceback"
  ARGUMENTS --launches 1 --seconds 1 --sizes 8,1K --no-bars --json ${here}/bare_loop.json)
busbar_script_test(loops_in_one_process compare-bare-loop
  EXPECT --match "^1 launches of 1 s; 2 ranks; both loops in one process$" --match "^ +8 .* [0-9]\\.[0-9]{3}$" --match "^    1K " --absent "Traceback"
  ARGUMENTS --one-process --launches 1 --seconds 1 --sizes 8,1K --no-bars)
foreach(test bare_loop loops_in_one_process)
  set_tests_properties(cli.scripts.${test} PROPERTIES PROCESSORS 2)  # beside others too few visits end in the time
endforeach()
busbar_script_test(coverage check-coverage
  EXPECT --match "^    16 +[0-9.]+ +[0-9.]+% " --match "^   all .* +(-|[0-9.]+%)" --absent "Traceback"
  ARGUMENTS --launches 3 --later 2 --max 16 --no-bars --busbar "-n 40 --noise 0" --json ${here}/coverage.json)
busbar_script_test(peers compare-peers
  EXPECT --match "^osu is left out: there is no osu_allreduce in " --match "^ +1 s  busbar +[0-9.]+%" --match "^ +1 s  the bare loop at 8 B before each: [0-9.]+ to [0-9.]+ us, median [0-9.]+$" --absent "Traceback"
  ARGUMENTS --launches 2 --seconds 1 --max 16 --no-bars --json ${here}/peers.json ${here})
busbar_script_test(variance variance-levels
  EXPECT --match "^to 4 KiB +nothing +[0-9.]+ %" --absent "Traceback"
  ARGUMENTS --launches 2 --modes nothing --sizes 8 --epochs 2 --rounds 2 --json ${here}/variance.json)
busbar_script_test(budgets check-budgets
  EXPECT --match "^ +quick +[0-9.]+s +[0-9.]+s +4s" --absent "Traceback"
  ARGUMENTS --launches 1 --budgets quick --busy 0 --no-bars --json ${here}/budgets.json)
busbar_script_test(gate compare-gate
  EXPECT --match "^same +1 " --match "^delayed5 +1 " --match "^ +64K +[01] of 1 pairs fail" --match "^same +2 " --absent "Traceback"
  ARGUMENTS --pairs 1 --launches 2 --sizes 64K --delays 0.05 --no-bars --busbar "-n 20 --noise 0" --dir ${here}/gate
            --delay-library $<TARGET_FILE:delay> --json ${here}/gate.json)
busbar_script_test(load check-load
  EXPECT --match "^2 records of 3 cases" --match "^compare +[0-9.]+ +[0-9.]+ +[0-9.]+" --match "^report " --absent "Traceback"
  ARGUMENTS --runs 2 --cases 3 --no-bars --json ${here}/load.json)
busbar_script_test(page check-page
  EXPECT --match "^2 runs of 3 cases, page [0-9.]+ MB" --match "^write [0-9.]+ s, open [0-9.]+ s, hover" --absent "Traceback"
  ARGUMENTS --runs 2 --cases 3 --launches 1 --no-bars --json ${here}/page.json)
set_tests_properties(cli.scripts.page PROPERTIES TIMEOUT 180 SKIP_REGULAR_EXPRESSION "check-page: skipped: ")
add_test(NAME cli.scripts.examples
  COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_LIST_DIR}/examples_test" $<TARGET_FILE:busbar> "${PROJECT_SOURCE_DIR}")
set_tests_properties(cli.scripts.examples PROPERTIES LABELS cli TIMEOUT 120)
if(NOT BUSBAR_SANITIZE)  # which is another tool of the same kind
  add_test(NAME cli.valgrind COMMAND "${PROJECT_SOURCE_DIR}/tests/sanitizers/valgrind_test" $<TARGET_FILE_DIR:busbar-bench> "${PROJECT_SOURCE_DIR}")
  set_tests_properties(cli.valgrind PROPERTIES LABELS cli PROCESSORS 2 TIMEOUT 1800 SKIP_RETURN_CODE 77)
endif()
add_test(NAME cli.scripts.compare_prediction
  COMMAND "${CMAKE_CURRENT_LIST_DIR}/compare_prediction_test" "${PROJECT_SOURCE_DIR}" $<TARGET_FILE_DIR:busbar>)
set_tests_properties(cli.scripts.compare_prediction PROPERTIES LABELS cli TIMEOUT 120)
add_test(NAME cli.scripts.lab COMMAND "${CMAKE_CURRENT_LIST_DIR}/lab_test" "${PROJECT_SOURCE_DIR}")
set_tests_properties(cli.scripts.lab PROPERTIES LABELS cli TIMEOUT 120 SKIP_RETURN_CODE 77)
add_test(NAME cli.lab_groups COMMAND "${CMAKE_CURRENT_LIST_DIR}/lab_groups_test" "${PROJECT_SOURCE_DIR}" $<TARGET_FILE_DIR:busbar-bench>)
if(BUSBAR_OPEN_MPI)
  add_test(NAME cli.lab_algorithms COMMAND "${CMAKE_CURRENT_LIST_DIR}/lab_algorithms_test" "${PROJECT_SOURCE_DIR}" $<TARGET_FILE_DIR:busbar-bench>)
  set_tests_properties(cli.lab_algorithms PROPERTIES LABELS cli TIMEOUT 120 PROCESSORS 2 SKIP_RETURN_CODE 77)
endif()
if(BUSBAR_OPEN_MPI)
  add_test(NAME cli.scripts.vm_study COMMAND ${CMAKE_COMMAND} -E env "PYTHONPATH=${PROJECT_SOURCE_DIR}/scripts" BUSBAR_BIN=$<TARGET_FILE_DIR:busbar-bench>
    $<TARGET_FILE:Python3::Interpreter> -B "${CMAKE_CURRENT_LIST_DIR}/vm_study_test.py")
  set_tests_properties(cli.scripts.vm_study PROPERTIES LABELS cli TIMEOUT 120 PROCESSORS 2
    ENVIRONMENT "${BUSBAR_MPI_ENVIRONMENT}")
  add_test(NAME nightly.lab_machines COMMAND "${CMAKE_CURRENT_LIST_DIR}/lab_machines_test" "${PROJECT_SOURCE_DIR}" $<TARGET_FILE_DIR:busbar-bench>)
  set_tests_properties(nightly.lab_machines PROPERTIES LABELS nightly TIMEOUT 900 RUN_SERIAL ON SKIP_RETURN_CODE 77)
endif()
set_tests_properties(cli.lab_groups PROPERTIES LABELS cli TIMEOUT 300 PROCESSORS 2 SKIP_RETURN_CODE 77)
busbar_script_test(bad_size compare-bare-loop EXPECT --exit 2 --match "argument --sizes: '12Q' is not a size: bytes from 4"
  ARGUMENTS --sizes 8,12Q)
busbar_script_test(unwritable_json compare-bare-loop EXPECT --exit 1 --times "1:^compare-bare-loop: --json: cannot write /no/where: "
  ARGUMENTS --json /no/where)
busbar_script_test(no_programs check-budgets EXPECT --exit 1 --times "1:^check-budgets: no /nowhere/busbar-bench. build it: "
  ARGUMENTS --bin /nowhere)
busbar_cli_test(scripts.repeat_launch EXPECT --match "command 2: .*streaming" --times "2:bytes:8$" --match "over 2 launches each" --remove ${here}/launches/1-1.jsonl --remove ${here}/launches/1-2.jsonl
         --remove ${here}/launches/2-1.jsonl --remove ${here}/launches/2-2.jsonl
  COMMAND $<TARGET_FILE:Python3::Interpreter> "${PROJECT_SOURCE_DIR}/scripts/repeat-launch" 2 --dir ${here}/launches
          -- ${two_ranks} $<TARGET_FILE:busbar-bench> --sizes 8 -n 20 --noise 0
          -- ${two_ranks} $<TARGET_FILE:busbar-bench> --sizes 8 -n 20 --noise 0 --cadence streaming)
busbar_cli_test(scripts.repeat_launch_nothing EXPECT --exit 2 --match "no command: give it after --"
  COMMAND $<TARGET_FILE:Python3::Interpreter> "${PROJECT_SOURCE_DIR}/scripts/repeat-launch" 2)

# Which libraries there are; it builds nothing here.
add_test(NAME cli.scripts.mpi_matrix COMMAND ${expect} --exit 2 --match "NAME: 'lam' is none of openmpi4, openmpi5, mpich4, mpich5, intelmpi, "
  -- "${PROJECT_SOURCE_DIR}/scripts/mpi-matrix" lam)
set_tests_properties(cli.scripts.mpi_matrix PROPERTIES LABELS cli TIMEOUT 30)
