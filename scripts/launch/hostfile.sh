#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures collectives and optionally training on listed hosts with mpirun, then writes a report:
#
#   scripts/launch/hostfile.sh HOSTFILE [WORDS OF busbar-bench] [-- [WORDS OF busbar-train]]
#
# HOSTFILE: mpirun's format, one host per line with its ranks: node1 slots=8. Environment variables:
#   BUSBAR_BIN      folder of the programs, the same on all hosts (build/release/bin beside scripts/; for an installed
#                   hostfile.sh, the bin/ of its prefix)
#   BUSBAR_RESULTS  new folder for records and report (results/TIME below the current folder). Rank 0 runs on the first
#                   host of the list and writes records there: start on that host, or use a shared folder
#   OMPI_MCA_*      mpirun options, such as OMPI_MCA_btl_tcp_if_include=eth0; passed to all ranks, like NCCL_*, UCX_*,
#                   FI_* and BUSBAR_DATA
# Exit code: the first nonzero code of the programs; 2 for wrong use, or if mpirun cannot start them.
set -euo pipefail

fail() { echo "hostfile.sh: $*" >&2; exit 2; }

hosts=${1:-}
[[ -n "$hosts" ]] || fail "no HOSTFILE: scripts/launch/hostfile.sh hosts all -e 1G"
[[ -r "$hosts" && -s "$hosts" ]] || fail "HOSTFILE: '$hosts' cannot be read or is empty; a line of it is: node1 slots=8"
shift
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
beside=../../build/release/bin
if [[ -x "$here/../../../bin/busbar" ]]; then beside=../../../bin; fi
bin=${BUSBAR_BIN:-$(realpath --canonicalize-missing "$here/$beside")}
results=${BUSBAR_RESULTS:-$PWD/results/$(date -u +%Y%m%dT%H%M%SZ)}
bench=()
while (($#)) && [[ "$1" != -- ]]; do bench+=("$1"); shift; done
train=("${@:2}")
with_training=$(($# > 0))

command -v mpirun > /dev/null || fail "no mpirun on PATH; load the module of your MPI, or scripts/setup"
[[ -x "$bin/busbar" ]] || fail "BUSBAR_BIN: no program $bin/busbar"
# A host's daemon and mpirun detect a lost connection within 16 s, not after 8 minutes.
export OMPI_MCA_oob_tcp_keepalive_time=${OMPI_MCA_oob_tcp_keepalive_time:-10}
export OMPI_MCA_oob_tcp_keepalive_intvl=${OMPI_MCA_oob_tcp_keepalive_intvl:-2}
export OMPI_MCA_oob_tcp_keepalive_probes=${OMPI_MCA_oob_tcp_keepalive_probes:-3}
launch=(mpirun --hostfile "$hosts")
while read -r name; do launch+=(-x "$name"); done < <(compgen -e | grep -E '^((NCCL|UCX|FI)_|BUSBAR_DATA$)')

# One process per host checks that the programs exist: mpirun's own error fills a screen.
# shellcheck disable=SC2016  # the hosts expand it
missing=$(mpirun --hostfile "$hosts" --map-by ppr:1:node \
  sh -c 'test -x "$1/busbar-bench" && test -x "$1/busbar-train" || uname -n' _ "$bin") ||
  fail "mpirun does not start on the hosts of $hosts; 'ssh HOST true' from here has to work without a question"
[[ -z "$missing" ]] || fail "no $bin/busbar-bench or busbar-train on: ${missing//$'\n'/ }"

mkdir -p -- "$(dirname -- "$results")"
mkdir -- "$results" || fail "BUSBAR_RESULTS: $results cannot be made anew"
status=0
# measure PROGRAM WORDS...: the first nonzero exit code becomes the script's.
measure() {
  local code=0
  echo "== ${launch[*]} $*"
  "${launch[@]}" "$bin/$1" "${@:2}" || code=$?
  if ((status == 0)); then status=$code; fi
}
measure busbar-bench ${bench[@]+"${bench[@]}"} --out "$results/bench.jsonl"
if ((with_training)); then measure busbar-train ${train[@]+"${train[@]}"} --out "$results/train.jsonl"; fi

records=("$results"/*.jsonl)
if [[ ! -e "${records[0]}" ]]; then
  echo "hostfile.sh: nothing was measured: no record in $results" >&2
  exit "$((status ? status : 1))"
fi
"$bin/busbar" report "${records[@]}" -o "$results/report.html" || status=$?
echo "== report: $results/report.html"
exit "$status"
