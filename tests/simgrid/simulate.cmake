# The programs themselves on simulated clusters. Times follow from the platform and the algorithm; what is sent is right.
set(on --platform switch.xml -np 4)
run_expect(switch RC 0 COMMAND ${BUSBAR} platform --topology single-switch --nodes 4 --bandwidth 25GB/s --latency 2us -o switch.xml)

# Recursive doubling: log2(4) messages one after the other. A ring: 6 of a quarter each.
run_expect(doubling RC 0 OUT "simulated by SimGrid SMPI [0-9.]+ on switch.xml .single-switch.*nothing of this was measured.*8 B +2 +4.00 .*1 MiB +262144 +87.89 "
  COMMAND ${BENCH} ${on} --cfg smpi/allreduce:rdb allreduce --sizes 8,1M --out doubling.jsonl)
run_expect(ring RC 0 OUT "1 MiB +262144 +74.9[0-9] " COMMAND ${BENCH} ${on} --cfg smpi/allreduce:lr allreduce --sizes 1M --out ring.jsonl)
run_expect(repeated RC 0 OUT "8 B +2 +4.00 +- +4.00 .* 3 +off"
  COMMAND ${BENCH} ${on} --cfg smpi/allreduce:rdb allreduce --sizes 8 -n 3 --out repeated.jsonl)
# Messages of two pairs: half a round trip over two links is 2 us, and a stream of large ones has the rate of a link.
run_expect(pairs RC 0 OUT "pair:pingpong/.*8 B +2 +2.00 .*pair:unidirectional/.*1 MiB +262144 +42.01 .*one-sided calls are not simulated"
  COMMAND ${BENCH} ${on} pingpong unidirectional put --sizes 8,1M --out messages.jsonl)
run_expect(synchronised RC 0 OUT "8 B +2 +4.00 "
  COMMAND ${BENCH} ${on} --cfg smpi/allreduce:rdb allreduce --sizes 8 --cadence synchronised --out synchronised.jsonl)
run_expect(streaming RC 0 OUT "8 B +2 +4.00 "
  COMMAND ${BENCH} ${on} --cfg smpi/allreduce:rdb allreduce --sizes 8 --cadence streaming --out streaming.jsonl)

# Every collective, its data checked.
run_expect(checked RC 0 OUT "[1-9][0-9]* ok, 0 skipped, 0 failed" COMMAND ${BENCH} ${on} all --sizes 64,64K -d fp32,bf16 -c 1 --out checked.jsonl)

# Parts of a job: an exchange of two is one message, a sum of two one, of four two.
run_expect(pairs RC 0 OUT "copy: sendrecv by mpi, 8 B.* 2 us .* n0<->n1.*, 1 MiB.* 43.9 us .* n2<->n3\n.*12 ok" COMMAND ${BENCH} ${on} pairs --sizes 8,1M --out pairs.jsonl)
run_expect(layouts RC 0 OUT "ranks:2/nodes:2/.* 8 B +2 +2.00 .*ranks:4/nodes:4/.* 8 B +2 +4.00 "
  COMMAND ${BENCH} ${on} --cfg smpi/allreduce:rdb allreduce --layout 2x1,4x1 --sizes 8 --out layouts.jsonl)

# Nodes are known without messages: the first call takes no longer than later ones. In a linear broadcast the root sends
# 3 messages of 64 KiB over one link.
run_expect(first RC 0 OUT "8 B +2 +6.00 .* 1 KiB +256 +6.21 "
  COMMAND ${BENCH} ${on} --cfg smpi/allreduce:redbcast --cfg smpi/bcast:mvapich2_knomial_intra_node allreduce -w 0 --sizes 8,1K --out first.jsonl)
run_expect(linear RC 0 OUT "64 KiB +16384 +9.87 " COMMAND ${BENCH} ${on} broadcast --sizes 64K --out linear.jsonl)

# Training: 8 GPUs of 1024 images in 371.4 ms each, and what the network leaves of that.
set(a100 --profile a100-pcie.resnet50.b1024)
run_expect(train RC 0 OUT "simulated by SimGrid.*overlap:none.* 1 +2757.2 .* 4 +[0-9.]+ .*overlap:stream.* 4 +[0-9.]+ .*0 failed"
  COMMAND ${TRAIN} ${on} ${a100} --scale 1,4 --overlap none,stream --out train.jsonl)
# Predicted from its baseline, by the line rate and by allreduces on 2 and 4 nodes, the same comes out, with overlap and without.
set(as_simulated " 4  simulated +[0-9.]+ .* 4  fp16, no overlap [^\n]* [-+]0[.]0[0-9] %\n.* 4  fp16, bucket overlap [^\n]* [-+]0[.]0[0-9] %\n")
run_expect(predicted RC 0 OUT "${as_simulated}" COMMAND ${BUSBAR} predict --training train.jsonl --nodes 4 --line-rate 25GB/s --latency 2us)
foreach(np 2 4)
  run_expect(rings RC 0 COMMAND ${BENCH} --platform switch.xml -np ${np} --cfg smpi/allreduce:lr allreduce -b 1M -e 64M --out rings/${np}.jsonl)
endforeach()
run_expect(predicted_by_rings RC 0 OUT "${as_simulated}" COMMAND ${BUSBAR} predict --training train.jsonl --nodes 4 --network rings)
run_expect(predicted_rings RC 0 OUT "Predicted: allreduce, [^\n]*simulated" COMMAND ${BUSBAR} predict rings --nodes 8 --no-next -o rings.json)
run_expect(drawn_rings RC 0 OUT "Solid: simulated, geometric mean" COMMAND ${BUSBAR} report rings --predict rings.json -o - --format md)
# Without --overlap, both. The bytes are those of --wire: without overlap an exchange of fp32 takes twice as long.
run_expect(half RC 0 OUT "/fp16/data/replay/.*overlap:none.* 4 +[0-9.]+ .* 3.09 .*overlap:stream.* 4 +[0-9.]+ .*2 ok" COMMAND ${TRAIN} ${on} ${a100} --scale 4 --out half.jsonl)
run_expect(full RC 0 OUT "/fp32/data/replay/.*overlap:none.* 4 +[0-9.]+ .* 6.17 .*1 ok" COMMAND ${TRAIN} ${on} ${a100} --scale 4 --overlap none --wire fp32 --out full.jsonl)
file(READ "${WORK}/full.jsonl" record)
if(NOT record MATCHES "\"bytes\":102228128[^0-9]" OR NOT record MATCHES "\"wire_bytes\":153342192[^0-9]")
  message(FATAL_ERROR "the record does not have the bytes of fp32:\n${record}")
endif()
# With one rank a node, the hierarchical exchange is the plain one between nodes. Then three ranks on two nodes.
run_expect(pairs_platform RC 0 COMMAND ${BUSBAR} platform --topology single-switch --nodes 2 --gpus 2 --bandwidth 25GB/s --latency 2us -o pairs.xml)
run_expect(plain RC 0 COMMAND ${TRAIN} ${on} ${a100} --scale 2,4 --overlap none --out plain.jsonl)
string(REGEX MATCHALL "\n +[24] +[0-9.]+ [^\n]*" plain "${last_out}")
run_expect(hierarchical RC 0 OUT "/hierarchical\n.*2 ok, 0 skipped, 0 failed"
  COMMAND ${TRAIN} ${on} ${a100} --scale 2,4 --overlap none --hierarchical --out hierarchical.jsonl)
string(REGEX MATCHALL "\n +[24] +[0-9.]+ [^\n]*" hierarchical "${last_out}")
if(NOT plain OR NOT plain STREQUAL hierarchical)
  message(FATAL_ERROR "one rank a node, hierarchical:${hierarchical}\nplain:${plain}")
endif()
run_expect(uneven RC 0 OUT "3 ranks on 2 nodes.*2 ok, 0 skipped, 0 failed"
  COMMAND ${TRAIN} --platform pairs.xml -np 3 ${a100} --scale 3 --hierarchical --out uneven.jsonl)
run_expect(valid RC 0 COMMAND ${PYTHON} -B ${VALIDATE} doubling.jsonl checked.jsonl pairs.jsonl layouts.jsonl train.jsonl full.jsonl hierarchical.jsonl)
file(READ "${WORK}/doubling.jsonl" record)
foreach(part "\"origin\":\"simulated\"" "\"simulated\":true" "\"platform_sha256\":\"[0-9a-f]+\"" "\"busbar.topology\":\"single-switch\""
        "\"smpi/allreduce\":\"rdb\"" "\"data\":false" "\"--platform\",\"switch.xml\",\"--np\",\"4\"" "\"noise\":\\[\\]" "\"usage\":\\[\\]")
  if(NOT record MATCHES "${part}")
    message(FATAL_ERROR "the record lacks ${part}:\n${record}")
  endif()
endforeach()

# Nothing simulated passes for measured.
string(REPLACE "\"origin\":\"simulated\"" "\"origin\":\"measured\"" forged "${record}")
file(WRITE "${WORK}/forged.jsonl" "${forged}")
run_expect(shown RC 0 OUT "nothing of this was measured" COMMAND ${BUSBAR} show forged.jsonl)
run_expect(report RC 0 COMMAND ${BUSBAR} report doubling.jsonl ring.jsonl -o report.md)
file(READ "${WORK}/report.md" report)
if(NOT report MATCHES "simulated" OR NOT report MATCHES "Simulated platform")
  message(FATAL_ERROR "the report does not say that it is of simulations")
endif()

# Wrong use: one line each, exit code 2.
set(one "^[^\n]*")
run_expect(no_platform RC 2 ERR "${one}--platform: no file is named[^\n]*\n$" COMMAND ${BENCH} allreduce)
run_expect(no_file RC 2 ERR "${one}--platform: nothing.xml cannot be read\n$" COMMAND ${BENCH} --platform nothing.xml allreduce)
file(WRITE "${WORK}/wrong.xml" "no platform\n")
run_expect(wrong RC 2 ERR "${one}--platform wrong.xml: wrong.xml:1: [^\n]*\n$" COMMAND ${BENCH} --platform wrong.xml allreduce)
file(WRITE "${WORK}/dies.xml" "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-2\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" topology=\"TORUS\" topo_parameters=\"2,2\"/>\n</platform>\n")
run_expect(dies RC 2 ERR "${one}--platform dies.xml: [^\n]*\n$" COMMAND ${BENCH} --platform dies.xml allreduce)
run_expect(too_many RC 2 ERR "${one}-np 5: switch.xml has 4 hosts for ranks\n$" COMMAND ${BENCH} --platform switch.xml -np 5 allreduce)
run_expect(per_node RC 0 OUT "4 ranks on 4 nodes" COMMAND ${BENCH} --platform switch.xml --ranks-per-node 1 allreduce --sizes 8 --out per_node.jsonl)
run_expect(no_setting RC 2 ERR "${one}--cfg smpi/nothing:1: [^\n]*\n$" COMMAND ${BENCH} --platform switch.xml --cfg smpi/nothing:1 allreduce)
run_expect(no_algorithm RC 2 ERR "${one}no algorithm 'nothing'[^\n]*\n$" COMMAND ${BENCH} --platform switch.xml --cfg smpi/allreduce:nothing allreduce)
# Each rank but the first sleeps for two seconds after such a message.
set(one_rank --platform switch.xml -np 1)
run_expect(no_size RC 2 ERR "${one}busbar-bench: [^\n]*-b[^\n]*\n$" COMMAND ${BENCH} --platform switch.xml -np 2 allreduce -b 2M -e 1M)
run_expect(no_nccl RC 2 ERR "${one}--backend: no 'nccl'[^\n]*\n$" COMMAND ${BENCH} ${one_rank} allreduce --backend nccl)
run_expect(no_onednn RC 2 ERR "${one}--compute onednn: [^\n]*\n$" COMMAND ${TRAIN} ${one_rank} --compute onednn)
run_expect(no_pipeline RC 2 ERR "${one}--parallel pipeline: simulations know data parallelism only; use --parallel data, or busbar-train under mpirun\n$" COMMAND ${TRAIN} ${one_rank} ${a100} --parallel pipeline)
run_expect(no_thread RC 2 ERR "${one}--overlap thread: simulations accept none, stream\n$" COMMAND ${TRAIN} ${one_rank} ${a100} --overlap thread)
run_expect(help RC 0 OUT "--platform.*--cfg.*Examples" COMMAND ${BENCH} --help-all)
