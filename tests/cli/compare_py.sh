#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare_py.sh BUSBAR WORK: Google Benchmark's compare.py on two exports of made-up runs, the second 20 % slower.
set -u
busbar=$1 work=$2
compare=${BUSBAR_COMPARE_PY:-/usr/share/benchmark/compare.py}
[ -f "$compare" ] || { echo "skipped: no $compare (Debian: libbenchmark-tools)"; exit 77; }
for python in python3 /usr/bin/python3; do
  "$python" -c 'import scipy' 2> /dev/null && break
  python=
done
[ -n "$python" ] || { echo "skipped: no python3 with scipy"; exit 77; }
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1

key='"kind":"collective","collective":"allreduce","backend":"mpi","memory":"host","type":"fp32","op":"sum","in_place":false,"ranks":2,"nodes":1,"ranks_per_node":2,"cadence":"barrier","group":"world"'
run() {  # run FACTOR: 20 samples of 8 B and of 64 B around 10 us times FACTOR, and a case that differs in its status
  echo '{"record":"run","schema":1,"id":"x","tool":{"name":"busbar-bench"},"ranks":2,"method":{"rank_rule":"slowest"}}'
  for bytes in 8 64; do
    samples=$(awk -v f="$1" 'BEGIN { for (i = 0; i < 20; ++i) printf "%s%.9g", i ? "," : "", (10 + (i * 7 % 20) / 20) * f * 1e-6 }')
    echo "{\"record\":\"case\",\"key\":{$key,\"bytes\":$bytes},\"status\":\"ok\",\"time_s\":${1}e-5,\"samples_s\":[$samples],\"check\":{\"state\":\"passed\"}}"
  done
  echo "{\"record\":\"case\",\"key\":{$key,\"bytes\":512},\"status\":\"$2\",\"reason\":\"made up\",\"time_s\":1e-5,\"check\":{\"state\":\"passed\"}}"
  echo '{"record":"end","status":"ok"}'
}
run 1.0 ok > a.jsonl && run 1.2 failed > b.jsonl || exit 1
for name in a b; do
  "$busbar" export --format google-benchmark $name.jsonl -o $name.json || exit 1
done
"$python" "$compare" --no-color -a benchmarks a.json b.json > out 2> err || { cat out err; exit 1; }
cat out err
expect() { grep -qE "$1" out || { echo "expected: $1"; exit 1; }; }
expect 'bytes:8_median +\+0\.2000 +\+0\.0000 +10475 +12570 +0 +0$'
expect 'bytes:64_mean +\+0\.2000'
expect 'bytes:8_pvalue +0\.0000 .*U Test, Repetitions: 20 vs 20$'
if grep -q 'WARNING\|bytes:512' out || [ -s err ]; then
  echo "expected neither a warning nor a comparison of the case that failed in one run"; exit 1
fi
