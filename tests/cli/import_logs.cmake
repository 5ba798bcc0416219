set(logs "${TESTS}/import")
set(good "${logs}/polaris-n2.all_gather.setting1.log")

run_expect(help RC 0 OUT "LOG.*nccl-tests.*--out-dir.*--collective.*--overwrite" COMMAND ${BUSBAR} import --help-all)
run_expect(good RC 0 OUT "^results/polaris-n2.all_gather.setting1.jsonl: 29 rows, 50 cases, 8 ranks on 2 nodes \\(allgather\\)\n$"
  ERR "^$" COMMAND ${BUSBAR} import ${good} --label platform=bare --label site=a)
run_expect(show RC 0 OUT "label platform=bare.*label site=a.*1 GiB +33554432 +104394.00 .* 10.29 +9.00.* passed"
  COMMAND ${BUSBAR} show results/polaris-n2.all_gather.setting1.jsonl)
run_expect(show_md RC 0 OUT "### allgather: .*\\| 1 GiB \\|" COMMAND ${BUSBAR} show results/polaris-n2.all_gather.setting1.jsonl --format md)
run_expect(show_json RC 0 COMMAND ${BUSBAR} show results/polaris-n2.all_gather.setting1.jsonl --format json)
string(JSON cases LENGTH "${last_out}" runs 0 cases)
string(JSON bytes GET "${last_out}" runs 0 cases 0 key bytes)
if(NOT cases EQUAL 50 OR NOT bytes MATCHES "^[0-9]+$")
  message(FATAL_ERROR "show --format json: ${cases} cases, the first of ${bytes} bytes")
endif()
run_expect(import_md RC 0 OUT "\\| *m/polaris[^|]*\\|.*\\| *29 *\\| *50 *\\|" COMMAND ${BUSBAR} import ${good} --out-dir m --format md)
run_expect(import_json RC 0 COMMAND ${BUSBAR} import ${good} --out-dir j --format json)
string(JSON rows GET "${last_out}" imported 0 rows)
if(NOT rows EQUAL 29)
  message(FATAL_ERROR "import --format json: ${rows} rows")
endif()
run_expect(again RC 2 OUT "^$" ERR "exists; name another file, or add --overwrite" COMMAND ${BUSBAR} import ${good})
run_expect(overwrite RC 0 COMMAND ${BUSBAR} import ${good} --overwrite)
run_expect(folder RC 0 OUT "^d/e/polaris" COMMAND ${BUSBAR} import ${good} --out-dir d/e)

run_expect(crash RC 0 OUT "^c.jsonl: 0 rows, 0 cases, 16 ranks on 2 nodes \\(allreduce\\); run ended: aborted: .*Test NCCL failure"
  COMMAND ${BUSBAR} import ${logs}/sophia-n2.all_reduce.setting1.log -o c.jsonl)
run_expect(shows_crash RC 0 OUT "run ended: aborted: .*Test NCCL failure" COMMAND ${BUSBAR} show c.jsonl)
run_expect(warns RC 0 ERR "without_mpi.log: the log is of 4 separate jobs of 1 rank each"
  COMMAND ${BUSBAR} import ${logs}/all_reduce.without_mpi.log)

run_expect(never_started RC 0 OUT "^lf.jsonl: 0 rows, 0 cases, unknown ranks \\(nothing measured\\); run ended: aborted: launch failed on x3006c0s1b1n0: Couldn't allocate a port for PMI to use\n$"
  COMMAND ${BUSBAR} import ${logs}/launch-failed.log -o lf.jsonl)
run_expect(never_started_shown RC 0 OUT "aborted . launch failed on x3006c0s1b1n0: Couldn.t allocate a port for PMI to use" COMMAND ${BUSBAR} report lf.jsonl -o - --format md)
file(WRITE "${WORK}/no.log" "the cluster is on fire\n")
run_expect(no_log_of_ours RC 2 OUT "^$" ERR "^busbar: no.log: no output of a tool[^\n]*nccl-tests text[^\n]*it says: the cluster is on fire\n$"
  COMMAND ${BUSBAR} import no.log)
if(EXISTS "${WORK}/results/no.jsonl")
  message(FATAL_ERROR "a record was left behind for a log that was refused")
endif()
run_expect(one_bad RC 1 OUT "several/timestamps.jsonl: 2 rows.*several/wrong_values.jsonl: 2 rows"
  ERR "no.log: no output.*busbar: 1 of 3 logs not imported\n$"
  COMMAND ${BUSBAR} import ${logs}/timestamps.log no.log ${logs}/wrong_values.log --out-dir several)
run_expect(all_bad RC 2 OUT "^$" ERR "busbar: 2 of 2 logs not imported\n$"
  COMMAND ${BUSBAR} import no.log ${logs}/README.md --out-dir bad)

run_expect(no_log RC 2 ERR "^busbar: none.log: cannot be read: No such file or directory\n$" COMMAND ${BUSBAR} import none.log)
run_expect(no_log_in_folder RC 2 OUT "^$" ERR "^busbar: empty: no log of a known format in this folder \\(1 file looked at\\); known: nccl-tests JSON, [^\n]*\n$"
  COMMAND ${CMAKE_COMMAND} -E env sh -c "mkdir empty && cp no.log empty && ${BUSBAR} import empty")
run_expect(nothing RC 2 ERR "LOG is required" COMMAND ${BUSBAR} import)
run_expect(unwritable RC 2 ERR "^busbar: --out: cannot write /proc/none/x.jsonl: [^\n]+\n$"
  COMMAND ${BUSBAR} import ${good} -o /proc/none/x.jsonl)
run_expect(full_disk RC 4 ERR "cannot write /dev/full: No space left" COMMAND ${BUSBAR} import ${good} -o /dev/full --overwrite)
run_expect(one_out RC 2 ERR "--out: one file for 2 logs; use --out-dir"
  COMMAND ${BUSBAR} import ${good} ${logs}/timestamps.log -o x.jsonl)
run_expect(twice RC 2 ERR "given twice" COMMAND ${BUSBAR} import ${good} ${good} --out-dir twice)
run_expect(label RC 2 ERR "--label: 'vm' is not KEY=VALUE" COMMAND ${BUSBAR} import ${good} --label vm)
run_expect(collective RC 2 ERR "--collective: unknown 'sum'; known: allreduce, allgather"
  COMMAND ${BUSBAR} import ${good} --collective sum)
run_expect(ranks RC 2 ERR "add --ranks N" COMMAND ${BUSBAR} import ${logs}/all_reduce.no_devices.log)
run_expect(ranks_given RC 0 OUT "r.jsonl: 3 rows, 6 cases, 2 ranks \\(allreduce\\)"
  COMMAND ${BUSBAR} import ${logs}/all_reduce.no_devices.log --ranks 2 -o r.jsonl)

file(COPY_FILE "${logs}/all_reduce.srun_label.log" "${WORK}/slurm-1.out")
run_expect(unnamed RC 2 ERR "slurm-1.out: neither the log nor the file's name says which collective.*--collective with one of: allreduce"
  COMMAND ${BUSBAR} import slurm-1.out)
run_expect(named RC 0 OUT "\\(allreduce\\)" COMMAND ${BUSBAR} import slurm-1.out --collective all_reduce)
foreach(folder n2 n8)
  file(MAKE_DIRECTORY "${WORK}/${folder}")
  file(COPY_FILE "${logs}/timestamps.log" "${WORK}/${folder}/reduce.log")
endforeach()
run_expect(collide RC 0 OUT "^both/n2.reduce.jsonl: .*\nboth/n8.reduce.jsonl: "
  COMMAND ${BUSBAR} import n2/reduce.log n8/reduce.log --out-dir both)


# Folders, with what lies beside their logs
file(WRITE "${WORK}/n2/nodelist" "a\nb\n")
file(WRITE "${WORK}/n2/notes" "nothing\n")
run_expect(in_folder RC 0 OUT "^in/reduce.jsonl: 2 rows" ERR "reduce.log: hosts: node-a in the log is not in nodelist; the log.s are taken\nbusbar: 1 file of no known format \\(busbar import FILE says why\\)\n$"
  COMMAND ${BUSBAR} import n2 --out-dir in)
run_expect(by_itself RC 0 ERR "^$" COMMAND ${BUSBAR} import n2/reduce.log --out-dir by_itself)
run_expect(from_path RC 0 OUT "^p.jsonl: 3 rows, 6 cases, 2 ranks on 1 node \\(allreduce\\)" COMMAND ${CMAKE_COMMAND} -E env sh -c
  "mkdir 1n2r && cp ${logs}/all_reduce.no_devices.log 1n2r/x.log && ${BUSBAR} import 1n2r/x.log --collective all_reduce --from-path '{nodes}n{ranks}r/{}.log' -o p.jsonl")
run_expect(from_other_path RC 0 OUT "^q.jsonl" ERR "^busbar: n2/reduce.log: the path does not match --from-path; no number taken from it\n$"
  COMMAND ${BUSBAR} import n2/reduce.log --from-path {nodes}n{ranks}r/{}.log -o q.jsonl)

string(REPEAT "x" 10000000 long_line)
file(WRITE "${WORK}/long.log" "${long_line}")
run_expect(long_line RC 2 ERR "^busbar: long.log: no output of a tool" COMMAND ${BUSBAR} import long.log)
string(LENGTH "${last_err}" length)
if(length GREATER 500)
  message(FATAL_ERROR "a long line makes a message of ${length} characters")
endif()
run_expect(binary RC 2 ERR "it looks like binary data" COMMAND ${BUSBAR} import ${BUSBAR})
