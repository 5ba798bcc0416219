# The nccl backend over the fake GPU (tests/fake_gpu): that it calls CUDA and NCCL rightly, and notices what goes wrong.
# Nothing here is of a real GPU.
if(NOT TARGET fake_gpu OR NOT TARGET busbar_module_nccl)
  message(STATUS "Tests of the nccl backend over a fake GPU: none")
  return()
endif()

set(kernels "")
foreach(word unsigned\ char unsigned\ short unsigned\ int unsigned\ long)
  list(APPEND kernels "busbar::cuda::fill_periodic<${word}>" "busbar::cuda::fill_strided<${word}>"
       "busbar::cuda::find_difference<${word}>")
endforeach()
foreach(type signed\ char int long unsigned\ char unsigned\ int unsigned\ long __half __nv_bfloat16 __nv_fp8_e4m3 __nv_fp8_e5m2 float double)
  list(APPEND kernels "busbar::cuda::divide_by<${type}>")
endforeach()
busbar_emulate_kernels(emulated_pattern_kernels
  SOURCES "${PROJECT_SOURCE_DIR}/core/cuda/pattern_kernels.cu" "${PROJECT_SOURCE_DIR}/core/cuda/busy_kernels.cu"
  KERNELS ${kernels} "busbar::cuda::keep_busy" LIBRARIES busbar_build)

# busbar_nccl_test(NAME NP n... ARGUMENTS ... [ENVIRONMENT NAME=value...] [as busbar_mpi_test])
function(busbar_nccl_test name)
  list(TRANSFORM ARGN REPLACE "^ARGUMENTS$" "ARGUMENTS;--backend;nccl")
  busbar_mpi_test(nccl_${name} ${ARGN}
    FAKE LD_PRELOAD=$<TARGET_FILE:fake_gpu> FAKE_GPU_KERNELS=$<TARGET_FILE:emulated_pattern_kernels> FAKE_NCCL_UNIQUE_GPUS=1 FAKE_GPU_POLLS=1)
endfunction()
set(each_its_own ENVIRONMENT FAKE_GPU_COUNT=4)

busbar_nccl_test(every_collective NP 1 2 ${each_its_own} ARGUMENTS all -d all --place both --sizes 1K,100000 -n 2 -w 1
  MATCH "NCCL has no barrier" "NCCL has no alltoall in place" ", 0 failed. run ended: ok" ABSENT "nan" "inf")
busbar_nccl_test(uneven NP 2 ${each_its_own} ARGUMENTS uneven --counts even,zipf:1.2,one-empty,moe:16,2,1.2 -d int8,fp32 -r 1 --place both --sizes 1K,100000
  -n 2 -w 1 MATCH "counts:moe:16,2,1.2" " 0 skipped, 0 failed. run ended: ok")
busbar_nccl_test(every_reduction NP 2 ${each_its_own} ARGUMENTS allreduce reduce reduce_scatter -d all --op all
  --sizes 33333 -n 2 -w 1 MATCH "0 skipped, 0 failed. run ended: ok")
busbar_nccl_test(three_ranks NP 3 ${each_its_own} ARGUMENTS all -d fp32,fp8_e5m2 --op sum,avg,mulsum --place both --sizes 1K -n 2 -w 1
  MATCH ", 0 failed. run ended: ok")
busbar_nccl_test(replay NP 2 ${each_its_own} ARGUMENTS replay ${replay_trace} -n 2
  MATCH "NCCL has no barrier" "1 of its 9 cases could not be made" "9 ok, 1 skipped, 0 failed. run ended: ok")
set_tests_properties(mpi.nccl_replay.np2 PROPERTIES FIXTURES_REQUIRED replay_traces)
busbar_nccl_test(last_rank_is_root NP 3 ${each_its_own} ARGUMENTS broadcast reduce gather scatter -r 2 --place both ${small}
  MATCH "root:2" ", 0 failed. run ended: ok")
busbar_nccl_test(cadence_streaming NP 2 ${each_its_own} ARGUMENTS all --cadence streaming --stream-calls 4 ${small}
  MATCH ", 0 failed. run ended: ok")
busbar_nccl_test(overlap NP 2 ${each_its_own} ARGUMENTS allreduce sendrecv gatherv --overlap library,poll --work 50,200 --work-sms 1 --sizes 100000 -n 2 -w 1
  MATCH "/form:nonblocking/progress:library/work:200$" "the GPU advances NCCL's calls by itself" " hidden " "6 ok, 6 skipped, 0 failed. run ended: ok" ABSENT "nan" "inf")
busbar_nccl_test(graph NP 2 ${each_its_own} ARGUMENTS all --place both --graph 5 ${small} MATCH ", 0 failed. run ended: ok")
busbar_nccl_test(between_pairs NP 2 3 ${each_its_own} ARGUMENTS p2p put -d int8,fp32 --window 1,5 --sizes 1K,100000 -n 2 -w 1
  MATCH "NCCL has no put" "^# pair:unidirectional/nccl/device/fp32/ranks:[23]/nodes:1/streaming/window:5$" "20 ok, [0-9]+ skipped, 0 failed")
busbar_nccl_test(between_pairs_graph NP 2 ${each_its_own} ARGUMENTS p2p --window 5 --graph 4 --sizes 1K -n 2 -w 1 MATCH "3 ok, 0 skipped, 0 failed")
busbar_nccl_test(between_pairs_nonblocking NP 2 ENVIRONMENT FAKE_GPU_COUNT=2 FAKE_NCCL_IN_PROGRESS=3 ARGUMENTS p2p --nonblocking ${small}
  MATCH ", 0 failed. run ended: ok")
busbar_nccl_test(fault_between_pairs NP 2 EXIT 1 ENVIRONMENT FAKE_GPU_COUNT=2 "FAKE_GPU_FAULT=rank=1 kind=wrong_result call=6"
  ARGUMENTS bidirectional --cadence barrier --sizes 1K -n 20 -w 1 MATCH "failed: wrong data: rank 1, element [0-9]+: expected .*, found ")
# The first launch of a graph, calls 2 to 6, is not a sample: nobody reads what it delivers. The next one ends with call 11.
busbar_nccl_test(graph_fault_in_first_launch NP 2 ENVIRONMENT FAKE_GPU_COUNT=2 "FAKE_GPU_FAULT=rank=1 kind=wrong_result call=6"
  ARGUMENTS --graph 5 --sizes 1K -n 3 -w 1 MATCH "1 ok, 0 skipped, 0 failed")
busbar_nccl_test(graph_fault_in_sample NP 2 EXIT 1 ENVIRONMENT FAKE_GPU_COUNT=2 "FAKE_GPU_FAULT=rank=1 kind=wrong_result call=11"
  ARGUMENTS --graph 5 --sizes 1K -n 3 -w 1 MATCH "0 ok, 0 skipped, 1 failed")
busbar_nccl_test(registered NP 2 ${each_its_own} ARGUMENTS all --register ${small} MATCH ", 0 failed. run ended: ok")
busbar_nccl_test(algorithms NP 2 ${each_its_own} ARGUMENTS --algorithm ring,tree --protocol simple,ll ${small}
  MATCH "/algorithm:tree/ll" "12 ok, 0 skipped, 0 failed")
busbar_nccl_test(algorithms_there_are NP 2 ${each_its_own} ARGUMENTS all --algorithm tree,pat --sizes 1K -n 2 -w 1
  MATCH "NCCL has no tree for allgather" "NCCL has no tree for alltoall" "3 ok, 23 skipped, 0 failed")
# One that this machine lacks is known by trying it. A communicator that does not block is of no use after that.
foreach(blocks "" "--nonblocking")
  busbar_nccl_test(algorithm_not_here${blocks} NP 2 ${each_its_own} FAKE_NCCL_LACKS=nvls ARGUMENTS allreduce allgather --algorithm nvls,ring
    ${blocks} --sizes 1K,1M -n 2 -w 1 MATCH "NCCL has no nvls for allreduce here .no algorithm" "4 ok, 4 skipped, 0 failed")
endforeach()
# Symmetric windows: the fake refuses a buffer outside of them, and windows whose sizes differ between ranks.
busbar_nccl_test(symmetric NP 3 ${each_its_own} FAKE_NCCL_SYMMETRIC=1 ARGUMENTS all --algorithm symmetric --place both --sizes 1K,100K -n 2 -w 1
  MATCH "NCCL has no symmetric kernels for broadcast" "/algorithm:symmetric" "22 ok, 25 skipped, 0 failed")
busbar_nccl_test(symmetric_beside_others NP 2 ${each_its_own} ARGUMENTS allreduce --register --algorithm auto,symmetric,ring ${small}
  MATCH "/nodes:1/barrier$" "/algorithm:symmetric" "/algorithm:ring" "9 ok, 0 skipped, 0 failed")
busbar_nccl_test(no_windows NP 2 ${each_its_own} FAKE_NCCL_NO_WINDOWS=1 ARGUMENTS --algorithm symmetric,ring --sizes 1K,1M -n 2 -w 1
  MATCH "NCCL registers no symmetric windows here .windows are refused" "2 ok, 2 skipped, 0 failed")
busbar_nccl_test(before_windows NP 2 EXIT 2 ${each_its_own} FAKE_NCCL_VERSION=22605 ARGUMENTS --algorithm symmetric ${small}
  TIMES "1:--algorithm symmetric: NCCL 2.26 has no symmetric windows .2.27 has.")
# CTA policies: the fake has one of number 2, zero, alone.
busbar_nccl_test(cta_policy NP 2 ${each_its_own} FAKE_NCCL_CTA_POLICY=2 ARGUMENTS allgather --algorithm symmetric --cta-policy efficiency,zero
  --sizes 1K -n 2 -w 1 MATCH "the CTA policy is 1" "/algorithm:symmetric.zero" "1 ok, 1 skipped, 0 failed")
busbar_nccl_test(before_zero_ctas NP 2 EXIT 2 ${each_its_own} FAKE_NCCL_VERSION=22707 ARGUMENTS --cta-policy zero ${small}
  TIMES "1:--cta-policy zero: NCCL 2.27 has no collectives without CTAs .2.28 has.")
busbar_nccl_test(unknown_cta_policy NP 1 EXIT 2 ARGUMENTS --cta-policy none ${small}
  TIMES "1:--cta-policy: unknown 'none'. known: default, efficiency, zero")
# alltoall, gather and scatter by NCCL's own calls, by groups, and by groups alone before NCCL 2.28: the call that fails says which.
busbar_nccl_test(exchanges_both_ways NP 3 ${each_its_own} ARGUMENTS alltoall gather scatter -r 1 --place both --algorithm auto,grouped ${small}
  MATCH "/algorithm:grouped" "20 ok, 16 skipped, 0 failed")
set(exchange_fails EXIT ${BUSBAR_EXIT_ABORTED} ENVIRONMENT FAKE_GPU_COUNT=2 "FAKE_GPU_FAULT=rank=1 kind=async_error call=6")
set(of_exchange --sizes 1K -n 20 -w 1 --timeout 60)
busbar_nccl_test(exchange_native NP 2 ${exchange_fails} ARGUMENTS alltoall ${of_exchange} MATCH "ncclAlltoAll failed on rank [01]")
busbar_nccl_test(exchange_grouped NP 2 ${exchange_fails} ARGUMENTS alltoall --algorithm grouped ${of_exchange}
  MATCH "grouped ncclSend and ncclRecv failed on rank [01]")
busbar_nccl_test(exchange_before_native NP 2 ${exchange_fails} FAKE_NCCL_VERSION=22707 ARGUMENTS alltoall ${of_exchange}
  MATCH "grouped ncclSend and ncclRecv failed on rank [01]")
# What an older NCCL lacks is skipped by name, the rest is measured.
busbar_nccl_test(before_float8 NP 2 ${each_its_own} FAKE_NCCL_VERSION=22304 ARGUMENTS allreduce allgather -d fp32,fp8_e4m3 --sizes 1K -n 2 -w 1
  MATCH "NCCL 2.23 has no fp8 .2.24 has." "2 ok, 2 skipped, 0 failed")
# Each rank keeps its own GPU where two of them measure: four pairs' ends, none twice on one.
busbar_nccl_test(pairs NP 4 ${each_its_own} ARGUMENTS pairs --between ranks --sizes 8,64K -n 4 -w 1
  MATCH "# copy: sendrecv by nccl, 64 KiB" "12 ok, 0 skipped, 0 failed")
busbar_nccl_test(levels NP 4 ${each_its_own} ARGUMENTS allreduce incast bisection --groups node,world --sizes 1K -n 4 -w 1
  MATCH "6 ok, 0 skipped, 0 failed")
# The same by communicators that are split from that of all ranks, which the fake makes fail to show it.
busbar_nccl_test(split_pairs NP 4 ${each_its_own} ARGUMENTS pairs --comm-split --between ranks --sizes 8,64K -n 4 -w 1
  MATCH "; communicators split" "12 ok, 0 skipped, 0 failed")
busbar_nccl_test(split_levels NP 4 ${each_its_own} ARGUMENTS allreduce incast --comm-split --algorithm auto,ring --groups node,world --sizes 1K
  -n 4 -w 1 MATCH "/algorithm:ring" "0 failed. run ended: ok")
# Two kinds of groups at the same time, by communicators of their own and by split ones.
foreach(how "" --comm-split)
  busbar_nccl_test(kinds${how} NP 4 ${each_its_own} ARGUMENTS allreduce allgather ${how} --split "rank / 2" --split "rank % 2" --sizes 1K
    -n 4 -w 1 MATCH "together over alone: allreduce/nccl/device" "6 ok, 0 skipped, 0 failed")
endforeach()
busbar_nccl_test(split_fails NP 4 EXIT ${BUSBAR_EXIT_ABORTED} ${each_its_own} FAKE_NCCL_NO_SPLIT=1 ARGUMENTS pairs --comm-split --between ranks
  --sizes 8 -n 4 -w 1 MATCH "ncclCommSplit failed on rank [0-3]: invalid usage .*splitting is refused")
# CUDA events that tell a million times the time: which clock a sample is from is seen by that.
set(other_time FAKE_GPU_COUNT=2 FAKE_GPU_FAULT=event_scale=1000000)
busbar_nccl_test(clock_events NP 2 ENVIRONMENT ${other_time} ARGUMENTS --clock events --sizes 1K -n 3 -w 1
  MATCH "clock: CUDA events" "1 KiB +256 +[0-9]{7,}[.]" "1 ok, 0 skipped, 0 failed")
busbar_nccl_test(clock_host NP 2 ENVIRONMENT ${other_time} ARGUMENTS --sizes 1K -n 3 -w 1
  MATCH "1 KiB +256 +[0-9]{1,6}[.]" "1 ok, 0 skipped, 0 failed")
# Either launch has all parts of a call, by calls behind the gate, and the time by both clocks.
set(parts "import json, sys
for name, by_events in ((sys.argv[1], False), (sys.argv[2], True)):
    case = next(r for r in map(json.loads, open(name)) if r['record'] == 'case')
    gated, clocks = case['gated'], case['time_by_clock_s']
    assert 0 < gated['launch_s'] < 1 and gated['device_s'] > 1, gated  # the events' time is a million times too long
    assert clocks['host'] < 1 < clocks['cuda_events'] and (case['time_s'] > 1) == by_events, clocks")
add_test(NAME mpi.nccl_parts_of_a_call COMMAND Python3::Interpreter -c "${parts}"
         "${CMAKE_CURRENT_BINARY_DIR}/nccl_clock_host.np2.jsonl" "${CMAKE_CURRENT_BINARY_DIR}/nccl_clock_events.np2.jsonl")
set_tests_properties(mpi.nccl_parts_of_a_call PROPERTIES LABELS mpi TIMEOUT 60 FIXTURES_REQUIRED nccl_clock_records)
set_tests_properties(mpi.nccl_clock_host.np2 mpi.nccl_clock_events.np2 PROPERTIES FIXTURES_SETUP nccl_clock_records)
busbar_nccl_test(in_progress NP 2 ENVIRONMENT FAKE_GPU_COUNT=2 FAKE_NCCL_IN_PROGRESS=3 ARGUMENTS all --nonblocking ${small}
  MATCH ", 0 failed. run ended: ok")

# One rank a GPU
busbar_nccl_test(shared_gpu NP 2 ARGUMENTS allreduce --share-gpu ${small}
  MATCH "ranks share a GPU" "3 ok, 0 skipped, 0 failed")
busbar_nccl_test(one_gpu_for_two NP 2 EXIT 2 ARGUMENTS ${small}
  TIMES "1:--backend nccl: two ranks came to the same GPU .rank 0: .*, rank 1: .*start one rank a GPU, or give --share-gpu")
busbar_nccl_test(too_few_gpus NP 3 EXIT 2 ENVIRONMENT FAKE_GPU_COUNT=2 ARGUMENTS ${small}
  TIMES "1:--backend nccl: rank 0: 3 ranks are on this host, which has 2 GPUs")
busbar_nccl_test(no_gpu NP 2 EXIT 2 ENVIRONMENT FAKE_GPU_COUNT=0 ARGUMENTS ${small}
  TIMES "1:--backend nccl: rank 0: no NVIDIA GPU can be used here")
busbar_nccl_test(no_fp8 NP 2 ENVIRONMENT FAKE_GPU_COUNT=2 FAKE_GPU_SM=80 ARGUMENTS -d fp8_e4m3,fp32 ${small}
  MATCH "from compute capability 9.0 on; this GPU has 8.0" "3 ok, 3 skipped, 0 failed")
busbar_nccl_test(host_memory NP 1 EXIT 2 ARGUMENTS --memory host ${small} TIMES "1:NCCL works on device memory")

# Several GPUs per process, each a rank: all calls by one thread in one group, or by a thread each. The fake refuses
# launches for another number of communicators.
foreach(launch group threads)
  set(by ${each_its_own} ARGUMENTS --gpus-per-rank 2 --launch ${launch})
  busbar_nccl_test(gpus_every_collective_${launch} NP 2 ${by} all -d fp32,fp8_e5m2 --op sum,avg,mulsum --place both --sizes 1K,100000 -n 2 -w 1
    MATCH "NCCL has no barrier" "; 2 GPUs per process, launched by " ", 0 failed. run ended: ok" ABSENT "nan" "inf")
  busbar_nccl_test(gpus_uneven_${launch} NP 2 ${by} uneven --counts zipf:1.2,moe:16,2,1.2 -r 1 --place both --sizes 1K,100000 -n 2 -w 1
    MATCH " 0 skipped, 0 failed. run ended: ok")
  busbar_nccl_test(gpus_pairs_${launch} NP 2 ${by} p2p --window 1,5 --sizes 1K,100000 -n 2 -w 1 MATCH "10 ok, 0 skipped, 0 failed")
  busbar_nccl_test(gpus_algorithms_${launch} NP 2 ${each_its_own} FAKE_NCCL_LACKS=nvls ARGUMENTS allreduce --gpus-per-rank 2 --launch ${launch}
    --algorithm auto,ring,nvls,symmetric --protocol simple,ll --sizes 1K -n 4 -w 1 MATCH "/algorithm:ring/ll" "6 ok, 2 skipped, 0 failed")
  foreach(cadence synchronised streaming)
    busbar_nccl_test(gpus_${cadence}_${launch} NP 2 ${by} allreduce alltoall --cadence ${cadence} --sizes 1K,100K -n 4 -w 1
      MATCH "4 ok, 0 skipped, 0 failed")
  endforeach()
  busbar_nccl_test(gpus_events_${launch} NP 1 ${by} --clock events --sizes 1K -n 5 -w 1 MATCH "clock: CUDA events" "1 ok, 0 skipped, 0 failed")
endforeach()
set(of_three ${each_its_own} FAKE_NCCL_LAUNCH_OF=3 ARGUMENTS --gpus-per-rank 3 --sizes 1K -n 4 -w 1 --launch)
busbar_nccl_test(gpus_as_a_group NP 1 ${of_three} group MATCH "1 ok, 0 skipped, 0 failed")
busbar_nccl_test(gpus_one_by_one NP 1 EXIT ${BUSBAR_EXIT_ABORTED} ${of_three} threads MATCH "rank [0-2] on .*a launch for 1 communicators")
busbar_nccl_test(gpus_graph NP 2 ${each_its_own} ARGUMENTS allreduce alltoall --gpus-per-rank 2 --launch threads --graph 5 --nonblocking --sizes 1K -n 3 -w 1
  MATCH "2 ok, 0 skipped, 0 failed")
busbar_nccl_test(gpus_too_few NP 1 EXIT 2 ${each_its_own} ARGUMENTS --gpus-per-rank 8 ${small}
  TIMES "1:--backend nccl: rank 0: --gpus-per-rank 8: this host shows 4 GPUs")
busbar_nccl_test(gpus_too_few_for_all NP 2 EXIT 2 ${each_its_own} ARGUMENTS --gpus-per-rank 3 ${small}
  TIMES "1:--backend nccl: rank 0: 6 ranks are on this host, which has 4 GPUs")
busbar_nccl_test(gpus_fault NP 2 EXIT 1 ${each_its_own} "FAKE_GPU_FAULT=rank=1 kind=wrong_result call=12" ARGUMENTS --gpus-per-rank 2 --sizes 1K -n 20 -w 1
  MATCH "failed: wrong data: rank [23], element [0-9]+: expected [0-9]+, found " "0 ok, 0 skipped, 1 failed")
busbar_nccl_test(gpus_fault_async_error NP 2 EXIT ${BUSBAR_EXIT_ABORTED} ${each_its_own} "FAKE_GPU_FAULT=rank=1 kind=async_error call=12"
  ARGUMENTS --gpus-per-rank 2 --sizes 1K -n 20 -w 1 --timeout 60 MATCH "rank [0-3] on .*ncclAllReduce failed on rank [0-3]: .*the job is ended")
busbar_nccl_test(gpus_fault_hang NP 2 EXIT ${BUSBAR_EXIT_ABORTED} ${each_its_own} "FAKE_GPU_FAULT=rank=1 kind=hang call=12"
  ARGUMENTS --gpus-per-rank 2 --sizes 1K -n 20 -w 1 --timeout 3 MATCH "not done after 3 s|took longer than --timeout 3 s")

# What goes wrong
set(two FAKE_GPU_COUNT=2)
busbar_nccl_test(fault_async_error_nonblocking NP 2 EXIT ${BUSBAR_EXIT_ABORTED} ENVIRONMENT ${two} "FAKE_GPU_FAULT=rank=1 kind=async_error call=6"
  ARGUMENTS --nonblocking --sizes 1K -n 20 -w 1 --timeout 60 MATCH "failed on rank [01]: .*the communicator was aborted")
foreach(fault wrong_result nothing)
  busbar_nccl_test(fault_${fault} NP 2 EXIT 1 ENVIRONMENT ${two} "FAKE_GPU_FAULT=rank=1 kind=${fault} call=6"
    ARGUMENTS --sizes 1K -n 20 -w 1 MATCH "failed: wrong data: rank 1, element [0-9]+: expected [0-9]+, found " "0 ok, 0 skipped, 1 failed")
endforeach()
busbar_nccl_test(fault_async_error NP 2 EXIT ${BUSBAR_EXIT_ABORTED} ENVIRONMENT ${two} "FAKE_GPU_FAULT=rank=1 kind=async_error call=6"
  ARGUMENTS --sizes 1K -n 20 -w 1 --timeout 60 MATCH "ncclAllReduce failed on rank [01]: .*the communicator was aborted")
busbar_nccl_test(fault_hang NP 2 EXIT ${BUSBAR_EXIT_ABORTED} ENVIRONMENT ${two} "FAKE_GPU_FAULT=rank=1 kind=hang call=6"
  ARGUMENTS --sizes 1K -n 20 -w 1 --timeout 3 MATCH "not done after 3 s|took longer than --timeout 3 s")
busbar_nccl_test(fault_out_of_memory NP 2 ENVIRONMENT ${two} "FAKE_GPU_FAULT=rank=1 kind=out_of_memory bytes=500000"
  ARGUMENTS --sizes 1K,1M -n 3 -w 1 MATCH "rank 1: out of memory" "1 ok, 1 skipped, 0 failed")
busbar_nccl_test(fault_launch_failure NP 2 EXIT ${BUSBAR_EXIT_ABORTED} ENVIRONMENT ${two} "FAKE_GPU_FAULT=rank=1 kind=launch_failure call=9"
  ARGUMENTS --sizes 1K -n 20 -w 1 MATCH "cudaErrorLaunchFailure")
busbar_nccl_test(fault_init NP 2 EXIT 2 ENVIRONMENT ${two} "FAKE_GPU_FAULT=rank=1 kind=init_error" ARGUMENTS ${small}
  MATCH "ncclCommInitRankConfig failed on rank")

# MPI on a GPU's memory, where it says that it is CUDA-aware. Here it is told that it is, and the memory is the host's.
add_library(cuda_aware SHARED cuda_aware.cpp)
busbar_mpi_test(device_memory NP 2 ARGUMENTS all p2p rma -d all --op all --memory device --place both --sizes 1K,33333 -n 2 -w 1
  ENVIRONMENT LD_PRELOAD=$<TARGET_FILE:cuda_aware>:$<TARGET_FILE:fake_gpu>
  FAKE_GPU_KERNELS=$<TARGET_FILE:emulated_pattern_kernels> ${two}
  MATCH "/device/" "busbar's own works on host memory" ", 0 failed. run ended: ok")

# What NCCL chose is told by itself (the fake: ring, simple, 2 channels), and only of what has an algorithm.
busbar_nccl_test(choice NP 2 ${each_its_own} ARGUMENTS allreduce alltoall --sizes 1K -n 2 -w 1
  MATCH "check +grade +algorithm/protocol/channels" "passed +[A-D][ a-z]* ring/simple/2" "passed +[A-D][ a-z]* unknown")
busbar_nccl_test(choice_of_one_rank NP 1 ${each_its_own} ARGUMENTS allreduce --sizes 1K -n 2 -w 1 ABSENT "algorithm/protocol/channels")
busbar_nccl_test(choice_untold NP 2 ENVIRONMENT FAKE_GPU_COUNT=4 NCCL_PROFILER_PLUGIN=none ARGUMENTS allreduce --sizes 1K -n 2 -w 1
  MATCH "note: NCCL's algorithms are unknown: NCCL_PROFILER_PLUGIN is set" ABSENT "algorithm/protocol/channels")
