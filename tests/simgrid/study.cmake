# A small study from end to end: two fabrics, two algorithms, and training.
set(study ${PYTHON} -B ${SOURCE}/scripts/fabric-study --bin ${BIN} --nodes 16 --ranks 8 --topologies torus,dragonfly --interconnects hdr --sizes 8,1M)
set(some ${study} --dir study --algorithms recursive-doubling,reduce-scatter-allgather)
run_expect(small RC 0 OUT "^6 simulations, 6 of them now; report: study/report.html\n$" COMMAND ${some})
run_expect(again RC 0 OUT "^6 simulations, 0 of them now; report: study/report.html\n$" COMMAND ${some})
file(GLOB records RELATIVE ${WORK}/study ${WORK}/study/records/*)
list(JOIN records " " records)
if(NOT records STREQUAL "records/dragonfly.hdr.recursive-doubling.8.jsonl records/dragonfly.hdr.reduce-scatter-allgather.8.jsonl records/dragonfly.hdr.resnet50.8.jsonl records/torus.hdr.recursive-doubling.8.jsonl records/torus.hdr.reduce-scatter-allgather.8.jsonl records/torus.hdr.resnet50.8.jsonl")
  message(FATAL_ERROR "other records: ${records}")
endif()
# Doubling sends few messages, the other short ones.
file(READ ${WORK}/study/fastest.md fastest)
foreach(row "### Fastest algorithm .simulated." "allreduce \\| 8 B \\| recursive-doubling" "allreduce \\| 1 MiB \\| reduce-scatter-allgather")
  if(NOT fastest MATCHES "${row}")
    message(FATAL_ERROR "fastest.md lacks '${row}':\n${fastest}")
  endif()
endforeach()

# What would take too long is left out and told.
run_expect(left_out RC 0 OUT "^2 simulations, 2 of them now[^\n]*\nleft out: allreduce by ring at 8 ranks: 112 messages a call\n"
  COMMAND ${study} --dir fewer --algorithms ring,recursive-doubling --collectives allreduce --no-training --most-messages 50)

# Wrong use: one line, exit code 2.
run_expect(topology RC 2 ERR "'mesh' is no topology; known: single-switch, fat-tree," COMMAND ${study} --topologies mesh)
run_expect(interconnect RC 2 ERR "^fabric-study: torus, token-ring: [^\n]*token-ring[^\n]*\n$" COMMAND ${study} --dir wrong --interconnects token-ring)
run_expect(ranks RC 2 ERR "'8,9' are no numbers of ranks" COMMAND ${study} --ranks 8,9)
run_expect(too_many RC 2 ERR "--ranks: 128 are more than the 16 nodes have GPUs .64." COMMAND ${study} --ranks 128)
run_expect(other RC 2 ERR "^fabric-study: --dir: study has a study with --sizes .8, 1048576.; name another folder\n$" COMMAND ${some} --sizes 8)
run_expect(nothing RC 2 ERR "^fabric-study: nothing to simulate" COMMAND ${study} --dir none --collectives alltoall --algorithms tree --no-training)
