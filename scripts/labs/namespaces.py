# SPDX-License-Identifier: Apache-2.0
"""Hosts of a lab that are namespaces of the machine's own kernel. All run inside the lab's first namespaces."""
import os
import pathlib
import subprocess
import time

from labs import network
from labs.plan import RUN, Failed, Plan, address, last_line

# What a host's first process does, with NAME and the name that it is found by.
FIRST = """
set -e
hostname "$1" 2> /dev/null || echo "$1" > /proc/sys/kernel/hostname  # the file is root's, also in a user's namespaces
mount --bind /run/hosts /etc/hosts
mount --bind "/run/labels/$1" /run/busbar-lab
mount -t sysfs sysfs /sys 2> /dev/null || true
mount --bind "/dev/shm/$1" /dev/shm
echo $$ > "/run/$1/pid"
exec -a "$2" sleep infinity
"""
SHELL = f"""#!/usr/bin/env bash
host=$1; shift
exec nsenter -t "$(cat "{RUN}/$host/pid")" -n -u -i -m --wdns="$PWD" -- bash -c "$*"
"""


def prepare(_plan: Plan) -> None:
    pathlib.Path(RUN, "busbar-lab").touch()  # marks the host in records; each host has its own over it


def start(plan: Plan, i: int) -> None:
    node, rate = f"node{i}", plan.rate_of(f"node{i}")
    os.makedirs(f"/dev/shm/{node}")
    log = pathlib.Path(RUN, node, "log")
    with log.open("w") as file:
        child = subprocess.Popen(["unshare", "--net", "--uts", "--ipc", "--mount", "--propagation", "private", "bash", "-c",
                                  FIRST, "_", node, f"{plan.name}.{node}"], stdout=file, stderr=file)
    pid_file = pathlib.Path(RUN, node, "pid")
    while not (pid_file.exists() and pid_file.read_text().endswith("\n")):
        if child.poll() is not None:
            raise Failed(f"{node}: its namespaces cannot be made: {last_line(log)}")
        time.sleep(0.005)
    pid = pid_file.read_text().strip()
    inside = ["nsenter", "-t", pid, "-n"]
    network.do("ip", "link", "add", f"port{i}", "type", "veth", "peer", "name", "eth0", "netns", pid)
    network.connect(f"port{i}")
    network.do(*inside, "ip", "link", "set", "lo", "up")
    network.do(*inside, "ip", "addr", "add", f"{address(i)}/16", "dev", "eth0")
    network.do(*inside, "ip", "link", "set", "eth0", "mtu", "9000", "up")
    network.shape(rate, f"port{i}")
    network.shape(rate, "eth0", inside)
