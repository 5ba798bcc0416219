#!/usr/bin/env bash
# interrupt.sh COMMAND... --out FILE ...: starts it, sends SIGTERM to the ranks (not to mpirun) a second after the record was begun,
# gives its exit code.
out=
for ((i = 1; i < $#; ++i)); do
  if [[ "${!i}" == --out ]]; then j=$((i + 1)) out=${!j}; fi
done
[[ -n "$out" ]] || { echo "interrupt.sh: no --out FILE" >&2; exit 2; }
rm -f "$out"
"$@" &
launcher=$!
while [[ ! -s "$out" ]] && kill -0 "$launcher" 2> /dev/null; do sleep 0.1; done
sleep 1
"$(dirname "${BASH_SOURCE[0]}")/../end_ranks.sh" "$launcher"
wait "$launcher"
