# busbar import of tools other than nccl-tests' text: requests, output, and commands that show the record.
set(logs "${TESTS}/import")

run_expect(json RC 0 OUT "^results/nccl.two_processes.jsonl: 3 rows, 6 cases, 8 ranks on 2 nodes \\(allreduce\\)\n$" ERR "^$"
  COMMAND ${BUSBAR} import ${logs}/nccl.two_processes.json)
run_expect(json_shows RC 0 OUT "8 ranks on 2 nodes: gpu-a, gpu-b.*ranks:8/nodes:2/ranks_per_node:4.*1 MiB +262144 +47.12 .* 22.25 +38.94"
  COMMAND ${BUSBAR} show results/nccl.two_processes.jsonl)
file(READ "${WORK}/results/nccl.two_processes.jsonl" record)
if(record MATCHES "not-for-records|hidden|someone")
  message(FATAL_ERROR "a variable that no record may hold is in one:\n${record}")
endif()
run_expect(cut RC 0 OUT "5 cases.*run ended: unknown: the file is cut off or damaged" ERR "it ends in the middle of line 1; 3 rows before that can be read"
  COMMAND ${BUSBAR} import ${logs}/nccl.cut_off.json)
run_expect(rccl RC 0 OUT "rccl.list.jsonl: 4 rows, 4 cases, 4 ranks on 2 nodes \\(reduce_scatter\\)"
  COMMAND ${BUSBAR} import ${logs}/rccl.list.json)

run_expect(osu_ranks RC 2 OUT "^$" ERR "^busbar: [^\n]*osu.barrier.txt: OSU's programs do not print how many ranks took part; add --ranks N\n$"
  COMMAND ${BUSBAR} import ${logs}/osu.barrier.txt)
run_expect(osu RC 0 OUT "^results/osu.allreduce_full.jsonl: 10 rows, 10 cases, 8 ranks on 2 nodes \\(allreduce\\)"
  COMMAND ${BUSBAR} import ${logs}/osu.allreduce_full.txt --ranks 8 --nodes 2)
run_expect(osu_several RC 0 OUT "results/osu.pairs.1-pingpong.jsonl: 4 rows.*results/osu.pairs.5-multi_pingpong.jsonl: 2 rows"
  COMMAND ${BUSBAR} import ${logs}/osu.pairs.txt --ranks 8)
run_expect(osu_shows RC 0 OUT "time: mean over iterations, of rank 0.*pair:unidirectional/mpi/host/int8/ranks:2.*1 MiB +1048576 +88.10 +- +- +11.90 +- +- +off"
  COMMAND ${BUSBAR} show results/osu.pairs.2-unidirectional.jsonl)
run_expect(nodes RC 2 ERR "--nodes 9 is more than its 8 ranks"
  COMMAND ${BUSBAR} import ${logs}/osu.allreduce_full.txt --ranks 8 --nodes 9 -o x.jsonl)
run_expect(nodes_wrong RC 2 ERR "--nodes: .0. is not a whole number from 1"
  COMMAND ${BUSBAR} import ${logs}/osu.barrier.txt --ranks 8 --nodes 0)

run_expect(imb RC 0 OUT "^results/imb.mpi1.jsonl: 28 rows, 28 cases, 4 ranks \\(pingpong, sendrecv, exchange and 5 more\\)\n$" ERR "^$"
  COMMAND ${BUSBAR} import ${logs}/imb.mpi1.txt)
run_expect(imb_shows RC 0 OUT "Intel MPI Benchmarks 2021.11.*8 MiB skipped: IMB says: out-of-mem.*27 ok, 1 skipped, 0 failed; run ended: ok"
  COMMAND ${BUSBAR} show results/imb.mpi1.jsonl)
run_expect(imb_stated RC 0 ERR "--ranks 8 was taken, though \"# #processes\" with those waiting says 4 ranks"
  COMMAND ${BUSBAR} import ${logs}/imb.mpi1.txt --ranks 8 -o stated.jsonl)

# What no importer knows is refused with the formats that are known.
file(WRITE "${WORK}/other.json" "{\"identifier\": \"nccl-tests structured output\", \"benchmark\": []}\n")
run_expect(unknown RC 2 OUT "^$" ERR "^busbar: other.json: no output of a tool[^\n]*nccl-tests JSON[^\n]*rccl-tests JSON[^\n]*OSU text[^\n]*IMB text[^\n]*\n$"
  COMMAND ${BUSBAR} import other.json)

# Reports and exports of them.
run_expect(report RC 0 COMMAND ${BUSBAR} report results/osu.pairs.1-pingpong.jsonl results/imb.mpi1.jsonl -o page.md)
file(READ "${WORK}/page.md" page)
foreach(text "pair pingpong: algbw \\(GB/s\\)" "11.91 GB/s \\(algbw\\) at 1 MiB" "\\| 1 MiB \\| 1048576 \\| 88 us \\| unknown \\| unknown \\| 11.91 \\| - \\|")
  if(NOT page MATCHES "${text}")
    message(FATAL_ERROR "not in the page: ${text}\n${page}")
  endif()
endforeach()
run_expect(csv RC 0 OUT "imported,OSU micro-benchmarks,,pair,pingpong,mpi,host,int8,,,1048576,1048576,,2,,,streaming,,world,rank 0,mean,ok"
  COMMAND ${BUSBAR} export --format csv results/osu.pairs.1-pingpong.jsonl)
run_expect(google RC 0 OUT "\"name\": \"pair:pingpong/mpi/host/int8/ranks:2/nodes:\\?/streaming/bytes:1048576\""
  COMMAND ${BUSBAR} export --format google-benchmark results/osu.pairs.1-pingpong.jsonl)
