# busbar-train --compute cudnn over the fake GPU (tests/fake_gpu): streams, graphs, reductions, and what is noticed when
# they go wrong. Nothing here is of a real GPU.
if(NOT TARGET fake_gpu OR NOT TARGET busbar_module_cudnn)
  message(STATUS "Tests of training over a fake GPU: none")
  return()
endif()

set(gpu_tiny --compute cudnn --model resnet18 --image 32 --classes 10 --batch 2 --steps 1 --warmup 1)
# busbar_gpu_train_test(NAME NP n... ARGUMENTS ... [ENVIRONMENT NAME=value...] [as busbar_mpi_test])
function(busbar_gpu_train_test name)
  busbar_mpi_test(train.gpu_${name} PROGRAM busbar-train ${ARGN}
    FAKE LD_PRELOAD=$<TARGET_FILE:fake_gpu> FAKE_GPU_KERNELS=$<TARGET_FILE:training_kernels_emulated> FAKE_NCCL_UNIQUE_GPUS=1)
endfunction()

busbar_gpu_train_test(overlaps NP 2 ARGUMENTS ${gpu_tiny} --share-gpu --scale 2 --overlap none,stream --explain
  MATCH "resnet18/nccl/fp32/data/cudnn/Fake GPU.*/bf16/" "/overlap:stream/" "ranks share a GPU .--share-gpu" "convolution +20 "
        "memory: peak" "2 ok, 0 skipped, 0 failed. run ended: ok" ABSENT "nan" "inf" "piece by piece")
# With a fake NVML (tests/fake_nvml), whose counters grow once a reading: one visit of a step and the one that warms up.
busbar_gpu_train_test(no_graph NP 2 ENVIRONMENT FAKE_GPU_COUNT=2 LD_LIBRARY_PATH=$<TARGET_FILE_DIR:fake_nvml>
  FAKE_NVML_ENERGY_MJ=300000 FAKE_NVML_DRIVER=580.95.05 FAKE_NVML_POWER_CAP_NS=4000000000 ARGUMENTS ${gpu_tiny} --scale 2 --no-graph
  MATCH "1 ok, 0 skipped, 0 failed" ABSENT "ranks share a GPU")
busbar_gpu_train_test(fault_no_capture NP 2 ENVIRONMENT FAKE_GPU_COUNT=2 "FAKE_GPU_FAULT=rank=1 kind=no_capture"
  ARGUMENTS ${gpu_tiny} --scale 2 MATCH "steps are launched piece by piece" "1 ok, 0 skipped, 0 failed")
busbar_gpu_train_test(curve_in_fp16 NP 2 ENVIRONMENT FAKE_GPU_COUNT=2 FAKE_NCCL_IN_PROGRESS=2
  ARGUMENTS ${gpu_tiny} --precision fp16 --wire fp16 --fusion-mb 4 MATCH "/fp16/data/cudnn/.*/fp16/" "2 ok, 0 skipped, 0 failed")
# cuDNN's batch norms: where it has them, has none, and has wrong ones.
busbar_gpu_train_test(norm_cudnn NP 2 ENVIRONMENT FAKE_GPU_COUNT=2 FAKE_CUDNN_NORM=1 ARGUMENTS ${gpu_tiny} --scale 2 --norm cudnn
  MATCH "batch norm: cuDNN's in 20 of 20 layers forward, 20 of 20[ #]+backward" "1 ok, 0 skipped, 0 failed" ABSENT "piece by piece" "nan")
busbar_gpu_train_test(norm_fastest NP 2 ENVIRONMENT FAKE_GPU_COUNT=2 FAKE_CUDNN_NORM=forward ARGUMENTS ${gpu_tiny} --scale 2 --norm fastest
  MATCH "batch norm: cuDNN's in [0-9]+ of 20 layers forward" "sums by cuDNN's convolutions in 0 of 20 layers .20:[^a-z]+no plan" "1 ok, 0 skipped, 0 failed" ABSENT "piece by piece" "nan")
busbar_gpu_train_test(norm_wrong NP 2 ENVIRONMENT FAKE_GPU_COUNT=2 FAKE_CUDNN_NORM=wrong ARGUMENTS ${gpu_tiny} --scale 2 --norm cudnn
  MATCH "batch norm: cuDNN's in 0 of 20 layers forward" "unlike ours" "1 ok, 0 skipped, 0 failed" ABSENT "nan")
busbar_gpu_train_test(norm_genstats NP 2 ENVIRONMENT FAKE_GPU_COUNT=2 FAKE_CUDNN_GENSTATS=1 ARGUMENTS ${gpu_tiny} --scale 2 --norm genstats
  MATCH "batch norm: sums by cuDNN's convolutions in 20 of 20 layers" "1 ok, 0 skipped, 0 failed" ABSENT "piece by piece" "nan" "cuDNN's in")
# Whatever is overlapped, and launched as a graph or not, the weights are the same bits.
add_test(NAME mpi.train.gpu_weights_are_the_same COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/same_weights.py"
         "${CMAKE_CURRENT_BINARY_DIR}/train.gpu_overlaps.np2.jsonl" "${CMAKE_CURRENT_BINARY_DIR}/train.gpu_no_graph.np2.jsonl"
         "${CMAKE_CURRENT_BINARY_DIR}/train.gpu_fault_no_capture.np2.jsonl")
set_tests_properties(mpi.train.gpu_weights_are_the_same PROPERTIES LABELS mpi TIMEOUT 60 FIXTURES_REQUIRED gpu_train_records)
add_test(NAME mpi.train.gpu_counters COMMAND ${expect} --times "2:\"calls\":2[,}]" --times "2:\"energy_J\":300[.,}]"
  --times "1:throttled: sw_power_cap .on 2 of 2 ranks, for up to [0-9]+ % of the time" -- cat "${CMAKE_CURRENT_BINARY_DIR}/train.gpu_no_graph.np2.jsonl")
set_tests_properties(mpi.train.gpu_counters PROPERTIES LABELS mpi FIXTURES_REQUIRED gpu_train_records)
add_test(NAME mpi.train.gpu_records_match_schema COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tests/schema/validate_records.py"
         "${CMAKE_CURRENT_BINARY_DIR}/train.gpu_overlaps.np2.jsonl" "${CMAKE_CURRENT_BINARY_DIR}/train.gpu_no_graph.np2.jsonl")
set_tests_properties(mpi.train.gpu_records_match_schema PROPERTIES LABELS mpi TIMEOUT 120 SKIP_RETURN_CODE 77 FIXTURES_REQUIRED gpu_train_records)
set_tests_properties(mpi.train.gpu_overlaps.np2 mpi.train.gpu_no_graph.np2 mpi.train.gpu_fault_no_capture.np2 PROPERTIES FIXTURES_SETUP gpu_train_records)

set(gpu_profile "${CMAKE_CURRENT_BINARY_DIR}/gpu.profile")
# CUDA's runtime compiler is hidden: cuDNN then silently omits plans, which a note says.
add_library(hidden_library SHARED hidden_library.cpp)
target_link_libraries(hidden_library PRIVATE busbar_build ${CMAKE_DL_LIBS})
busbar_gpu_train_test(write_profile NP 1 ENVIRONMENT LD_PRELOAD=$<TARGET_FILE:hidden_library>:$<TARGET_FILE:fake_gpu> HIDDEN_LIBRARY=nvrtc
  ARGUMENTS ${gpu_tiny} --scale 1 --write-profile ${gpu_profile}
  MATCH "note: no libnvrtc.so.[0-9]+ on the loader's path or in [^ ]+: cuDNN's plans" "1 ok")
busbar_train_test(gpu_replay NP 2 ARGUMENTS --compute replay --profile ${gpu_profile} --steps 2
  MATCH "resnet18/.*/replay/Fake GPU .host memory./" "2 ok")
set_tests_properties(mpi.train.gpu_write_profile.np1 PROPERTIES FIXTURES_SETUP gpu_profile)
set_tests_properties(mpi.train.gpu_replay.np2 PROPERTIES FIXTURES_REQUIRED gpu_profile)

# What goes wrong. The first step and the one that is captured are three calls each, and nothing is made of their results.
set(two_gpus FAKE_GPU_COUNT=2)
foreach(fault wrong_result nothing)
  busbar_gpu_train_test(fault_${fault} NP 2 EXIT 1 ENVIRONMENT ${two_gpus} "FAKE_GPU_FAULT=rank=1 kind=${fault} call=14"
    ARGUMENTS ${gpu_tiny} --scale 2
    MATCH "failed: (the weights of rank 1 differ from those of rank 0|rank 1 of the group: the sum of gradient [0-9]+ is)" "1 failed. run ended: failed")
endforeach()
busbar_gpu_train_test(fault_async_error NP 2 EXIT ${BUSBAR_EXIT_ABORTED} ENVIRONMENT ${two_gpus} "FAKE_GPU_FAULT=rank=1 kind=async_error call=8"
  ARGUMENTS ${gpu_tiny} --scale 2 --timeout 60 MATCH "busbar-train: rank [01] on .* failed on rank [01]: .*the communicator was aborted")
busbar_gpu_train_test(fault_hang NP 2 EXIT ${BUSBAR_EXIT_ABORTED} ENVIRONMENT ${two_gpus} "FAKE_GPU_FAULT=rank=1 kind=hang call=8"
  ARGUMENTS ${gpu_tiny} --scale 2 --timeout 10 MATCH "not done after 10 s|took longer than --timeout 10 s")
busbar_gpu_train_test(fault_out_of_memory NP 2 EXIT 2 ENVIRONMENT ${two_gpus} "FAKE_GPU_FAULT=rank=1 kind=out_of_memory bytes=30000000"
  ARGUMENTS ${gpu_tiny} --scale 2 TIMES "1:busbar-train: rank 1: out of memory")
busbar_gpu_train_test(fault_launch NP 2 EXIT ${BUSBAR_EXIT_ABORTED} ENVIRONMENT ${two_gpus} "FAKE_GPU_FAULT=rank=1 kind=launch_failure call=400"
  ARGUMENTS ${gpu_tiny} --scale 2 --timeout 60 MATCH "cudaErrorLaunchFailure")

# Wrong use: one line.
busbar_gpu_train_test(no_gpu NP 2 EXIT 2 ENVIRONMENT FAKE_GPU_COUNT=0 ARGUMENTS ${gpu_tiny}
  TIMES "1:^busbar-train: --compute cudnn: .*GPU")
busbar_gpu_train_test(one_gpu_for_two NP 2 EXIT 2 ARGUMENTS ${gpu_tiny}
  TIMES "1:^busbar-train: --compute cudnn: .*start one rank a GPU, or give --share-gpu")
busbar_gpu_train_test(little_memory NP 1 EXIT 2 ENVIRONMENT FAKE_GPU_MEMORY=1000000000 ARGUMENTS ${gpu_tiny}
  TIMES "1:--batch: rank 0 needs about [0-9.]+ GB on its GPU .Fake GPU .* 1.0 GB are free")
