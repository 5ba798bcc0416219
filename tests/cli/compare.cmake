run_expect(make RC 0 COMMAND ${PYTHON} -B ${TESTS}/cli/make_launches.py .)

# compare
run_expect(help RC 0 OUT "--vs.*--by.*--margin.*--across.*busbar compare results/ --by platform.*Exit codes: 0" COMMAND ${BUSBAR} compare --help-all)
run_expect(folders RC 0 OUT "^B vs A at 2 points: slower at 2 \\(1.08x\\).\n.*A +base \\(3 launches, 2026.*B +slow \\(3 launches.*from the spread between launches \\(2 points\\).*virtualisation +bare metal +KVM.*64 KiB +10 us +10.8 us +1.080 +1.07[0-9] to 1.08[0-9] +B and B +slower\n.*2 points: 2 slower, 0 faster, 0 same within 2 %, 0 inconclusive, 0 disturbed\n$"
  ERR "^$" COMMAND ${BUSBAR} compare base slow)
run_expect(same RC 0 OUT "2 points: 0 slower, 0 faster, 2 same within 2 %" COMMAND ${BUSBAR} compare base same)
run_expect(versus RC 0 OUT "2 slower" COMMAND ${BUSBAR} compare base/0.jsonl base/1.jsonl --vs slow/0.jsonl slow/1.jsonl slow/2.jsonl)
run_expect(markdown RC 0 OUT "^# busbar compare\n.*\\| 64 KiB \\| 10 us \\| 10.8 us \\| 1.080 \\|" COMMAND ${BUSBAR} compare base slow --format md)
run_expect(json RC 0 OUT "\"verdict\": \"slower\"" COMMAND ${BUSBAR} compare base slow --format json)
run_expect(json_is_json RC 0 COMMAND sh -c "${BUSBAR} compare base slow --format json | ${PYTHON} -m json.tool")
run_expect(by RC 0 OUT "platform +metal \\(6 launches.*platform +vm \\(3 launches.*vm +metal +2 +none +2 \\(64 KiB to 1 MiB\\):"
  COMMAND ${BUSBAR} compare base same slow --by platform)
run_expect(by_fact RC 0 OUT "KVM +bare metal +2 +none +2 .64 KiB to 1 MiB.:" COMMAND ${BUSBAR} compare base slow --by virtualisation --pool platform)
run_expect(by_fact_labels RC 2 ERR "no case in common; they differ in the labels platform \\(vm vs metal\\); to compare them anyway, add --pool platform"
  COMMAND ${BUSBAR} compare base slow --by virtualisation)
run_expect(reference RC 0 OUT "^Smallest and largest change against vm over all sizes\n.*allreduce, 2 ranks on 1[ \n]+node +2 +-7.[0-9] %; faster.*time against vm\n +size +vm +metal\n +64 KiB +10.8 us +-7.[0-9] % \\(-[0-9.]+ to -[0-9.]+\\)\n"
  COMMAND ${BUSBAR} compare base slow --by platform --reference vm)
run_expect(reference_alone RC 2 ERR "^busbar: --reference: only with --by\n$" COMMAND ${BUSBAR} compare base slow --reference vm)
run_expect(reference_unknown RC 2 ERR "^busbar: --reference: unknown side 'cloud'; known: metal, vm\n$"
  COMMAND ${BUSBAR} compare base slow --by platform --reference cloud)
run_expect(reference_report RC 0 COMMAND ${BUSBAR} report base slow --by platform --reference vm --sections comparison -o reference.md)
run_expect(reference_in_report RC 0 OUT "Smallest and largest change against vm" COMMAND cat reference.md)
run_expect(reference_report_alone RC 2 ERR "^busbar: --reference: only with --by\n$" COMMAND ${BUSBAR} report base slow --reference vm -o no.md)
run_expect(single RC 0 OUT "ASSUMED[ \n]+to be[ \n]+10 %.*inconclusive \\(1 and 1 launches\\)" COMMAND ${BUSBAR} compare base/0.jsonl single.jsonl)

run_expect(memory RC 2 OUT "^$" ERR "^busbar: base/0.jsonl and device.jsonl have no case in common; the closest cases differ in memory \\(host vs device\\); --across FIELD ignores a field\n$"
  COMMAND ${BUSBAR} compare base/0.jsonl device.jsonl)
run_expect(across RC 0 OUT "may differ in memory \\(--across\\)" COMMAND ${BUSBAR} compare base device.jsonl --across memory)
run_expect(shared RC 2 ERR "^busbar: cannot compare base/0.jsonl with shared.jsonl: share_gpu is no in one and yes in the other; to compare them anyway, add --across share_gpu\n$"
  COMMAND ${BUSBAR} compare base/0.jsonl shared.jsonl)
run_expect(one_side RC 2 ERR "^busbar: one input and no --vs: name two sides" COMMAND ${BUSBAR} compare base)
run_expect(three RC 2 ERR "^busbar: 3 inputs and no --vs: name two sides" COMMAND ${BUSBAR} compare base same slow)
run_expect(both RC 2 ERR "--by and --vs: give one of them" COMMAND ${BUSBAR} compare base --vs same --by platform)
run_expect(unknown_field RC 2 ERR "--by: no run has 'weather' as a label, library or variable; unknown property 'weather'; known: collective, backend"
  COMMAND ${BUSBAR} compare base --by weather)
run_expect(margin RC 2 ERR "^busbar: --margin: '2 percent' is not a percentage from 0 to 100\n$"
  COMMAND ${BUSBAR} compare base same --margin "2 percent")
run_expect(empty_folder RC 2 ERR "nothing: no record \\(\\*.jsonl\\) in this folder" COMMAND sh -c "mkdir nothing && ${BUSBAR} compare base nothing")
run_expect(same_launch RC 2 OUT "^$" ERR "^busbar: base/0.jsonl and base/0.jsonl contain the same launch, 0-2026-01-01T00:00:00Z: give each launch once, on one side\n$"
  COMMAND ${BUSBAR} compare base/0.jsonl base/0.jsonl)
run_expect(overlap RC 2 ERR "contain the same launch, 1-2026-01-02T00:00:00Z" COMMAND ${BUSBAR} gate --baseline base --current base/1.jsonl)
run_expect(no_file RC 2 ERR "^busbar: none.jsonl: cannot be read: No such file or directory\n$" COMMAND ${BUSBAR} compare base none.jsonl)

# gate
run_expect(gate_help RC 0 OUT "Exit codes: 0 pass; 1 regression.*5 inconclusive" COMMAND ${BUSBAR} gate --help-all)
run_expect(gate_pass RC 0 OUT "pass: 2 of 2 points. 2 points: 2 pass, 0 regression, 0 inconclusive, 0 disturbed; each size may take up to 2 % longer" COMMAND ${BUSBAR} gate --baseline base --current same)
run_expect(gate_fail RC 1 OUT "regression: 2 of 2 points; worst 1.08x at [0-9]+ [KM]iB of allreduce. 2 points: 0 pass, 2 regression" COMMAND ${BUSBAR} gate --baseline base --current slow --junit g.xml --summary g.md)
run_expect(gate_allowed RC 0 OUT "pass: 2 of 2 points" COMMAND ${BUSBAR} gate --baseline base --current slow --max-regression 10%)
run_expect(junit RC 0 OUT "^2 2 0\n$" COMMAND ${PYTHON} -B ${TESTS}/cli/count_junit.py g.xml)
run_expect(summary RC 0 OUT "^# busbar gate: regression\n" COMMAND cat g.md)
run_expect(gate_inconclusive RC 5 OUT "inconclusive \\(spread assumed\\)" COMMAND ${BUSBAR} gate --baseline base/0.jsonl --current single.jsonl)
run_expect(gate_inconclusive_pass RC 0 COMMAND ${BUSBAR} gate --baseline base/0.jsonl --current single.jsonl --inconclusive pass)
run_expect(gate_inconclusive_fail RC 1 COMMAND ${BUSBAR} gate --baseline base/0.jsonl --current single.jsonl --inconclusive fail)
run_expect(gate_not_comparable RC 2 ERR "share_gpu" COMMAND ${BUSBAR} gate --baseline base --current shared.jsonl)
run_expect(gate_wrong_data RC 1 OUT "failed: wrong data on rank 1 +regression" COMMAND ${BUSBAR} gate --baseline base --current broken.jsonl)
run_expect(gate_nothing RC 2 ERR "--current is required" COMMAND ${BUSBAR} gate --baseline base)
run_expect(github RC 1 OUT "\n::error title=allreduce 64 KiB::regression at 64 KiB of allreduce" COMMAND ${CMAKE_COMMAND} -E env GITHUB_STEP_SUMMARY=step.md
  ${BUSBAR} gate --baseline base --current slow --github)
run_expect(step_summary RC 0 OUT "^# busbar gate: regression\n" COMMAND cat step.md)
run_expect(no_github RC 2 ERR "GITHUB_STEP_SUMMARY is not set" COMMAND ${CMAKE_COMMAND} -E env --unset=GITHUB_STEP_SUMMARY ${BUSBAR} gate --baseline base --current slow --github)

# accept
file(WRITE "${WORK}/limits.json" [=[{"format": "busbar acceptance profile", "version": 1, "name": "limits", "sources": ["made up"],
  "rules": [{"name": "latency", "collective": "allreduce", "most_size": "64K", "most_time_us": 10.5},
            {"name": "equal launches", "most_spread": 1.05}]}]=])
run_expect(accept_pass RC 0 OUT "^Acceptance\n\nPASS: all 8 limits met.\n.*latency +pass +3 +0 +0 +10 us, at most 10.5 us" COMMAND ${BUSBAR} accept base --profile limits.json)
run_expect(accept_fail RC 1 OUT "! FAIL: 3 of 8 limits missed.\n.*latency +fail +0 +0 +3 .*latency +1 +10.8 us, at most 10.5 us +64 KiB of allreduce" COMMAND ${BUSBAR} accept slow --profile limits.json
  --junit a.xml --page a.html)
run_expect(accept_junit RC 0 OUT "^8 3 0\n$" COMMAND ${PYTHON} -B ${TESTS}/cli/count_junit.py a.xml)
run_expect(accept_page RC 0 OUT "FAIL: 3 of 8 limits missed" COMMAND cat a.html)
run_expect(accept_unknown RC 5 OUT "CANNOT TELL: .*no case matches" COMMAND ${BUSBAR} accept base --profile h100-node)
run_expect(accept_json RC 1 OUT "\"outcome\": \"fail\"" COMMAND ${BUSBAR} accept slow --profile limits.json --format json)
run_expect(accept_list RC 0 OUT "^a100-node\ncluster\nh100-node\n$" COMMAND ${BUSBAR} accept --list)
run_expect(accept_no_profile RC 2 ERR "^busbar: --profile: name a profile: a file, or one of a100-node, cluster, h100-node\n$" COMMAND ${BUSBAR} accept base)
run_expect(accept_wrong_name RC 2 ERR "^busbar: --profile: no file and no shipped profile nix; shipped: a100-node, cluster, h100-node\n$" COMMAND ${BUSBAR} accept base --profile nix)
run_expect(learn RC 0 OUT "bytes:65536 +3 +10 us +0.950" COMMAND ${BUSBAR} accept --learn base -o learned.json)
run_expect(learned_pass RC 0 OUT "PASS: all 9 limits met" COMMAND ${BUSBAR} accept same --profile learned.json)
run_expect(learned_fail RC 1 OUT "similarity to 3 launches of the fleet 0.92[0-9], at[ \n]+least 0.950" COMMAND ${BUSBAR} accept slow --profile learned.json)
run_expect(learn_nothing RC 1 ERR "^busbar: no case has 3 usable launches" COMMAND ${BUSBAR} accept --learn single.jsonl -o nothing.json)
run_expect(learn_where RC 2 ERR "^busbar: --learn: name the profile to write with -o FILE\n$" COMMAND ${BUSBAR} accept --learn base)

# baseline
run_expect(add RC 0 OUT "^history/0-2026-02-01T02_00_00Z.jsonl\n" COMMAND ${BUSBAR} baseline add history nightly)
run_expect(add_again RC 2 ERR "^busbar: nightly/0.jsonl: this run is already in the baseline, as history/0-2026" COMMAND ${BUSBAR} baseline add history nightly/0.jsonl)
run_expect(list RC 0 OUT "2026-02-16T02:00:00Z.*Since 2026-02-10T02:00:00Z \\(previous launch: 2026-02-09T02:00:00Z\\); p = 0.00.*64 KiB +1.07[0-9] +allreduce"
  COMMAND ${BUSBAR} baseline list history)
run_expect(list_json RC 0 OUT "\"since\": \"2026-02-10T02:00:00Z\"" COMMAND ${BUSBAR} baseline list history --format json)
run_expect(gate_history RC 0 OUT "10 launches, 2026-02-07.*pass: 2 of 2 points" COMMAND ${BUSBAR} gate --baseline history --current same --max-regression 10%)
run_expect(baseline_nothing RC 2 ERR "needs a command: add, list" COMMAND ${BUSBAR} baseline)
