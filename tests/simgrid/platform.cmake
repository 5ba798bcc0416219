# Times follow from what each platform says: bytes over the narrowest share of a link, and the latency of all.
set(figures --bandwidth 25GB/s --latency 2us --switch-latency 100ns)
function(make name)
  run_expect(make_${name} RC 0 COMMAND ${BUSBAR} platform ${ARGN} ${figures} -o ${name}.xml)
endfunction()
function(send name seconds)
  run_expect(send_${name} RC 0 OUT "took ${seconds} s" COMMAND ${MESSAGES} ${name}.xml 1000000000 ${ARGN})
endfunction()

make(switch --topology single-switch --nodes 4)
send(switch "0.040002" n0:n3)
send(switch "0.080002" n0:n3 n0:n2)  # one NIC sends both
send(switch "0.040002" n0:n3 n3:n0)  # a direction each
run_expect(properties RC 0 OUT "4 hosts.*busbar.bandwidth_Bps = 25000000000.*busbar.nodes = 4.*busbar.topology = single-switch.*n0:n1 n0 to n1"
  COMMAND ${MESSAGES} switch.xml 1 n0:n1)

make(gpus --topology single-switch --nodes 2 --gpus 4 --nics 2 --gpu-link nvlink3)
send(gpus "0.00333393333" n0-g0:n0-g3)                           # NVLink: 1 GB at 300 GB/s and 0.6 us
send(gpus "0.080002" n0-g0:n1-g0 n0-g1:n1-g1)                 # GPUs 0 and 1 share a NIC
send(gpus "0.040002" n0-g0:n1-g0 n0-g2:n1-g2)                 # GPUs 0 and 2 do not

make(pcie --topology single-switch --nodes 2 --gpus 4 --nics 4 --gpu-link pcie3)
run_expect(over_pcie RC 0 OUT "3e-06 s: n0-u0 n0-o0 s n1-i0 n1-d0\n" COMMAND ${MESSAGES} pcie.xml 1 n0-g0:n1-g0)

make(fat --topology fat-tree:3-level --nodes 16 --radix 4)
send(fat "0.0400024" n0:n15)                                  # five switches
send(fat "0.040002" n0:n1)                                    # one
send(fat "0.0400024" n0:n12 n1:n13 n2:n14 n3:n15)             # a shift: nobody is in the way

make(taper --topology fat-tree:2-level --nodes 12 --radix 8 --oversubscription 3)
send(taper "0.1200022" n0:n6 n1:n7 n2:n8 n3:n9 n4:n10 n5:n11)  # six share the two cables of a leaf

make(torus --topology torus:4x4)
send(torus "0.0400024" n0:n10)                                # four cables
send(torus "0.0800022" n0:n2 n1:n6)                           # both over the cable from n1 to n2

make(dragonfly --topology dragonfly:3x2x2)
send(dragonfly "0.040002[0-9]*" n0:n11)
