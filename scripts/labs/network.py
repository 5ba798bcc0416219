# SPDX-License-Identifier: Apache-2.0
"""The switch of a lab: a bridge, and a port for each host. Runs inside the lab's first namespaces."""
import subprocess

from labs.plan import HEAD, Failed


def do(*words: str) -> None:
    got = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if got.returncode != 0:
        why = (got.stderr.strip().splitlines() or [f"exit code {got.returncode}"])[-1]
        raise Failed(f"{' '.join(words)}: {why}")


def make_switch() -> None:
    do("ip", "link", "set", "lo", "up")
    do("ip", "link", "add", "switch", "type", "bridge")
    do("ip", "addr", "add", f"{HEAD}/16", "dev", "switch")
    do("ip", "link", "set", "switch", "up")


def connect(port: str) -> None:
    do("ip", "link", "set", port, "master", "switch", "mtu", "9000", "up")


def shape_commands(rate: str, device: str) -> list[list[str]]:
    """Limits what leaves a device; bursts are limited to a few packets. The first may fail: not all devices have each offload."""
    if rate == "none":
        return []
    return [["ethtool", "-K", device, "tso", "off", "gso", "off", "gro", "off"],
            ["tc", "qdisc", "add", "dev", device, "root", "tbf", "rate", rate, "burst", "64kb", "latency", "20ms"]]


def shape_script() -> str:
    """The same for a shell in a machine, where the rate is $rate."""
    return "".join(f"{' '.join(words)}{' > /dev/null 2>&1 || true' if words[0] == 'ethtool' else ''}\n"
                   for words in shape_commands("$rate", "eth0"))


def shape(rate: str, device: str, inside: "list[str] | tuple" = ()) -> None:
    for words in shape_commands(rate, device):
        try:
            do(*inside, *words)
        except (Failed, FileNotFoundError):
            if words[0] != "ethtool":
                raise
