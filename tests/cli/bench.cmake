# Command-line tests of busbar-bench and busbar. One rank reports a wrong use in one line that names the flag and accepted
# values; exit code 2; nothing is measured.
set(expect Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tests/expect.py")
set(mpi_environment "${BUSBAR_MPI_ENVIRONMENT}")

# busbar_usage_test(NAME "what the one line says" ARGUMENTS...), on two ranks
function(busbar_usage_test name says)
  add_test(NAME cli.bench.${name} COMMAND ${expect} --exit 2 --times "1:^busbar-bench: " --match "^busbar-bench: ${says}" --
           ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 2 $<TARGET_FILE:busbar-bench> ${ARGN})
  set_tests_properties(cli.bench.${name} PROPERTIES LABELS cli TIMEOUT 60 ENVIRONMENT "${mpi_environment}")
endfunction()

busbar_usage_test(unknown_collective "COLLECTIVE: unknown 'allsum'; known: allreduce, .*barrier, all" allsum)
busbar_usage_test(unknown_backend "--backend: no 'nccl2': this build has mpi[^:]*, and no folder has busbar-nccl2.so: " --backend nccl2)
busbar_usage_test(no_such_root "--root: rank 2 does not exist; this job has ranks 0 to 1" -r 2)
busbar_usage_test(unwritable_out "--out: no folder /proc/no for /proc/no/such/run.jsonl; create it first" --out /proc/no/such/run.jsonl)
busbar_usage_test(out_exists "--out: /etc/hostname exists; name another file, or add --overwrite" --out /etc/hostname)

add_test(NAME cli.wrong_uses COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_LIST_DIR}/wrong_uses_test" "${PROJECT_SOURCE_DIR}"
         $<TARGET_FILE_DIR:busbar-bench>)
set_tests_properties(cli.wrong_uses PROPERTIES LABELS cli TIMEOUT 120 ENVIRONMENT "${mpi_environment}")

function(busbar_cli_test name)
  cmake_parse_arguments(T "" "" "EXPECT;COMMAND" ${ARGN})
  add_test(NAME cli.${name} COMMAND ${expect} ${T_EXPECT} -- ${T_COMMAND})
  set_tests_properties(cli.${name} PROPERTIES LABELS cli PROCESSORS 2 TIMEOUT 60 ENVIRONMENT "${mpi_environment}")
endfunction()

set(two_ranks ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 2)
set(here "${CMAKE_CURRENT_BINARY_DIR}")
busbar_cli_test(bench.help EXPECT --match "minbytes" --match "Examples:" --match "Exit codes" COMMAND $<TARGET_FILE:busbar-bench> --help-all)
busbar_cli_test(bench.help_once EXPECT --times "1:Examples:" COMMAND ${two_ranks} $<TARGET_FILE:busbar-bench> --help-all)
busbar_cli_test(bench.version EXPECT --match "^busbar-bench [0-9]+\\.[0-9]+\\.[0-9]+ \\(" COMMAND $<TARGET_FILE:busbar-bench> --version)
busbar_cli_test(bench.list EXPECT --match "allreduce" --match "bf16" --match "avg" COMMAND $<TARGET_FILE:busbar-bench> --list)
busbar_cli_test(bench.too_large_is_skipped EXPECT --exit 0 --match "16 TiB skipped: rank 0: needs .* GB are free" --match "8 B .*passed" --match "2 ok, 1 skipped"
  COMMAND ${two_ranks} $<TARGET_FILE:busbar-bench> --sizes 8,16T,16 -n 3 -d int64 --out ${here}/too_large.jsonl --overwrite)
busbar_cli_test(bench.too_many_elements EXPECT --match "skipped: rank 0: (needs|2147483648 elements)" --match "1 ok, 1 skipped"
  COMMAND ${two_ranks} $<TARGET_FILE:busbar-bench> --sizes 2G,8 -n 3 -d int8 --place in --out ${here}/too_many.jsonl --overwrite)
busbar_cli_test(bench.nothing_measured EXPECT --exit 1 --match "nothing could be measured"
  COMMAND ${two_ranks} $<TARGET_FILE:busbar-bench> allgather --sizes 4 -n 3 --out ${here}/nothing.jsonl --overwrite)
busbar_cli_test(bench.full_device EXPECT --exit 4 --times "1:^busbar-bench: cannot write /dev/full: No space left on device" --match "0 ok, 0 skipped, 0 failed. run ended: output"
  COMMAND ${two_ranks} $<TARGET_FILE:busbar-bench> --sizes 8 -n 10 --out /dev/full --overwrite)
# A limit on the size of files stands for a disk that fills up on the way.
# Messages over TCP: shared memory of the library would meet the limit first. Over lo, which Open MPI 5 can pair on any host.
busbar_cli_test(bench.file_limit EXPECT --exit 4 --times "1:^busbar-bench: cannot write .*File too large. the records before stay valid"
  COMMAND ${two_ranks} env OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=lo MPIR_CVAR_NOLOCAL=1 bash -c "ulimit -f 64 && exec \"$0\" \"$@\"" $<TARGET_FILE:busbar-bench>
          -b 4 -e 4000 -i 4 -n 1 --noise 0 --out ${here}/limit.jsonl --overwrite)
busbar_cli_test(show.what_a_full_disk_left EXPECT --match "passed" --match "no end record" --absent "cut off"
  COMMAND $<TARGET_FILE:busbar> show ${here}/limit.jsonl)
set_tests_properties(cli.bench.file_limit PROPERTIES FIXTURES_SETUP limited_record)
set_tests_properties(cli.show.what_a_full_disk_left PROPERTIES FIXTURES_REQUIRED limited_record)
busbar_cli_test(bench.sigterm_ends_in_order EXPECT --exit 130 --match "run ended: interrupted"
  COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/interrupt.sh" ${two_ranks} $<TARGET_FILE:busbar-bench> --width 0.01 --time-budget 60 --max-samples 100000000 --out ${here}/interrupted.jsonl --overwrite)

busbar_cli_test(busbar.help EXPECT --match "report" --match "import" --match "export" --match "show" COMMAND $<TARGET_FILE:busbar> --help)
busbar_cli_test(busbar.unknown_command EXPECT --exit 2 --times "1:^busbar: " COMMAND $<TARGET_FILE:busbar> shwo)
busbar_cli_test(show.no_file EXPECT --exit 2 --times "1:^busbar: /no/such/file: cannot be read: No such file" COMMAND $<TARGET_FILE:busbar> show /no/such/file)
busbar_cli_test(show.no_record EXPECT --exit 2 --match "^busbar: .*CMakeLists.txt:1: not a busbar record" COMMAND $<TARGET_FILE:busbar> show ${PROJECT_SOURCE_DIR}/CMakeLists.txt)
busbar_cli_test(show.newer_schema EXPECT --exit 2 --match "newer.jsonl:1: written with schema 7, newer than 1, .* use a newer busbar"
  COMMAND $<TARGET_FILE:busbar> show ${CMAKE_CURRENT_SOURCE_DIR}/newer.jsonl)
busbar_cli_test(show.cut_off EXPECT --match "line 2 is cut off" COMMAND $<TARGET_FILE:busbar> show ${CMAKE_CURRENT_SOURCE_DIR}/cut_off.jsonl)

# No program needs CUDA, and busbar needs no MPI, to start.
busbar_cli_test(links EXPECT --absent "cuda|nccl" COMMAND ldd $<TARGET_FILE:busbar-bench>)
busbar_cli_test(links_of_busbar EXPECT --absent "cuda|nccl|libmpi" COMMAND ldd $<TARGET_FILE:busbar>)

# Ranks that do not belong together are told so, once.
busbar_cli_test(bench.unlike_ranks EXPECT --exit 2 --times "1:^busbar-bench: rank 1 was started with other arguments or from another build than rank 0"
  COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 2 sh -c "exec $<TARGET_FILE:busbar-bench> -b \$((8 * (1 + \${OMPI_COMM_WORLD_RANK:-\$PMI_RANK})))")
busbar_cli_test(bench.several_one_rank_jobs EXPECT --exit 2 --match "the launcher started 4 processes but MPI sees one"
  COMMAND ${CMAKE_COMMAND} -E env PMI_SIZE=4 $<TARGET_FILE:busbar-bench> -b 8)

# Collectives need nothing that computes.
busbar_cli_test(bench.links_nothing_that_computes EXPECT --match "libmpi" --absent "dnnl|libgomp|libomp|libtbb" COMMAND ldd $<TARGET_FILE:busbar-bench>)

# Programs start where there is nothing of CUDA: what needs it is in modules.
add_test(NAME cli.nothing_of_cuda COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tests/expect.py" --match "libc[.]so"
         --absent "cuda|nccl|cudnn|cublas|nvidia" -- ldd $<TARGET_FILE:busbar-bench> $<TARGET_FILE:busbar-train> $<TARGET_FILE:busbar>)
set_tests_properties(cli.nothing_of_cuda PROPERTIES LABELS cli TIMEOUT 60)

add_test(NAME cli.repeat_launches COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_LIST_DIR}/repeat_test" $<TARGET_FILE_DIR:busbar-bench>)
set_tests_properties(cli.repeat_launches PROPERTIES LABELS cli PROCESSORS 2 TIMEOUT 300 ENVIRONMENT "${mpi_environment}")

if(NOT BUSBAR_ONEDNN_MISSING)  # it trains, too
  add_test(NAME cli.resume COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_LIST_DIR}/resume_test" $<TARGET_FILE_DIR:busbar-bench>)
  set_tests_properties(cli.resume PROPERTIES LABELS cli TIMEOUT 600 PROCESSORS 2 ENVIRONMENT "${mpi_environment}")
endif()

add_test(NAME cli.quota COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_LIST_DIR}/quota_test" $<TARGET_FILE_DIR:busbar-bench>
         "${PROJECT_SOURCE_DIR}/tests/golden/report/input/hostile.jsonl")
set_tests_properties(cli.quota PROPERTIES LABELS cli TIMEOUT 300 PROCESSORS 2 SKIP_RETURN_CODE 77 ENVIRONMENT "${mpi_environment}")

if(NOT BUSBAR_ONEDNN_MISSING)  # it trains, too
  add_test(NAME cli.outputs
    COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_LIST_DIR}/outputs_test" $<TARGET_FILE_DIR:busbar-bench> "${PROJECT_SOURCE_DIR}/tests")
  set_tests_properties(cli.outputs PROPERTIES LABELS cli TIMEOUT 600 PROCESSORS 2 SKIP_RETURN_CODE 77 ENVIRONMENT "${mpi_environment}")
endif()
