# SPDX-License-Identifier: Apache-2.0
"""Kernel and first files of a virtual machine, from what is installed on this machine. Nothing is downloaded."""
import lzma
import os
import pathlib
import re
import shutil
import subprocess

from labs.plan import Failed

MODULES = ["virtio_pci", "virtiofs", "virtio_net"]
HERE = pathlib.Path(__file__).resolve().parent


def find_kernel(wanted: str = "", root: pathlib.Path = pathlib.Path("/")) -> tuple[str, str]:
    """A kernel's file and version: the one named (version or file), else the running one, else the newest that has modules."""
    versions = [path.name for path in (root / "lib/modules").glob("*")]
    versions.sort(key=lambda version: [int(n) for n in re.findall(r"\d+", version)], reverse=True)
    running = os.uname().release
    order = [running] * (running in versions) + [version for version in versions if version != running]
    if wanted:
        order = [version for version in versions if version == wanted or pathlib.Path(wanted).name.endswith(f"-{version}")]
        if not order:
            raise Failed(f"--kernel: '{wanted}' is no kernel with modules in /lib/modules: {', '.join(versions) or 'there are none'}")
        if "/" in wanted and not os.path.isfile(wanted):
            raise Failed(f"--kernel: there is no file {wanted}")
    unreadable = []
    for version in order:
        files = [root / "boot" / f"vmlinuz-{version}", root / "lib/modules" / version / "vmlinuz"]
        for file in [pathlib.Path(wanted).absolute()] if "/" in wanted else files:
            if os.access(file, os.R_OK):
                return str(file), version
            if file.exists():
                unreadable.append(str(file))
    if unreadable:
        raise Failed(f"the kernel {unreadable[0]} is readable by root only: sudo chmod +r {unreadable[0]}")
    raise Failed("no kernel is installed here that a virtual machine could boot (Debian: linux-image-cloud-amd64)")


def find_modules(version: str) -> list[str]:
    """Files of the modules that a machine needs for its root file system and network, in the order of loading. Those that are
    built into the kernel are not among them."""
    found: list[str] = []
    for module in MODULES:
        got = subprocess.run(["modprobe", "-S", version, "--show-depends", module], capture_output=True, text=True)
        if got.returncode != 0:
            raise Failed(f"the kernel {version} has no module {module}; --kernel names another")
        for line in got.stdout.splitlines():
            words = line.split()
            if words and words[0] == "insmod" and words[1] not in found:
                found.append(words[1])
    return found


def read_module(path: str) -> bytes:
    data = pathlib.Path(path).read_bytes()
    if path.endswith(".xz"):
        return lzma.decompress(data)
    if path.endswith(".zst"):
        return subprocess.run(["zstd", "-dc"], input=data, stdout=subprocess.PIPE, check=True).stdout
    return data


def write_archive(file, entries: "list[tuple[str, int, bytes]]") -> None:
    """An archive of (name, mode, data) in the form that a kernel unpacks at its start: cpio, "newc"
    (Documentation/driver-api/early-userspace/buffer-format.rst of Linux)."""
    for inode, (name, mode, data) in enumerate([*entries, ("TRAILER!!!", 0, b"")], 1):
        text = name.encode() + b"\0"
        numbers = (inode, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(text), 0)
        head = b"070701" + b"".join(b"%08X" % number for number in numbers) + text
        file.write(head + b"\0" * (-len(head) % 4) + data + b"\0" * (-len(data) % 4))


def write_first_files(path: pathlib.Path, modules: list[str]) -> None:
    """The archive that a machine begins with: busybox, modules, labs/init."""
    busybox = shutil.which("busybox")
    if not busybox:
        raise Failed("up --vm: no busybox (Debian: busybox-static)")
    entries = [("bin", 0o40755, b""), ("dev", 0o40755, b""),
               ("bin/busybox", 0o100755, pathlib.Path(busybox).read_bytes()),
               ("init", 0o100755, (HERE / "init").read_bytes())]
    names = []
    for number, module in enumerate(modules):
        names.append(f"{number:02}-{pathlib.Path(module).name.split('.ko')[0]}.ko")
        entries.append((names[-1], 0o100644, read_module(module)))
    entries.append(("modules", 0o100644, "\n".join(names).encode()))
    with path.open("wb") as file:
        write_archive(file, entries)
