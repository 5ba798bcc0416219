#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# end_ranks.sh LAUNCHER: sends SIGTERM to the ranks of an mpirun with that process id, not to it. Daemons of hydra stand
# between the two.
set -euo pipefail

end_below() {
  local child
  for child in $(pgrep -P "$1" || true); do
    if [[ "$(cat "/proc/$child/comm" 2> /dev/null || true)" == busbar-* ]]; then
      kill -TERM "$child" 2> /dev/null || true
    else
      end_below "$child"
    fi
  done
}

end_below "$1"
