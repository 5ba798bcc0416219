set(published "${TESTS}/../reports/examples/published/tables")

run_expect(table RC 0 ERR "^$" OUT "^results/dell_r750xa_vm_bare_metal.VM.jsonl: 3 rows, 3 cases, 4 ranks on 4 nodes \\(resnet50\\)\nresults/dell_r750xa_vm_bare_metal.bare-metal.jsonl: 1 row, 1 case, 4 ranks on 4 nodes \\(resnet50\\)\n$"
  COMMAND ${BUSBAR} import ${published}/dell_r750xa_vm_bare_metal.csv)
run_expect(show_table RC 0 OUT "imported from [^\n]*bare_metal.csv\n.*label platform=VM\n.*single published figures: no interval.*\n +4 +10675.1 +- +3.87 +96.8 +- +384 +- +- +- +- +- +-  unknown  B\n"
  COMMAND ${BUSBAR} show results/dell_r750xa_vm_bare_metal.VM.jsonl)
run_expect(report_table RC 0 OUT "platform=bare metal \\(imported\\).*4 \\| 10675 \\| 10818 \\| .1.3 %.*relative to 1 rank of the same source: 2757 images/s"
  COMMAND ${BUSBAR} report results/dell_r750xa_vm_bare_metal.VM.jsonl results/dell_r750xa_vm_bare_metal.bare-metal.jsonl --format md -o -)
if(last_out MATCHES "Step time breakdown")
  message(FATAL_ERROR "a report shows parts of a step that nobody published")
endif()
run_expect(export_table RC 0 OUT "10675.0925,,,1,2757.21,3.87[0-9]*,0.96[0-9]*,,,,,,,,,,,,,,,,,,,,,,,,,,B,one launch; no interval\n"
  COMMAND ${BUSBAR} export --format csv results/dell_r750xa_vm_bare_metal.VM.jsonl)
run_expect(jobs RC 0 OUT "2x1 +5400.0.*2x2 +11000.0.*about; two VMs" COMMAND ${CMAKE_COMMAND} -E env sh -c
  "${BUSBAR} import ${published}/dell_r750xa_vms_on_a_node.csv -o j.jsonl > /dev/null && ${BUSBAR} show j.jsonl")

file(WRITE "${WORK}/bad.csv" "collective,ranks,bytes,time_us\nallreduce,2,8,1\nallreduce,2,16,fast\n")
run_expect(bad_row RC 0 OUT "^b.jsonl: 1 row, 1 case" ERR "^busbar: bad.csv: 1 row left out: line 3: time_us: 'fast' is not a number above 0\n$"
  COMMAND ${BUSBAR} import bad.csv -o b.jsonl)
file(WRITE "${WORK}/unit.csv" "collective,ranks,bytes,latency\nallreduce,2,8,1\n")
run_expect(bad_unit RC 2 OUT "^$" ERR "^busbar: unit.csv: column 'latency' is not a known figure with its unit; known are [^\n]*time_us[^\n]*\n$"
  COMMAND ${BUSBAR} import unit.csv)

set(logs "${TESTS}/import")
run_expect(horovod RC 0 ERR "^$" OUT "^results/horovod.pytorch.jsonl: 1 row, 1 case, 4 ranks \\(resnet50\\)\nresults/tf_cnn_benchmarks.horovod.jsonl: 1 row, 1 case, 2 ranks \\(resnet50\\)\n$"
  COMMAND ${BUSBAR} import ${logs}/horovod.pytorch.log ${logs}/tf_cnn_benchmarks.horovod.log)
run_expect(show_horovod RC 0 OUT "time: mean over iterations, of rank 0\n.* +4 +1280.7 .*1 ok" COMMAND ${BUSBAR} show results/horovod.pytorch.jsonl)
run_expect(report_training RC 0 OUT "horovod on gpu, weak scaling, batch 64 a rank" COMMAND ${BUSBAR} report results/horovod.pytorch.jsonl --format md -o -)
run_expect(cut_off RC 0 OUT "run ended: unknown: the log ends without a total" ERR "running mean at step 20"
  COMMAND ${BUSBAR} import ${logs}/tf_cnn_benchmarks.cut_off.log)

run_expect(google RC 0 ERR "1 entry left out" OUT "^results/google_benchmark.jsonl: 5 rows, 5 cases, 1 rank on 1 node \\(functions\\); run ended: failed: 1 case failed\n$"
  COMMAND ${BUSBAR} import ${logs}/google_benchmark.json)
run_expect(report_google RC 0 OUT "functions by google-benchmark: .*BM\\\\_Sort&lt.int&gt./1024/real\\\\_time \\| 110 us.*BM\\\\_Broken \\| - \\| - \\| - \\| - \\| - \\| unknown \\| failed \\| +\\| no file to sort"
  COMMAND ${BUSBAR} report results/google_benchmark.jsonl --format md -o -)
run_expect(nvbandwidth RC 0 ERR "^$" OUT "^results/nvbandwidth.jsonl: 9 rows, 19 cases, 1 rank on 1 node \\(copies\\); run ended: failed: 2 tests failed\n$"
  COMMAND ${BUSBAR} import ${logs}/nvbandwidth.json)
run_expect(report_nvbandwidth RC 0 OUT "copy: device\\\\_to\\\\_device\\\\_memcpy\\\\_read\\\\_ce by nvbandwidth.*GPU0&lt.-GPU1 \\| - \\| - \\| - \\| 396.10"
  COMMAND ${BUSBAR} report results/nvbandwidth.jsonl --format md -o -)
if(last_out MATCHES "inf|nan|0 B")
  message(FATAL_ERROR "a report of copies shows what nobody measured: ${CMAKE_MATCH_0}\n${last_out}")
endif()
run_expect(nvbandwidth_size RC 0 COMMAND ${BUSBAR} import ${logs}/nvbandwidth.json --bytes 64M -o nvb.jsonl)
run_expect(show_size RC 0 OUT "read_ce by nvbandwidth, 64 MiB\n[^\n]*\n +169 us +- +- +396.10 +- +unknown  GPU0<-GPU1\n" COMMAND ${BUSBAR} show nvb.jsonl)
run_expect(bad_size RC 2 ERR "^busbar: --bytes: 'many' is not a size" COMMAND ${BUSBAR} import ${logs}/nvbandwidth.json --bytes many -o no.jsonl)
run_expect(param RC 0 OUT "param.jsonl: 5 rows, 5 cases, 16 ranks on 2 nodes \\(allreduce, alltoall\\)" COMMAND ${BUSBAR} import ${logs}/param.log)
run_expect(show_param RC 0 OUT "time: mean over iterations, median over ranks" COMMAND ${BUSBAR} show results/param.jsonl)

# What we export comes back with its keys.
set(record "${TESTS}/golden/polaris-n2.all_gather.setting1.jsonl")
run_expect(export_ours RC 0 COMMAND ${BUSBAR} export --format google-benchmark ${record} -o ours.json)
run_expect(import_ours RC 0 OUT "50 cases, 8 ranks on 2 nodes \\(export of busbar\\)" COMMAND ${BUSBAR} import ours.json -o back.jsonl)
file(READ "${record}" there)
file(READ "${WORK}/back.jsonl" back)
string(REGEX MATCHALL "\"id\":\"allgather[^\"]*\"" keys "${there}")
string(REGEX MATCHALL "\"id\":\"allgather[^\"]*\"" keys_back "${back}")
list(LENGTH keys count)
if(NOT count EQUAL 50 OR NOT keys STREQUAL keys_back)
  message(FATAL_ERROR "an export comes back with other keys:\n${keys}\n${keys_back}")
endif()

# All of it is what the schema says a record is; without the Python package jsonschema that is not looked at.
file(GLOB records "${WORK}/*.jsonl" "${WORK}/results/*.jsonl")
execute_process(COMMAND ${PYTHON} ${TESTS}/schema/validate_records.py ${records} RESULT_VARIABLE rc OUTPUT_VARIABLE out ERROR_VARIABLE err)
if(NOT rc EQUAL 0 AND NOT rc EQUAL 77)
  message(FATAL_ERROR "imported records are not what the schema says:\n${out}${err}")
endif()
