set(log "${TESTS}/import/polaris-n2.all_gather.setting1.log")
set(records "${TESTS}/golden/report/input")
run_expect(import RC 0 COMMAND ${BUSBAR} import ${log} -o polaris.jsonl)

run_expect(help RC 0 OUT "FILE.*--line-rate.*8x200Gb/s.*--format" COMMAND ${BUSBAR} expect --help-all)
run_expect(unknown RC 0 OUT "No ceiling: polaris .imported..*allgather; 8 ranks.*network between nodes.*give[ \n]+the[ \n]+rate[ \n]+with[ \n]+--line-rate"
  ERR "^$" COMMAND ${BUSBAR} expect polaris.jsonl)
run_expect(given RC 0 OUT "allgather: polaris.*ceiling +25.00 GB/s busbw: network between nodes.*25 GB/s out of each node.* 1 GiB +9.00 +25.00 +36.0 % +unknown +unknown\n"
  COMMAND ${BUSBAR} expect polaris.jsonl --line-rate 200Gb/s)
run_expect(two_nics RC 0 OUT " 1 GiB +9.00 +50.00 +18.0 %" COMMAND ${BUSBAR} expect polaris.jsonl --line-rate 2x200Gb/s)
run_expect(above RC 0 OUT " 1 GiB +9.00 +6.25 +144.0 % \\*.*\\* Above 100 % at .*Is[ \n]+it[ \n]+the[ \n]+sum[ \n]+over[ \n]+all[ \n]+NICs"
  COMMAND ${BUSBAR} expect polaris.jsonl --line-rate 50gbe)
run_expect(markdown RC 0 OUT "### allgather: polaris.*\\| 1 GiB \\| 9.00 \\| 25.00 \\| 36.0 % "
  COMMAND ${BUSBAR} expect polaris.jsonl --line-rate 25GB/s --format md)
run_expect(facts RC 0 OUT "each node: 1 x 100 Gbit/s RoCE .mlx5_0.*2.0 % deducted: .*MTU[ \n]+9000.*vm-1: the driver of eth0[ \n]+does[ \n]+not[ \n]+report"
  COMMAND ${BUSBAR} expect ${records}/metal.jsonl ${records}/vm.jsonl)

run_expect(json RC 0 OUT "^{\n" COMMAND ${BUSBAR} expect polaris.jsonl --line-rate 200Gb/s --format json)
string(JSON achieved GET "${last_out}" series 0 points 23 achieved)
string(JSON bytes GET "${last_out}" series 0 points 23 bytes)
string(JSON what GET "${last_out}" series 0 points 23 ceilings 0 what)
string(JSON by_user GET "${last_out}" series 0 points 23 ceilings 0 given_by_user)
string(JSON wire TYPE "${last_out}" series 0 points 23 node_wire_GBps)
if(NOT "${bytes} ${what} ${by_user} ${wire}" STREQUAL "1073741824 network between nodes ON NULL" OR NOT achieved MATCHES "^0.3599|^0.36")
  message(FATAL_ERROR "unexpected JSON: ${bytes} ${what} ${by_user} ${wire} ${achieved}")
endif()

run_expect(report RC 0 OUT "## Achieved and expected bandwidth.*25.00 GB/s busbw: network between nodes"
  COMMAND ${BUSBAR} report polaris.jsonl --line-rate 200Gb/s -o - --format md)
run_expect(no_ceiling_no_section RC 0 COMMAND ${BUSBAR} report polaris.jsonl -o - --format md)
if(last_out MATCHES "expected bandwidth")
  message(FATAL_ERROR "a section without any ceiling was not left out")
endif()
run_expect(report_bad_rate RC 2 OUT "^$" ERR "^busbar: --line-rate: '25' is not the rate[^\n]*\n$"
  COMMAND ${BUSBAR} report polaris.jsonl --line-rate 25 -o r.html)

run_expect(bad_rate RC 2 OUT "^$" ERR "^busbar: --line-rate: 'fast' is not the rate of a node in one direction; use 200Gb/s, [^\n]*8x200Gb/s[^\n]*\n$"
  COMMAND ${BUSBAR} expect polaris.jsonl --line-rate fast)
run_expect(ambiguous RC 2 ERR "'200gb/s' is not the rate" COMMAND ${BUSBAR} expect polaris.jsonl --line-rate 200gb/s)
run_expect(training RC 1 OUT "^$" ERR "^busbar: no case of these records has a busbw[^\n]*\n$"
  COMMAND ${BUSBAR} expect ${records}/training.jsonl)
run_expect(no_file RC 2 ERR "none.jsonl: cannot be read" COMMAND ${BUSBAR} expect none.jsonl)
run_expect(nothing RC 2 ERR "FILE is required" COMMAND ${BUSBAR} expect)
run_expect(format RC 2 ERR "--format" COMMAND ${BUSBAR} expect polaris.jsonl --format html)
run_expect(hostile RC 0 COMMAND ${BUSBAR} expect ${records}/hostile.jsonl --line-rate 200Gb/s)

# What others got, from a folder of our own: the installed one grows.
file(WRITE "${WORK}/others/known/page.json" [=[{"format": "busbar known results", "version": 1, "title": "a page", "url": "https://example.org/a", "date": null,
  "results": [{"device": "A100-SXM4-80GB", "nodes": 2, "ranks": 16, "inter": "RoCE", "inter_GBps": 200, "tool": "nccl-tests", "state": "normal",
  "rows": [{"collective": "allgather", "bytes": 1073741824, "busbw_GBps": 7.5, "line": "7.5"}]}]}
]=])
set(own ${CMAKE_COMMAND} -E env BUSBAR_DATA=others)
run_expect(others RC 0 OUT "place +allgather at 1 GiB: 9.00 GB/s, better than 1 of 1 public result .A100, 2 nodes, any[ \n]+network; 7.50 GB/s.*allgather +1 GiB +7.50 GB/s +A100-SXM4-80GB +2 +RoCE +normal +https://example.org/a"
  COMMAND ${own} ${BUSBAR} expect polaris.jsonl)
run_expect(others_json RC 0 OUT "\"better_than\": 1" COMMAND ${own} ${BUSBAR} expect polaris.jsonl --format json)
run_expect(others_page RC 0 OUT "## What others got.*better than 1 of 1 public result" COMMAND ${own} ${BUSBAR} report polaris.jsonl -o - --format md)
file(WRITE "${WORK}/others/known/page.json" "{\"format\": \"busbar known results\", \"version\": 1, \"results\": [{\"device\": \"A100\", \"state\": \"good\", \"rows\": []}]}")
run_expect(others_wrong RC 2 ERR "^busbar: others/known/page.json: a result's state is none of normal, problem, threshold\n$" COMMAND ${own} ${BUSBAR} expect polaris.jsonl)

run_expect(registry RC 0 OUT "\"format\": \"busbar known results\".*\"device\": \"CPU: .*\"rows\": " ERR "^busbar: [0-9]+ rows.*; add title and url: where others can see the run\n$"
  COMMAND ${BUSBAR} export --for-registry ${records}/metal.jsonl)
run_expect(registry_imported RC 1 ERR "^busbar: this run was imported: name its own source instead; [^\n]*\n$" COMMAND ${BUSBAR} export --for-registry polaris.jsonl)
run_expect(registry_or_format RC 2 ERR "^busbar: name either --for-registry or --format: google-benchmark, csv\n$" COMMAND ${BUSBAR} export polaris.jsonl)
run_expect(registry_machine RC 2 ERR "^busbar: --machine: goes with --for-registry\n$" COMMAND ${BUSBAR} export polaris.jsonl --format csv --machine x)
