# SPDX-License-Identifier: Apache-2.0
"""Whether QEMU can use KVM here. It is tried: on some machines /dev/kvm is there and no ordinary kernel boots with it."""
import os
import pathlib
import re
import subprocess
import tempfile
import time

from labs.boot_files import write_first_files
from labs.plan import Failed

LIMIT_S = 10.0  # a kernel with KVM says its first words after one or two seconds
KVM = "/dev/kvm"
LONGEST = 64  # letters of a message


def why_no_kvm(qemu: str, kernel: str, limit_s: float = LIMIT_S) -> str:
    """Boots a kernel with KVM, with nothing in it. "" if it runs; else why not, in words."""
    if not os.path.exists(KVM):
        return f"there is no {KVM}"
    if not os.access(KVM, os.R_OK | os.W_OK):
        return f"{KVM} may not be used by this user (group kvm)"
    with tempfile.TemporaryDirectory() as folder:
        first, console = pathlib.Path(folder, "first"), pathlib.Path(folder, "console")
        write_first_files(first, [])
        child = subprocess.Popen(
            [qemu, "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-machine", "q35,accel=kvm", "-cpu", "host",
             "-m", "256M", "-kernel", kernel, "-initrd", str(first), "-append", "console=ttyS0 quiet panic=-1",
             "-serial", f"file:{console}"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            until = time.monotonic() + limit_s
            while time.monotonic() < until:
                ended = child.poll() is not None  # first: a kernel that runs ends by itself
                if console.exists() and b"lab: kernel runs" in console.read_bytes():
                    return ""
                if ended:
                    said = child.stderr.read().strip().splitlines() or [f"exit code {child.returncode}"]
                    return f"QEMU ended: {shortened(said[-1])}"
                time.sleep(0.05)
            return f"no kernel booted with {KVM} within {limit_s:g} s"
        finally:
            child.kill()
            child.wait()
            child.stderr.close()


def shortened(message: str) -> str:
    """A message of QEMU without its name and source file; a record has no room for long ones."""
    words = re.sub(r"^(\S*qemu-system-\S+: )?(\S+\.[ch]:\d+: )?", "", message)
    return words if len(words) <= LONGEST else words[:LONGEST - 3] + "..."


def version_of(qemu: str) -> str:
    said = subprocess.run([qemu, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"version (\S+)", said)
    return f"QEMU {found[1]}" if found else "QEMU"


def choose(wanted: str, qemu: str, kernel: str, limit_s: float = LIMIT_S) -> tuple[str, str]:
    """kvm or tcg, and the reason as text. `wanted`: auto, kvm, tcg."""
    version = version_of(qemu)
    if wanted == "tcg":
        return "tcg", f"{version} emulating the CPU (TCG, as asked for)"
    why = why_no_kvm(qemu, kernel, limit_s)
    if not why:
        return "kvm", f"{version} with KVM"
    if wanted == "kvm":
        raise Failed(f"--accel kvm: {why}; --accel tcg emulates the CPU")
    return "tcg", f"{version} emulating the CPU (TCG, as with KVM: {why})"
