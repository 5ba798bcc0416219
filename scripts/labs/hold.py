# SPDX-License-Identifier: Apache-2.0
"""Creates a lab from inside its first namespaces (network, mounts, processes), of which nothing remains when they end."""
import os
import pathlib
import sys
import traceback

from labs import machines, namespaces, network
from labs.plan import RSH, RUN, Failed, Plan, address


def write_files(plan: Plan, shell: str) -> None:
    """What the hosts of a lab read. `shell`: the script that reaches another host."""
    def write(name: str, lines: list[str]) -> None:
        pathlib.Path(RUN, name).write_text("".join(f"{line}\n" for line in lines))

    numbers = range(plan.hosts)
    write("hosts", ["127.0.0.1 localhost"] + [f"{address(i)} node{i}" for i in numbers])
    write("hostfile", [f"node{i} slots={plan.slots}" for i in numbers])
    write("hostfile.hydra", [f"node{i}:{plan.slots}" for i in numbers])
    write("slots", [str(plan.slots)])
    write("kind", ["machines" if plan.machine else "namespaces"])
    pathlib.Path(RSH).write_text(shell)
    os.chmod(RSH, 0o755)
    os.mkdir(f"{RUN}/jobs")
    os.mkdir(f"{RUN}/labels")
    for i in numbers:
        os.mkdir(f"{RUN}/node{i}")
        write(f"labels/node{i}", [plan.about(i)])


def hold(plan: Plan) -> None:
    """Prints progress, "ready" at the end, or "failed: WHY"."""
    kind = machines if plan.machine else namespaces
    try:
        for folder in (RUN, "/dev/shm"):
            network.do("mount", "-t", "tmpfs", "tmpfs", folder)
        write_files(plan, kind.SHELL)
        network.make_switch()
        kind.prepare(plan)
        for i in range(plan.hosts):
            kind.start(plan, i)
        if plan.machine:
            machines.wait_until_up(plan)
        print("ready", flush=True)
    except Failed as why:
        print(f"failed: {why}", flush=True)
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        print(f"failed: {error}", flush=True)
