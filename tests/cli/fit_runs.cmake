file(ARCHIVE_EXTRACT INPUT "${TESTS}/../reports/examples/nccl-tests-logs/records.tar.xz" DESTINATION "${WORK}/logs")
set(logs "${WORK}/logs/records")
set(published "${TESTS}/../reports/examples/published/records")
set(dell "${published}/dell_r750xa_vm_bare_metal.VM.jsonl")
foreach(scale n2 n8)
  foreach(collective all_reduce all_gather)
    list(APPEND polaris "${logs}/polaris-${scale}.${collective}.setting4.jsonl")
  endforeach()
endforeach()

# Fitting
run_expect(help RC 0 OUT "FILE.*--collective.*--by.*--pool.*--platform.*--topology" COMMAND ${BUSBAR} fit --help-all)
run_expect(fit RC 0 OUT "time = call . step x steps.*allreduce, setting=4, system=polaris.*between nodes, 2, 8 nodes of 4 ranks.*4 B to .*tree.*to 1 GiB +ring.*The curve changes between "
  ERR "^$" COMMAND ${BUSBAR} fit ${polaris} --collective allreduce)
run_expect(write RC 0 COMMAND ${BUSBAR} fit ${polaris} --collective allreduce -o fit.json)
run_expect(json RC 0 OUT "^{\n" COMMAND ${BUSBAR} fit ${polaris} --collective allreduce --format json)
string(JSON format GET "${last_out}" format)
string(JSON level GET "${last_out}" sweeps 0 sweep level)
string(JSON last GET "${last_out}" sweeps 0 regions 0 first_bytes)
if(NOT "${format} ${level} ${last}" STREQUAL "busbar fit between nodes 4")
  message(FATAL_ERROR "unexpected JSON: ${format} ${level} ${last}")
endif()
run_expect(one_scale RC 0 OUT "what.a.call.takes:.about.8.us.of.nccl.is.known" COMMAND ${BUSBAR} fit ${logs}/sophia-n2.all_reduce.setting2.jsonl)

# LogGP of pairs: 2 us and 10 GB/s of single messages, 0.5 us and 12 GB/s of a stream
set(latency "# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size         Avg Latency(us)\n")
set(stream "# OSU MPI Bandwidth Test v7.4\n# Datatype: MPI_CHAR.\n# Size        Bandwidth (MB/s)\n")
foreach(row "1 2.00" "64 2.01" "4096 2.41" "65536 8.55" "1048576 106.86" "16777216 1679.72")
  string(APPEND latency "${row}\n")
endforeach()
foreach(row "1 2.00" "64 126.60" "4096 4869.24" "65536 10993.24" "1048576 11931.73" "16777216 11995.71")
  string(APPEND stream "${row}\n")
endforeach()
file(WRITE "${WORK}/pairs.txt" "${latency}\n${stream}")
run_expect(pairs RC 0 COMMAND ${BUSBAR} import pairs.txt --ranks 2 --nodes 2 --out-dir pairs)
run_expect(loggp RC 0 OUT "LogGP of messages between two ranks.*mpi +between nodes +2 .*0.5 .*12 .*L . 2o: pingpong.*g: unidirectional.*G: unidirectional.*Unknown: o and L cannot be separated"
  COMMAND ${BUSBAR} fit pairs)
run_expect(unknown_nodes RC 0 COMMAND ${BUSBAR} import pairs.txt --ranks 2 --out-dir nowhere)
run_expect(no_nodes RC 1 OUT "^$" ERR "^busbar: no case of these records can be fitted[^\n]*\n$" COMMAND ${BUSBAR} fit nowhere)
run_expect(nothing RC 2 ERR "FILE is required" COMMAND ${BUSBAR} fit)
run_expect(unknown_by RC 2 OUT "^$" ERR "^busbar: --by: no run has 'colour'[^\n]*\n$" COMMAND ${BUSBAR} fit ${polaris} --by colour)
run_expect(bad_library RC 2 OUT "^$"
  ERR "^busbar: --library: 'nccl' is none of auto, none, nccl-VERSION, [^\n]*open-mpi-VERSION[^\n]*\n$" COMMAND ${BUSBAR} fit ${polaris} --library nccl)
run_expect(library RC 0 COMMAND ${BUSBAR} fit ${polaris} --collective allreduce --library nccl-2.18 --format json)
string(JSON library GET "${last_out}" sweeps 0 sweep library)
string(JSON device GET "${last_out}" sweeps 0 sweep device)
if(NOT "${library}, ${device}" STREQUAL "NCCL 2.18, NVIDIA A100-SXM4-40GB")
  message(FATAL_ERROR "unexpected library or device: ${library}, ${device}")
endif()
run_expect(no_library RC 0 OUT "in.the.call" COMMAND ${BUSBAR} fit ${logs}/sophia-n2.all_reduce.setting2.jsonl --library none)
run_expect(bad_spread RC 2 OUT "^$" ERR "^busbar: --launch-spread: 'wide'[^\n]*\n$"
  COMMAND ${BUSBAR} fit ${polaris} --launch-spread wide)
run_expect(hostile RC 0 COMMAND ${BUSBAR} fit ${TESTS}/golden/report/input/vm.jsonl ${TESTS}/golden/report/input/metal.jsonl)

# A platform to simulate
run_expect(platform RC 0 OUT "p.xml: 128 nodes of 4 GPUs, .*GB/s of a node,.fitted:.allreduce, setting=4"
  COMMAND ${BUSBAR} fit ${polaris} --collective allreduce --platform p.xml --nodes 128)
file(STRINGS "${WORK}/p.xml" settings REGEX "bw-factor|lat-factor|crosstraffic|busbar.interconnect")
if(NOT settings MATCHES "crosstraffic\" value=\"0\".*bw-factor\" value=\"0:1\".*lat-factor\" value=\"0:1\".*interconnect\" value=\"fitted\"")
  message(FATAL_ERROR "a calibrated platform without its settings: ${settings}")
endif()
run_expect(platform_of_pairs RC 0 OUT "2 nodes of 1 GPU, 2 us between nodes, 10 GB/s of a node, fitted: pair.pingpong"
  COMMAND ${BUSBAR} fit pairs --platform pairs.xml)
run_expect(several_environments RC 2 OUT "^$" ERR "^busbar: --platform: the runs are from several environments: [^\n]*\n$"
  COMMAND ${BUSBAR} fit ${polaris} ${logs}/polaris-n2.all_reduce.setting3.jsonl --platform p.xml)
file(WRITE "${WORK}/allreduce.txt" "# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n4 5.10\n64 5.20\n4096 9.10\n65536 40.00\n")
run_expect(one_mpi_scale RC 0 COMMAND ${BUSBAR} import allreduce.txt --ranks 8 --nodes 2 --out-dir mpi)
run_expect(step_in_call RC 0 OUT "in the call" COMMAND ${BUSBAR} fit mpi)
run_expect(no_step RC 2 OUT "^$" ERR "^busbar: --platform: the cost of a message between nodes is unknown: [^\n]*\n$"
  COMMAND ${BUSBAR} fit mpi --platform p.xml)

# Predicting from records and from a fit comes to the same
run_expect(predict_help RC 0 OUT "FILE.*--nodes.*--sizes.*--allowance.*--simulated.*--training.*--line-rate" COMMAND ${BUSBAR} predict --help-all)
run_expect(predict RC 0 OUT "What is assumed\n\n1. NCCL.s own model.*2. Measured on 2, 8 nodes.*What follows.*Predicted: allreduce, setting=4.*\n +128 x 4 +8 B +[0-9.]+ us.* 128 x 4 +1 GiB +[0-9.]+ ms"
  ERR "^$" COMMAND ${BUSBAR} predict ${polaris} --collective allreduce --nodes 128 --sizes 8,1GiB)
set(from_records "${last_out}")
run_expect(predict_from_fit RC 0 COMMAND ${BUSBAR} predict fit.json --nodes 128 --sizes 8,1GiB)
if(NOT last_out STREQUAL from_records)
  message(FATAL_ERROR "a fit leads to another prediction than its records:\n${last_out}\n${from_records}")
endif()
run_expect(no_library_no_model RC 0 OUT "What is assumed\n\n1. Measured on 2, 8 nodes"
  COMMAND ${BUSBAR} predict ${polaris} --collective allreduce --nodes 128 --sizes 8,1GiB --library none)
run_expect(library_of_a_fit RC 2 OUT "^$" ERR "^busbar: --library: only with records[^\n]*\n$"
  COMMAND ${BUSBAR} predict fit.json --nodes 128 --library none)
run_expect(predict_file RC 0 COMMAND ${BUSBAR} predict fit.json --nodes 128,540 -o prediction.json)
run_expect(in_report RC 0 OUT "## Predicted on more nodes.*Predicted by busbar predict, not measured.*Predicted: allreduce"
  COMMAND ${BUSBAR} report ${polaris} --predict prediction.json -o - --format md)
run_expect(in_page RC 0 COMMAND ${BUSBAR} report ${polaris} --predict prediction.json -o page.html)
file(READ "${WORK}/page.html" page)
if(NOT page MATCHES "1 GiB, predicted")
  message(FATAL_ERROR "the page has no predicted line")
endif()
run_expect(no_prediction_no_section RC 0 COMMAND ${BUSBAR} report ${polaris} -o - --format md)
if(last_out MATCHES "Predicted")
  message(FATAL_ERROR "a report without a prediction has its section")
endif()
run_expect(not_over_it RC 2 ERR "-o: prediction.json is one of the files to read"
  COMMAND ${BUSBAR} report ${polaris} --predict prediction.json -o prediction.json)

# The topology narrows the interval upwards. Alone on the network the upper limit is lower.
run_expect(topology RC 0 OUT "A single switch, as given.*Predicted: allreduce" COMMAND ${BUSBAR} predict fit.json --nodes 540 --sizes 1GiB --topology single-switch)
if(last_out MATCHES "alone up to")
  message(FATAL_ERROR "nobody shares the links of a single switch:\n${last_out}")
endif()
run_expect(topology_of_platform RC 0 OUT "A fat tree with as many links up as down, as given" COMMAND ${BUSBAR} predict fit.json --nodes 540 --sizes 1GiB --topology fat-tree:2-level)
run_expect(shared RC 0 OUT "topology is unknown..--topology names it.*Predicted: allreduce.*alone up to.*540 x 4 +1 GiB +[0-9.]+ ms +[0-9.]+ to [0-9.]+ ms +[0-9.]+ ms "
  COMMAND ${BUSBAR} predict fit.json --nodes 540 --sizes 1GiB)
run_expect(no_topology RC 2 OUT "^$" ERR "^busbar: --topology: no 'mesh'; there is: unknown, single-switch, [^\n]*\n$" COMMAND ${BUSBAR} predict fit.json --nodes 540 --topology mesh)
# Times that no curve describes
run_expect(not_described RC 0 OUT "Not predicted: allgather.*the.model.does.not.describe.128.B.to.128.KiB:.measured.times.are.off.by.a.factor.of.1[.]74.*Not predicted, since no curve describes these sizes:.allgather.* 128 x 4 +1 KiB +[0-9]+ us  a line over log2.nodes."
  COMMAND ${BUSBAR} predict ${logs}/polaris-n2.all_gather.setting3.jsonl ${logs}/polaris-n8.all_gather.setting3.jsonl --nodes 128)

# A prediction is no record
run_expect(compare_refuses RC 2 OUT "^$" ERR "prediction.json" COMMAND ${BUSBAR} compare prediction.json ${dell})
run_expect(show_refuses RC 2 OUT "^$" ERR "prediction.json" COMMAND ${BUSBAR} show prediction.json)

# Trainings
run_expect(training RC 0 OUT "a ring over links of 12.5 GB/s .100gbe.*25557032 gradients, from the tensors of resnet50.json.*5 buckets as fp32, 3 as fp16.*so 4[ \n]readings have equal[ \n]standing.*Predicted: resnet50.* 2  measured +5391.75 .*\n +2  fp32, no overlap +5395.32 .*.0.07 %\n +2  fp32, bucket overlap +5502.83 .*\n +2  fp16, no overlap +5454.19 .*\n +2  fp16, bucket overlap +5492.90 .*\n +4  fp32, no overlap +10674.53 .* .0.01 %\n.*\n +4  fp16, bucket overlap[^\n]* .2.71 %\n.*Other scenarios.*full overlap +5514.42 "
  COMMAND ${BUSBAR} predict --training ${dell} --nodes 2,4 --line-rate 100gbe --latency 2us)
run_expect(training_fp16 RC 0 OUT "Predicted: resnet50.*\n +2  fp16, full overlap +5514.42 .*Other scenarios.*fp32, no overlap"
  COMMAND ${BUSBAR} predict --training ${dell} --nodes 2 --interconnect 100gbe --gradients fp16 --overlap backward)
run_expect(training_buckets RC 0 OUT "2 buckets as fp32, 2 as fp16: closed.at.1000.MiB,.the.first.at.1.MiB..as.given"
  COMMAND ${BUSBAR} predict --training ${dell} --nodes 2 --line-rate 100gbe --fusion-mb 1000)
run_expect(training_over_logs RC 2 OUT "^$" ERR "^busbar: --network: its allreduce ran with 4 ranks on a node, the training with 1; measure one with as many\n$"
  COMMAND ${BUSBAR} predict --training ${dell} --nodes 4 --network ${polaris})
run_expect(no_rate RC 2 OUT "^$" ERR "^busbar: --training: say what gradients cross: --line-rate 100gbe[^\n]*\n$"
  COMMAND ${BUSBAR} predict --training ${dell} --nodes 2)
run_expect(bad_latency RC 2 OUT "^$" ERR "^busbar: --latency: 'soon'[^\n]*\n$"
  COMMAND ${BUSBAR} predict --training ${dell} --nodes 2 --line-rate 100gbe --latency soon)
run_expect(no_training RC 1 OUT "^$" ERR "^busbar: --training: no training in these records\n$"
  COMMAND ${BUSBAR} predict --training ${polaris} --nodes 2 --line-rate 100gbe)

# Wrong input
run_expect(no_nodes_asked RC 2 ERR "--nodes is required" COMMAND ${BUSBAR} predict fit.json)
run_expect(bad_nodes RC 2 OUT "^$" ERR "^busbar: --nodes: 'many'[^\n]*\n$" COMMAND ${BUSBAR} predict fit.json --nodes many)
run_expect(bad_size RC 2 OUT "^$" ERR "^busbar: --sizes: 'big' is not a size[^\n]*\n$"
  COMMAND ${BUSBAR} predict fit.json --nodes 128 --sizes big)
run_expect(too_large RC 1 OUT "^$" ERR "^busbar: nothing is predicted: [^\n]*4 GiB is outside the measured sizes, 4 B to 1 GiB[^\n]*\n$"
  COMMAND ${BUSBAR} predict fit.json --nodes 128 --sizes 4GiB)
file(WRITE "${WORK}/broken.json" "{\"format\": \"busbar fit\", \"version\": 1, \"sweeps\": [3]}")
run_expect(broken RC 2 OUT "^$" ERR "^busbar: broken.json: [^\n]*\n$"
  COMMAND ${BUSBAR} predict broken.json --nodes 128)
run_expect(no_fit RC 2 OUT "^$" ERR "^busbar: prediction.json: is not a fit; busbar fit -o writes one\n$"
  COMMAND ${BUSBAR} predict prediction.json --nodes 128)
run_expect(no_prediction RC 2 OUT "^$" ERR "^busbar: fit.json: is not a prediction; busbar predict -o writes one\n$"
  COMMAND ${BUSBAR} report ${polaris} --predict fit.json -o page.html)
# What was simulated: here copies of records, so that each ratio is 1
foreach(scale n2 n8)
  file(READ "${logs}/polaris-${scale}.all_reduce.setting4.jsonl" record)
  string(REPLACE "\"origin\":\"imported\"" "\"origin\":\"simulated\"" record "${record}")
  file(WRITE "${WORK}/simulated/${scale}.jsonl" "${record}")
endforeach()
run_expect(simulated RC 0 OUT "What is assumed.*Simulated times are scaled by the ratio of measured.*Predicted: allreduce.* 8 x 4 +1 GiB +57.7 ms .*simulated"
  COMMAND ${BUSBAR} predict ${polaris} --collective allreduce --simulated simulated --nodes 8 --sizes 1GiB)
run_expect(simulation_is_no_measurement RC 2 OUT "^$" ERR "^busbar: FILE: [^\n]* is simulated\n$"
  COMMAND ${BUSBAR} predict simulated --simulated simulated --nodes 8)
run_expect(not_simulated RC 2 OUT "^$" ERR "^busbar: --simulated: [^\n]* is not simulated\n$"
  COMMAND ${BUSBAR} predict ${polaris} --simulated ${polaris} --nodes 128)
