run_expect(import RC 0 COMMAND ${BUSBAR} import ${TESTS}/import/wrong_values.log -o w.jsonl)
run_expect(help RC 0 OUT "google-benchmark: .*csv: .*--max-repetitions.*compare.py" COMMAND ${BUSBAR} export --help-all)

run_expect(google RC 0 OUT "\"name\": \"allreduce/nccl/device/fp32/sum/out_of_place/ranks:2/nodes:2/ranks_per_node:1/streaming/bytes:1024\""
  COMMAND ${BUSBAR} export --format google-benchmark w.jsonl)
string(JSON n LENGTH "${last_out}" benchmarks)
string(JSON unit GET "${last_out}" benchmarks 0 time_unit)
string(JSON failed GET "${last_out}" benchmarks 3 error_occurred)
if(NOT "${n} ${unit} ${failed}" STREQUAL "4 ns ON")
  message(FATAL_ERROR "expected four entries in ns, the last an error: ${n} ${unit} ${failed}\n${last_out}")
endif()

run_expect(csv RC 0 OUT "^run_id,origin,.*size_bytes,.*time_s,algbw_GBps,.*\nimport-[0-9a-f]+,imported,nccl-tests,.*,1024,256,false,2,2,1,.*,2.025e-05,"
  COMMAND ${BUSBAR} export --format csv w.jsonl)
run_expect(to_file RC 0 OUT "^$" COMMAND ${BUSBAR} export --format csv w.jsonl -o new/w.csv)
file(READ "${WORK}/new/w.csv" written)
if(NOT written STREQUAL last_out AND NOT written MATCHES "^run_id,.*\n$")
  message(FATAL_ERROR "the file holds something else: ${written}")
endif()
run_expect(again RC 2 ERR "--out: new/w.csv exists; name another file, or add --overwrite"
  COMMAND ${BUSBAR} export --format csv w.jsonl -o new/w.csv)
run_expect(overwrite RC 0 COMMAND ${BUSBAR} export --format csv w.jsonl -o new/w.csv --overwrite)
run_expect(unwritable RC 2 ERR "--out: cannot write /proc/none/x.csv" COMMAND ${BUSBAR} export --format csv w.jsonl -o /proc/none/x.csv)
run_expect(full_disk RC 4 ERR "cannot write /dev/full" COMMAND ${BUSBAR} export --format csv w.jsonl -o /dev/full --overwrite)
run_expect(format RC 2 ERR "--format: no 'xml'; there is: google-benchmark, csv" COMMAND ${BUSBAR} export --format xml w.jsonl)
run_expect(no_format RC 2 ERR "name either --for-registry or --format: google-benchmark, csv" COMMAND ${BUSBAR} export w.jsonl)
run_expect(no_record RC 2 ERR "none.jsonl: cannot be read" COMMAND ${BUSBAR} export --format csv none.jsonl)
