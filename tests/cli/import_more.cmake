set(published "${TESTS}/../reports/examples/published")

run_expect(table RC 0 ERR "^$" OUT "^results/dell_r750xa_vm_bare_metal.VM.jsonl: 3 rows, 3 cases, 4 ranks on 4 nodes \\(resnet50\\)\nresults/dell_r750xa_vm_bare_metal.bare-metal.jsonl: 1 row, 1 case, 4 ranks on 4 nodes \\(resnet50\\)\n$"
  COMMAND ${BUSBAR} import ${published}/dell_r750xa_vm_bare_metal.csv)
run_expect(show_table RC 0 OUT "imported from [^\n]*bare_metal.csv\n.*label platform=VM\n.*single published figures: no interval.*\n +4 +10675.1 +- +3.87 +96.8 +- +384 +- +- +- +- +-  unknown\n"
  COMMAND ${BUSBAR} show results/dell_r750xa_vm_bare_metal.VM.jsonl)
run_expect(report_table RC 0 OUT "platform=bare metal \\(imported\\).*4 \\| 10675 \\| 10818 \\| .1.3 %.*against 1 rank of the same source: 2757 images/s"
  COMMAND ${BUSBAR} report results/dell_r750xa_vm_bare_metal.VM.jsonl results/dell_r750xa_vm_bare_metal.bare-metal.jsonl --format md -o -)
if(last_out MATCHES "Where the time of a step goes")
  message(FATAL_ERROR "a report shows parts of a step that nobody published")
endif()
run_expect(export_table RC 0 OUT "10675.0925,,,1,2757.21,3.87[0-9]*,0.96[0-9]*,,,,,,,,,,,,,,,,\n"
  COMMAND ${BUSBAR} export --format csv results/dell_r750xa_vm_bare_metal.VM.jsonl)
run_expect(jobs RC 0 OUT "2x1 +5400.0.*2x2 +11000.0.*about; two VMs" COMMAND ${CMAKE_COMMAND} -E env sh -c
  "${BUSBAR} import ${published}/dell_r750xa_vms_on_a_node.csv -o j.jsonl > /dev/null && ${BUSBAR} show j.jsonl")

file(WRITE "${WORK}/bad.csv" "collective,ranks,bytes,time_us\nallreduce,2,8,1\nallreduce,2,16,fast\n")
run_expect(bad_row RC 0 OUT "^b.jsonl: 1 row, 1 case" ERR "^busbar: bad.csv: 1 row left out: line 3: time_us: 'fast' is not a number above 0\n$"
  COMMAND ${BUSBAR} import bad.csv -o b.jsonl)
file(WRITE "${WORK}/unit.csv" "collective,ranks,bytes,latency\nallreduce,2,8,1\n")
run_expect(bad_unit RC 2 OUT "^$" ERR "^busbar: unit.csv: column 'latency' is no known figure with its unit; known are [^\n]*time_us[^\n]*\n$"
  COMMAND ${BUSBAR} import unit.csv)

set(logs "${TESTS}/import")
run_expect(horovod RC 0 ERR "^$" OUT "^results/horovod.pytorch.jsonl: 1 row, 1 case, 4 ranks \\(resnet50\\)\nresults/tf_cnn_benchmarks.horovod.jsonl: 1 row, 1 case, 2 ranks \\(resnet50\\)\n$"
  COMMAND ${BUSBAR} import ${logs}/horovod.pytorch.log ${logs}/tf_cnn_benchmarks.horovod.log)
run_expect(show_horovod RC 0 OUT "time: mean over iterations, of rank 0\n.* +4 +1280.7 .*1 ok" COMMAND ${BUSBAR} show results/horovod.pytorch.jsonl)
run_expect(report_training RC 0 OUT "horovod on gpu, weak scaling, batch 64 a rank" COMMAND ${BUSBAR} report results/horovod.pytorch.jsonl --format md -o -)
run_expect(cut_off RC 0 OUT "run ended: unknown: the log ends without a total" ERR "running mean at step 20"
  COMMAND ${BUSBAR} import ${logs}/tf_cnn_benchmarks.cut_off.log)
