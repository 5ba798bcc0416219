# The whole record of a real log, byte for byte. After a wanted change, replace the golden file by the new one and let
# the review see the difference.
set(log polaris-n2.all_gather.setting1)
set(golden "${TESTS}/golden/${log}.jsonl")
file(COPY_FILE "${TESTS}/import/${log}.log" "${WORK}/${log}.log")
run_expect(import RC 0 COMMAND ${BUSBAR} import ${log}.log --label platform=bare -o new.jsonl)
run_expect(same RC 0 COMMAND ${CMAKE_COMMAND} -E compare_files ${golden} new.jsonl)
