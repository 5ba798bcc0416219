# What "busbar predict --what-if" says of another network, and simulations of that network: 100 Gb/s against 25 Gb/s.
foreach(rate 100 25)
  run_expect(switch_${rate} RC 0 COMMAND ${BUSBAR} platform --topology single-switch --nodes 8 --interconnect ${rate}gbe --latency 2us -o ${rate}.xml)
  run_expect(train_${rate} RC 0 COMMAND ${TRAIN} --platform ${rate}.xml -np 4 --profile a100-pcie.resnet50.b1024 --scale 1,2,4
    --overlap none --out train-${rate}.jsonl)
  foreach(nodes 2 4 8)
    run_expect(ring_${rate}_${nodes} RC 0 COMMAND ${BENCH} --platform ${rate}.xml -np ${nodes} --cfg smpi/allreduce:lr allreduce
      -b 1K -e 256M -f 4 --out rings-${rate}/n${nodes}.jsonl)
  endforeach()
endforeach()

# The published rates of one node and more, and a sweep at 100 Gb/s; then both at 25 Gb/s.
set(dell "${EXAMPLES}/published/records/dell_r750xa_vm_bare_metal.VM.jsonl")
run_expect(training RC 0 OUT "What if line-rate=25gbe: 3.125 GB/s.*What if: resnet50, platform=VM .imported.: fp16, no overlap.* 4 +line-rate=25gbe +[0-9.]+ +[0-9]+ to [0-9]+ +0.95.*Cost of 1,000,000 images, EUR"
  COMMAND ${BUSBAR} predict --training ${dell} --nodes 2,4 --line-rate 100gbe --latency 2us --gradients fp16 --overlap none
    --what-if line-rate=25gbe --price "12.5 EUR" -o training.json)
run_expect(trainings_agree RC 0 OUT "2 of 2 rates, 2 of 2 ratios" COMMAND ${PYTHON} -B ${CHECK} training.json train-100.jsonl train-25.jsonl)
run_expect(sweep RC 0 OUT "What if: allreduce.* 256 MiB +8 +line-rate=25gbe +"
  COMMAND ${BUSBAR} predict rings-100 --nodes 2,4,8 --line-rate 100gbe --what-if line-rate=25gbe -o sweep.json)
run_expect(sweeps_agree RC 0 OUT "30 of 30 times, 30 of 30 ratios" COMMAND ${PYTHON} -B ${CHECK} sweep.json rings-100 rings-25)
# What nothing was changed in does not agree: the check can fail.
run_expect(others_differ RC 1 OUT "0 of 2 ratios" COMMAND ${PYTHON} -B ${CHECK} training.json train-25.jsonl train-25.jsonl)

# The page and the text of a report have the variants.
run_expect(page RC 0 OUT "What if: resnet50.*line-rate=25gbe" COMMAND ${BUSBAR} report ${dell} --predict training.json -o - --format md)

# With a fitted allreduce in place of a rate, and with another algorithm.
run_expect(fit RC 0 COMMAND ${BUSBAR} fit rings-100 -o fit.json)
run_expect(over_fit RC 0 OUT "line-rate=25gbe +[0-9.]+ +[0-9]+ to [0-9]+ +0.9"
  COMMAND ${BUSBAR} predict --training train-100.jsonl --nodes 4 --network fit.json --line-rate 100gbe --what-if line-rate=25gbe)
run_expect(measured_over_simulated RC 2 OUT "^$" ERR "^busbar: --network: its allreduce is simulated, the training is not\n$"
  COMMAND ${BUSBAR} predict --training ${dell} --nodes 4 --network fit.json)
run_expect(algorithm RC 0 OUT "Every size uses recursive-doubling.*256 MiB +8 +algorithm=recursive-doubling +[0-9.]+ ms +[^\n]* 1.7"
  COMMAND ${BUSBAR} predict fit.json --nodes 8 --what-if algorithm=recursive-doubling)
