set(good "${TESTS}/import/polaris-n2.all_gather.setting1.log")
set(crashed "${TESTS}/import/sophia-n2.all_reduce.setting1.log")
set(made_up "${TESTS}/golden/report/input")

run_expect(import RC 0 COMMAND ${BUSBAR} import ${good} ${crashed})
run_expect(nothing RC 0 ERR "^$" OUT "^polaris-n2.all_gather.setting1 \\(imported\\): no findings in 50 cases\n\nLooked for: wrong_data, ended_early, failed_cases, dip, step, falling_time. The record has no data\nfor: contended_cpus, throttled_gpus, [^.]+\\.\n+$"
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

run_expect(list RC 0 OUT "^wrong_data +a check found wrong results\n.*\ndip +one size" COMMAND ${BUSBAR} explain --list)
run_expect(help RC 0 OUT "FILE.*--format.*--list.*Examples.*Exit codes" COMMAND ${BUSBAR} explain --help-all)
run_expect(no_file RC 2 OUT "^$" ERR "^busbar: FILE: name a record to explain, or list the rules with --list\n$" COMMAND ${BUSBAR} explain)
run_expect(not_there RC 2 OUT "^$" ERR "^busbar: none.jsonl: cannot be read: No such file" COMMAND ${BUSBAR} explain none.jsonl)
run_expect(format RC 2 ERR "--format: unknown .xml.; known: text, md, json" COMMAND ${BUSBAR} explain --format xml ${made_up}/vm.jsonl)
