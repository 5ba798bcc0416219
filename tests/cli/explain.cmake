set(good "${TESTS}/import/polaris-n2.all_gather.setting1.log")
set(crashed "${TESTS}/import/sophia-n2.all_reduce.setting1.log")
set(made_up "${TESTS}/golden/report/input")

run_expect(import RC 0 COMMAND ${BUSBAR} import ${good} ${crashed})
run_expect(nothing RC 0 ERR "^$" OUT "^polaris-n2.all_gather.setting1 \\(imported\\): no findings in 50 cases\n\nLooked for: wrong_data, ended_early, failed_cases, dip, step, falling_bandwidth, falling_time. The\nrecord has no data for: contended_cpus, throttled_gpus, [^.]+\\.\n+$"
  COMMAND ${BUSBAR} explain results/polaris-n2.all_gather.setting1.jsonl)
run_expect(crash RC 0 OUT "1 finding in 0 cases.*1. the run ended early: aborted\n +certainty +known \\(rule ended_early\\)\n.*unhandled system error.*try .*NCCL_DEBUG=INFO"
  COMMAND ${BUSBAR} explain results/sophia-n2.all_reduce.setting1.jsonl)
run_expect(folder RC 0 OUT "^polaris-n2.all_gather.setting1 .*\nsophia-n2.all_reduce.setting1" COMMAND ${BUSBAR} explain results)
run_expect(several RC 0 OUT "^platform=vm: [0-9]+ findings in 40 cases.*1. results were wrong in 1 of 37 cases.*\nplatform=metal: [0-9]+ findings"
  COMMAND ${BUSBAR} explain ${made_up}/vm.jsonl ${made_up}/metal.jsonl)
run_expect(hostile RC 0 OUT "1 of 10 cases failed" COMMAND ${BUSBAR} explain ${made_up}/hostile.jsonl)

run_expect(json RC 0 ERR "^$" COMMAND ${BUSBAR} explain --format json ${made_up}/vm.jsonl)
string(JSON rule GET "${last_out}" runs 0 findings 0 rule)
string(JSON ranks GET "${last_out}" runs 0 findings 0 where ranks 0)
if(NOT rule STREQUAL "wrong_data" OR NOT ranks EQUAL 2)
  message(FATAL_ERROR "not what was expected: ${rule}, ${ranks}\n${last_out}")
endif()
run_expect(markdown RC 0 OUT "^# busbar explain\n.*\n## platform=vm: [0-9]+ findings in 40 cases\n\n### 1. results were wrong in 1 of 37 cases\n\n- certainty: known \\(rule wrong.?_data\\)\n- evidence: "
  COMMAND ${BUSBAR} explain --format md ${made_up}/vm.jsonl)

# What the lost efficiency of trainings consists of.
run_expect(losses RC 0 ERR "^$" OUT "^Where the efficiency went\n\nresnet50, .*4 ranks on 1 node: efficiency 92.3 %, 1.16 s a step, 88.6 ms of it lost\n.*exchange +52.000 .*host +36.000.*measured loss +88.600.*measure +mpirun -np 4 busbar-bench allreduce -b 8 -e 32M.*not divided: only data-parallel"
  COMMAND ${BUSBAR} explain ${made_up}/training.jsonl)
run_expect(losses_json RC 0 ERR "^$" COMMAND ${BUSBAR} explain --format json ${made_up}/training.jsonl)
string(JSON cause GET "${last_out}" losses 0 scales 1 parts 0 cause)
if(NOT cause STREQUAL "exchange")
  message(FATAL_ERROR "not what was expected: ${cause}\n${last_out}")
endif()

run_expect(list RC 0 OUT "^wrong_data +a check found wrong results\n.*\ndip +one size" COMMAND ${BUSBAR} explain --list)
run_expect(help RC 0 OUT "FILE.*--format.*--list.*Examples.*Exit codes" COMMAND ${BUSBAR} explain --help-all)
run_expect(no_file RC 2 OUT "^$" ERR "^busbar: FILE: name a record to explain, or list the rules with --list\n$" COMMAND ${BUSBAR} explain)
run_expect(not_there RC 2 OUT "^$" ERR "^busbar: none.jsonl: cannot be read: No such file" COMMAND ${BUSBAR} explain none.jsonl)
run_expect(format RC 2 ERR "--format: unknown .xml.; known: text, md, json" COMMAND ${BUSBAR} explain --format xml ${made_up}/vm.jsonl)

# All pairs of 6 hosts in one folder; node3 is slow with whichever partner.
foreach(a RANGE 1 5)
  math(EXPR next "${a} + 1")
  foreach(b RANGE ${next} 6)
    math(EXPR us "1000 + 7 * ((${a} * 5 + ${b} * 3) % 4)")
    if(a EQUAL 3 OR b EQUAL 3)
      math(EXPR us "${us} * 3 / 2")
    endif()
    set(rows "")
    foreach(size 33554432 67108864)
      math(EXPR count "${size} / 4")
      math(EXPR time "${us} * ${size} / 33554432")
      math(EXPR centi "${size} / ${time} / 10")
      string(REGEX REPLACE "(..)$" ".\\1" bandwidth "${centi}")
      string(APPEND rows "${size} ${count} float none -1 ${time} ${bandwidth} ${bandwidth} 0 ${time} ${bandwidth} ${bandwidth} N/A\n")
    endforeach()
    file(WRITE "${WORK}/fleet/pair-${a}-${b}.log" "# nccl-tests version 2.17.6\n# Collective test starting: sendrecv_perf\n\
# nThread 1 nGpus 1 minBytes 33554432 maxBytes 67108864 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0\n\
# Using devices\n#  Rank  0 Group  0 Pid  1 on node${a} device  0 [0000:61:00] NVIDIA H100\n\
#  Rank  1 Group  0 Pid  2 on node${b} device  0 [0000:62:00] NVIDIA H100\n\
#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong\n\
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)\n\
${rows}# Out of bounds values : 0 OK\n# Collective test concluded: sendrecv_perf\n")
  endforeach()
endforeach()
run_expect(fleet_import RC 0 OUT "results/fleet/pair-1-2.jsonl: 2 rows, 4 cases, 2 ranks on 2 nodes" COMMAND ${BUSBAR} import fleet --out-dir results/fleet)
run_expect(fleet RC 0 ERR "^$" OUT "^All hosts\n\n15 runs in 15 launches, 1 test on 6 hosts. Slow: host node3 \\(1.[45][0-9]x\\)..*Findings in 15 runs"
  COMMAND ${BUSBAR} explain results/fleet)
run_expect(drain RC 0 OUT "node3 +drain +1.[45][0-9]x +1.[45][0-9]x as long as usual in 1 of 1 tests" COMMAND ${BUSBAR} explain results/fleet --drain)
run_expect(drain_json RC 0 OUT "^{\"because\":\"[^\n]*\",\"host\":\"node3\",\"time_over_usual\":1.[45][0-9]*,\"verdict\":\"drain\"}\n$"
  COMMAND ${BUSBAR} explain results/fleet --drain --format json)
run_expect(fleet_json RC 0 COMMAND ${BUSBAR} explain results/fleet --format json)
string(JSON slow GET "${last_out}" fleet slow 0 hosts 0)
if(NOT slow STREQUAL "node3")
  message(FATAL_ERROR "the JSON names ${slow} as slow")
endif()
run_expect(fleet_report RC 0 OUT "## All hosts\n.*Slow hosts.*\\| node3 +\\|" COMMAND ${BUSBAR} report results/fleet -o - --format md)
run_expect(no_fleet RC 2 ERR "^busbar: --drain: the records do not compare hosts; it takes 5 launches" COMMAND ${BUSBAR} explain ${made_up}/vm.jsonl --drain)
