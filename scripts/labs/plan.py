# SPDX-License-Identifier: Apache-2.0
"""What a lab consists of, as plain data: made by `scripts/lab up`, carried out by `labs.hold`."""
import dataclasses
import json
import pathlib
import typing

LONGEST = 256          # letters that a record takes of a fact
RUN = "/run"           # inside a lab: a tmpfs of its own
HEAD = "10.77.255.254"  # the switch's own address
RSH = f"{RUN}/rsh"     # reaches another host of the lab: rsh HOST COMMAND
SSH_CONFIG = f"{RUN}/ssh/config"


class Failed(Exception):
    """A lab cannot be created or used; the text is one line for the user."""


@dataclasses.dataclass
class Machine:
    """A virtual machine as asked for; all machines of a lab are alike but for pins and devices."""
    qemu: str                     # program
    accelerator: str              # kvm, tcg
    reason: str                   # why that one, in words
    cpu: str                      # QEMU's -cpu
    kernel: str                   # file
    modules: list[str]            # files of kernel modules, in the order of loading
    host: str                     # the machine that it runs on, in words
    vcpus: int = 1
    memory_MiB: int = 1024
    queues: int = 1               # of the network device
    numa: int = 1                 # NUMA nodes of the guest
    huge_pages: bool = False
    vhost: bool = False
    pins: list[int] = dataclasses.field(default_factory=list)  # CPU of each virtual CPU, node0's first; empty: not pinned
    devices: dict[str, list[str]] = dataclasses.field(default_factory=dict)  # PCI addresses by host
    shares: list[str] = dataclasses.field(default_factory=list)  # folders of the machine that hosts can write


@dataclasses.dataclass
class Plan:
    name: str                     # of the lab, as its first process is called
    hosts: int
    slots: int = 1
    rate: str = "none"
    slow: dict[str, str] = dataclasses.field(default_factory=dict)  # rate of single hosts
    machine: typing.Optional[Machine] = None  # None: hosts are namespaces

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self))

    @staticmethod
    def from_json(text: str) -> "Plan":
        words = json.loads(text)
        if words["machine"]:
            words["machine"] = Machine(**words["machine"])
        return Plan(**words)

    def rate_of(self, host: str) -> str:
        return self.slow.get(host, self.rate)

    def about(self, i: int) -> str:
        """What a record says of host i: /run/busbar-lab there. If that is too long, the reason for the accelerator is cut."""
        if not self.machine:
            return f"1 of {self.hosts} hosts on one machine, {self.link_in_words(i)}"
        reason = self.machine.reason
        too_many = len(self.machine_in_words(i, reason)) - LONGEST
        if too_many > 0:
            reason = reason[:max(0, len(reason) - too_many - 3)] + "..."
        return self.machine_in_words(i, reason)[:LONGEST]

    def link_in_words(self, i: int) -> str:
        return f"link rate {self.rate_of(f'node{i}')}"

    def machine_in_words(self, i: int, reason: str) -> str:
        m = self.machine
        words = [f"1 of {self.hosts} virtual machines on one machine ({m.host})", reason,
                 f"{m.vcpus} virtual CPU{'s' if m.vcpus > 1 else ''}" + pins_in_words(m, i), f"{m.memory_MiB} MiB", self.link_in_words(i)]
        return ", ".join(words + [word for wanted, word in [
            (m.vhost, "vhost"), (m.huge_pages, "huge pages"), (m.queues > 1, f"{m.queues} queues"),
            (m.numa > 1, f"{m.numa} NUMA nodes"), (f"node{i}" in m.devices, "PCI passthrough")] if wanted])


def pins_in_words(machine: Machine, i: int) -> str:
    pins = pins_of(machine, i)
    return f" on CPU {','.join(map(str, pins))}" if pins else " not pinned"


def pins_of(machine: Machine, i: int) -> list[int]:
    return machine.pins[i * machine.vcpus:(i + 1) * machine.vcpus]


def address(i: int) -> str:
    return f"10.77.{i // 250}.{i % 250 + 1}"


def last_line(log: pathlib.Path) -> str:
    """Of a log, for a message; of a machine's console the last that is the lab's own."""
    lines = log.read_text(errors="replace").strip().splitlines() if log.exists() else []
    lines = [line for line in lines if line.startswith("lab: ")] or lines
    return lines[-1].strip() if lines else "it said nothing"
