#!/usr/bin/env bash
# interrupt.sh COMMAND...: starts it, sends SIGTERM to the ranks (not to mpirun) after two seconds, gives its exit code.
"$@" &
launcher=$!
sleep 2
pkill -TERM -P "$launcher" '^busbar-'
wait "$launcher"
