#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# import_public_logs.sh BUSBAR LOGS WORK: imports every log of a folder tree, where there is one. All that hold a table
# must have been read whole: nccl-tests' own average of bandwidths, which covers every row, is held against the rows
# while importing, and a difference is a warning on stderr.
# BUSBAR_NCCL_TESTS_LOGS names another tree.
set -u
busbar=$1 logs=${BUSBAR_NCCL_TESTS_LOGS:-$2} work=$3
[ -d "$logs" ] || { echo "skipped: no $logs"; exit 77; }
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
find "$logs" -name '*.log' | sort > list
xargs "$busbar" import --out-dir out < list > stdout 2> stderr
echo "$(wc -l < list) logs, $(wc -l < stdout) imported"
cat stderr
tables=$(xargs grep -l algbw < list | wc -l)
read_tables=$(grep -c ': [1-9][0-9]* rows, [1-9][0-9]* cases' stdout)
if [ "$tables" -eq 0 ] || [ "$tables" -ne "$read_tables" ]; then echo "$tables hold a table, $read_tables were read"; exit 1; fi
if grep -vE ': no output of a tool that can be imported|logs? not imported$|formats that can be imported' stderr; then
  echo "unexpected on stderr"; exit 1
fi
for record in out/*.jsonl; do
  "$busbar" show "$record" > /dev/null || exit 1
done
