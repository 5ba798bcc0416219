# Tests of busbar-train under mpirun, small: correctness, not speed.
add_executable(reducers reducers.cpp)
target_link_libraries(reducers PRIVATE busbar_reducers)
foreach(np 1 2 3 4)
  add_test(NAME mpi.reducers.np${np} COMMAND ${expect} --exit 0 --times "1:^right$" --
           ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${np} $<TARGET_FILE:reducers>)
  set_tests_properties(mpi.reducers.np${np} PROPERTIES LABELS mpi PROCESSORS ${np} TIMEOUT 120 ENVIRONMENT "${mpi_environment}")
endforeach()

set(bf16_exit 2)
set(bf16_says "--precision bf16: this CPU has neither AVX512-BF16 nor AMX. use fp32")
if(EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo bf16_flags REGEX "^flags.* (avx512_bf16|amx_bf16)( |$)" LIMIT_COUNT 1)
  if(bf16_flags)
    set(bf16_exit 0)
    set(bf16_says "/onednn/cpu/batch:4/bf16/" "peaks by type: fp32 .*, bf16 [0-9.]+ GFLOP/s" "1 ok, 0 skipped, 0 failed")
  endif()
endif()

set(tiny --model resnet18 --image 32 --classes 10 --batch 4 --steps 4)
function(busbar_train_test name)
  if(BUSBAR_ONEDNN_MISSING AND NOT "--compute" IN_LIST ARGN)
    return()  # nothing here can compute
  endif()
  busbar_mpi_test(train.${name} PROGRAM busbar-train ${ARGN})
endfunction()

busbar_train_test(curve NP 1 2 4 ARGUMENTS ${tiny} --explain ABSENT "nan" "inf"
  MATCH "convolution +20 " "peak [0-9.]+ GFLOP/s" "memory: peak" "0 skipped, 0 failed. run ended: ok")
foreach(overlap_wire none,bf16 poll,fp16 thread,fp32)
  string(REPLACE "," ";" both ${overlap_wire})
  list(GET both 0 overlap)
  list(GET both 1 wire)
  busbar_train_test(${overlap} NP 3 ARGUMENTS ${tiny} --scale 3 --overlap ${overlap} --wire ${wire} --fusion-mb 1
    MATCH "/${wire}/data/.*overlap:${overlap}" " passed +[A-D]( [a-z]+)?$")
  busbar_train_test(${overlap}_sharded NP 3 ARGUMENTS ${tiny} --scale 3 --overlap ${overlap} --wire ${wire} --sharded
    MATCH "/sharded" " passed +[A-D]( [a-z]+)?$")
endforeach()
busbar_train_test(hierarchical NP 3 ARGUMENTS ${tiny} --scale 3 --hierarchical MATCH "/hierarchical" " passed +[A-D]( [a-z]+)?$")
busbar_train_test(micro_batches NP 2 ARGUMENTS ${tiny} --scale 2 --micro-batches 2 MATCH "micro_batches:2" " passed +[A-D]( [a-z]+)?$")
busbar_train_test(strong NP 4 ARGUMENTS ${tiny} --scaling strong --scale 1,2,4 MATCH "/strong/" "3 ok")
busbar_train_test(jobs NP 4 ARGUMENTS ${tiny} --jobs 2 --scale 1,2 MATCH " 2x1 " " 2x2 " "job on ranks 2,3: .* as long" "4 ok")
# On a CPU with instructions for bf16 the step runs, on another it is refused with the reason.
busbar_train_test(bf16 NP 2 EXIT ${bf16_exit} ARGUMENTS ${tiny} --scale 2 --precision bf16 --explain MATCH ${bf16_says})
busbar_train_test(until_converged NP 2 ARGUMENTS --model resnet18 --image 32 --batch 2 --width 100 --min-span 0 --min-rounds 6 --time-budget 2
  MATCH "2 ok" "[+]-%: half-width")

set(a100 --compute replay --profile a100-pcie.resnet50.b1024)
busbar_train_test(replay NP 2 ARGUMENTS ${a100} --steps 2 MATCH "replayed: no compute" "2 ok")
# A replay sends the bytes of the type that is asked for: 25,557,032 gradients, of 161 tensors.
foreach(wire_sent fp32,102.2 fp16,51.1 bf16,51.1)
  string(REPLACE "," ";" both ${wire_sent})
  list(GET both 0 wire)
  list(GET both 1 sent)
  busbar_train_test(replay_${wire} NP 2 ARGUMENTS ${a100} --steps 2 --scale 2 --wire ${wire} --explain
    MATCH "resnet50/mpi/${wire}/data/replay/" "a rank sends ${sent} MB at least" " passed +[A-D]( [a-z]+)?$")
endforeach()
foreach(schedule gpipe 1f1b)
  busbar_train_test(pipeline_${schedule} NP 3 ARGUMENTS ${a100} --parallel pipeline --micro-batches 4 --schedule ${schedule}
    --scale 1,3 --steps 2 --explain MATCH "stage 2 " "bubble: [0-9.]+ % of the ranks. time over all timed steps" "2 ok")
endforeach()
busbar_train_test(tensor NP 2 ARGUMENTS --compute replay --model bert-large --tflops 1000 --batch 4 --parallel tensor --steps 2
  MATCH "bert-large/mpi/fp16/tensor/" "sequences/s" "2 ok")

set(measured "${CMAKE_CURRENT_BINARY_DIR}/measured.profile")
busbar_train_test(write_profile NP 1 ARGUMENTS ${tiny} --scale 1 --write-profile ${measured} MATCH "1 ok")
if(NOT BUSBAR_ONEDNN_MISSING)
  busbar_train_test(replay_measured NP 2 ARGUMENTS --compute replay --profile ${measured} --steps 2 MATCH "resnet18/.*/replay/" "2 ok")
  set_tests_properties(mpi.train.write_profile.np1 PROPERTIES FIXTURES_SETUP measured_profile)
  set_tests_properties(mpi.train.replay_measured.np2 PROPERTIES FIXTURES_REQUIRED measured_profile)
endif()

# What a broken library must not get away with: ranks that hold other weights, and means that are wrong on all ranks alike.
foreach(fault nothing last_byte one_rank own_times_ranks nan)
  busbar_train_test(fault_${fault} NP 2 FAULT ${fault} ARGUMENTS ${tiny} --scale 2 EXIT 1
    MATCH "failed: (the weights of rank 1 differ from those of rank 0|rank [01] of the group: the mean of gradient [0-9]+ is)" "1 failed. run ended: failed")
endforeach()
busbar_train_test(fault_hang NP 2 FAULT hang ARGUMENTS ${tiny} --scale 2 --timeout 5 EXIT ${BUSBAR_EXIT_ABORTED}
  MATCH "busbar-train: resnet18 on 2 ranks, (warm-up|round [0-9]+) took longer than --timeout 5 s")

if(BUSBAR_ONEDNN_MISSING)
  return()
endif()
add_test(NAME mpi.train_records_match_schema COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tests/schema/validate_records.py"
         "${CMAKE_CURRENT_BINARY_DIR}/train.curve.np2.jsonl" "${CMAKE_CURRENT_BINARY_DIR}/train.jobs.np4.jsonl"
         "${CMAKE_CURRENT_BINARY_DIR}/train.pipeline_1f1b.np3.jsonl")
set_tests_properties(mpi.train_records_match_schema PROPERTIES LABELS mpi TIMEOUT 120 SKIP_RETURN_CODE 77 FIXTURES_REQUIRED train_records)
set_tests_properties(mpi.train.curve.np2 mpi.train.jobs.np4 mpi.train.pipeline_1f1b.np3 PROPERTIES FIXTURES_SETUP train_records)
