# Command-line tests of busbar-train, as in bench.cmake.
function(busbar_train_usage_test name says)
  if(BUSBAR_ONEDNN_MISSING AND NOT "--compute" IN_LIST ARGN)
    return()  # the first thing that is wrong is then the default of --compute
  endif()
  add_test(NAME cli.train.${name} COMMAND ${expect} --exit 2 --times "1:^busbar-train: " --match "^busbar-train: ${says}" --
           ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 2 $<TARGET_FILE:busbar-train> --noise 0 ${ARGN})
  set_tests_properties(cli.train.${name} PROPERTIES LABELS cli TIMEOUT 60 ENVIRONMENT "${mpi_environment}")
endfunction()

busbar_train_usage_test(unknown_model "--model: 'resnet51' .*known: resnet18, .*resnet152; to replay: bert-large" --model resnet51)
busbar_train_usage_test(unknown_replayed_model "no model 'resnet51' .*there are: bert-large" --compute replay --tflops 1 --model resnet51)
busbar_train_usage_test(unknown_profile "no profile 'h100' .*there are: a100-pcie" --compute replay --profile h100)
busbar_train_usage_test(replay_of_nothing "--compute replay: needs --profile, or --tflops" --compute replay)
busbar_train_usage_test(batch_beyond_memory ".*--batch: 100000 needs about [0-9.]+ GB .*2 ranks.*; [0-9.]+ GB are free" --batch 100000)
busbar_train_usage_test(scale_beyond_the_job "--scale: 4 ranks are wanted; this job has 2" --scale 1,4)
busbar_train_usage_test(jobs_beyond_the_job "--jobs: 3 ranks are wanted; this job has 2" --jobs 3)
busbar_train_usage_test(batch_not_divisible "--batch: 3 samples cannot be divided into 2 equal parts .1 rank x --micro-batches 2.; accepted: a multiple of 2, or --micro-batches that divide 3\n" --batch 3 --micro-batches 2)
busbar_train_usage_test(hierarchical_polled "--hierarchical: .*--overlap poll" --hierarchical --overlap poll)
busbar_train_usage_test(pipeline_of_onednn "--parallel pipeline: only with --compute replay" --parallel pipeline)
busbar_train_usage_test(more_stages_than_cuts "--scale: 2 stages cannot be made of vgg16's 16 layers with 0 possible cuts .--parallel pipeline.; accepted: 1\n" --compute replay --model vgg16 --tflops 1000 --parallel pipeline --scale 1,2 --batch 2)
busbar_train_usage_test(heads_not_divisible "--scale: 2 ranks cannot share gpt2-xl's 25 attention heads equally .--parallel tensor.; accepted: 1, 5, 25\n" --compute replay --model gpt2-xl --tflops 1000 --batch 2 --parallel tensor)
busbar_train_usage_test(layout_of_heads "--layout: 2 ranks cannot share gpt2-xl's 25 attention heads" --compute replay --model gpt2-xl --tflops 1000 --batch 2 --parallel tensor --layout 1x2)
busbar_train_usage_test(tensor_without_sums "--parallel tensor: resnet50 does not say" --compute replay --profile a100-pcie.resnet50.b1024 --parallel tensor)
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/negative.profile" "busbar-profile 1\nmodel m\n")
busbar_train_usage_test(broken_profile ".*negative.profile:[0-9]+: " --compute replay --profile ${CMAKE_CURRENT_BINARY_DIR}/negative.profile)

busbar_train_usage_test(profile_of_two_groups "--write-profile: needs .*one group size" --write-profile x.profile --scale 1,2)
busbar_train_usage_test(unwritable_profile "--write-profile: cannot write /proc/no/x" --write-profile /proc/no/x --scale 1)

busbar_train_usage_test(overlap_of_cpus_on_gpus "--overlap poll: --compute cudnn accepts none, stream" --compute cudnn --overlap poll)
busbar_train_usage_test(overlap_of_gpus_on_cpus "--overlap stream: only with --compute cudnn" --overlap stream)
busbar_train_usage_test(precision_of_onednn "--precision: unknown 'fp16'; known: fp32, bf16" --precision fp16)
busbar_train_usage_test(wire_of_pipelines "--wire: only with --parallel data; --parallel pipeline exchanges no gradients" --compute replay --profile a100-pcie.resnet50.b1024 --parallel pipeline --wire fp32)
busbar_train_usage_test(precision_of_replay "--precision: only with --compute onednn or cudnn" --precision bf16 --compute replay --profile a100-pcie.resnet50.b1024)
busbar_train_usage_test(unlike_wire "--wire fp16: with --precision bf16 gradients travel as fp32 or bf16" --compute cudnn --wire fp16)
busbar_train_usage_test(unknown_precision "--precision: unknown 'fp8'; known: bf16, fp16" --compute cudnn --precision fp8)
busbar_train_usage_test(norm_of_onednn "--norm, --no-graph, --share-gpu: only with --compute cudnn" --norm own)
busbar_train_usage_test(micro_batches_on_gpus "--micro-batches: not with --compute cudnn" --compute cudnn --micro-batches 2)
# A program without its parts, as one that was copied away from them.
if(TARGET busbar_module_cudnn)
  set(alone "${CMAKE_CURRENT_BINARY_DIR}/alone/bin")
  file(MAKE_DIRECTORY "${alone}")
  add_test(NAME cli.train.no_module COMMAND ${expect} --exit 2 --times "1:^busbar-train: --compute cudnn: .*busbar-cudnn.so is not there" --
           bash -c "cp \"$1\" \"$2\" && \"$2/busbar-train\" --compute cudnn --noise 0" bash $<TARGET_FILE:busbar-train> "${alone}")
  set_tests_properties(cli.train.no_module PROPERTIES LABELS cli TIMEOUT 60 ENVIRONMENT "${mpi_environment}")
endif()

# Which versions of libraries CMake takes, and what it leaves out.
foreach(test library_versions configure_without_onednn)
  add_test(NAME cli.${test} COMMAND ${CMAKE_COMMAND} "-DROOT=${PROJECT_SOURCE_DIR}" "-DWORK=${here}/${test}" "-DMAKE=${CMAKE_MAKE_PROGRAM}"
           -P "${CMAKE_CURRENT_LIST_DIR}/${test}.cmake")
  set_tests_properties(cli.${test} PROPERTIES LABELS cli TIMEOUT 120)
endforeach()

# The same program without oneDNN, linked anew from its objects.
if(NOT BUSBAR_ONEDNN_MISSING)
  busbar_add_missing_onednn(busbar_onednn_missing "there is no oneDNN in this test; nor \"OpenMP\"")
  target_link_libraries(busbar_onednn_missing PUBLIC busbar_workloads)
  add_executable(busbar-train-without-onednn $<TARGET_OBJECTS:busbar-train>)
  target_link_libraries(busbar-train-without-onednn PRIVATE busbar_train busbar_pipeline busbar_onednn_missing busbar_peak busbar_job
                        busbar_reducers)
  set(without $<TARGET_FILE:busbar-train-without-onednn>)
  set(a100 --compute replay --profile a100-pcie.resnet50.b1024)
  busbar_cli_test(train.without_onednn EXPECT --exit 2 --times "1:^busbar-train: --compute onednn: there is no oneDNN in this test. nor .OpenMP.. without it there is --compute replay --profile a100"
    COMMAND ${two_ranks} ${without} --noise 0)
  busbar_cli_test(train.without_onednn_replays EXPECT --match "1 ok, 0 skipped, 0 failed" COMMAND ${two_ranks} ${without} ${a100} --scale 2 --steps 2 --noise 0
    --out ${here}/without_onednn.jsonl --overwrite)
  busbar_cli_test(train.without_onednn_help EXPECT --match "not in this build" COMMAND ${without} --help-all)
  busbar_cli_test(train.without_onednn_list EXPECT --match "--compute onednn is not in this build: there is no oneDNN in this test" COMMAND ${without} --list)
  busbar_cli_test(train.without_onednn_links EXPECT --match "libmpi" --absent "dnnl|libgomp|libomp|libtbb" COMMAND ldd ${without})
endif()
busbar_cli_test(train.help EXPECT --match "[-]-scale" --match "Examples:" --match "Exit codes" COMMAND $<TARGET_FILE:busbar-train> --help-all)
busbar_cli_test(train.list EXPECT --match "resnet152" --match "vit-huge" --match "a100-pcie" COMMAND $<TARGET_FILE:busbar-train> --list)
busbar_cli_test(train.sigterm_ends_in_order EXPECT --exit 130 --match "run ended: interrupted" --match "[0-2] ok, ([0-2] partial, )?[0-2] skipped, 0 failed"
  COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/interrupt.sh" ${two_ranks} $<TARGET_FILE:busbar-train> --model resnet18 --image 32 --width 0.01 --time-budget 60 --out ${here}/interrupted_train.jsonl --overwrite)
# Images smaller than the window of a convolution: oneDNN names each primitive that it runs.
if(NOT BUSBAR_ONEDNN_MISSING)
  busbar_cli_test(train.no_reference_convolution EXPECT --match "convolution,[^,]+,backward_weights" --absent "convolution,ref"
    COMMAND ${CMAKE_COMMAND} -E env ONEDNN_VERBOSE=1 $<TARGET_FILE:busbar-train> --model resnet18 --image 64 --batch 1 --steps 2 --noise 0 --out ${here}/no_reference.jsonl --overwrite)
endif()
busbar_cli_test(train.full_device EXPECT --exit 4 --times "1:^busbar-train: cannot write /dev/full: No space left on device" --match "run ended: output"
  COMMAND ${two_ranks} $<TARGET_FILE:busbar-train> --model resnet18 --image 32 --steps 2 --out /dev/full --overwrite)
