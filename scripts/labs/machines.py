# SPDX-License-Identifier: Apache-2.0
"""Hosts of a lab that are virtual machines by QEMU. All run inside the lab's first namespaces.

A machine has a kernel of its own, and the root file system of the machine that it runs on, by virtiofs: read-only. So it has the same
programs and libraries, and no image is made. It writes to memory (/tmp, /run), and to the machine's file system in shared
folders.
"""
import functools
import json
import os
import pathlib
import shutil
import socket
import subprocess
import time

from labs import network
from labs.boot_files import HERE, write_first_files
from labs.plan import RSH, RUN, SSH_CONFIG, Failed, Machine, Plan, address, last_line, pins_of

BOOT_LIMIT_S = 240
FIRST = pathlib.Path(RUN, "first")
START = pathlib.Path(RUN, "start")
# Debian 12 has virtiofsd with QEMU, others in a package of its own.
FILE_SERVERS = ["/usr/libexec/virtiofsd", "/usr/lib/qemu/virtiofsd", "/usr/lib/virtiofsd"]

SSHD = """Port 22
HostKey {run}/ssh/key
AuthorizedKeysFile {run}/ssh/key.pub
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication no
PidFile none
UseDNS no
PrintMotd no
MaxStartups 1000
MaxSessions 1000
AcceptEnv *
"""
SSH = """Host *
  User root
  IdentityFile {run}/ssh/key
  StrictHostKeyChecking no
  UserKnownHostsFile /dev/null
  GlobalKnownHostsFile /dev/null
  LogLevel ERROR
  SendEnv *
  ServerAliveInterval 5
  ServerAliveCountMax 6
"""
# sshd takes over all variables but PATH.
SHELL = f"""#!/usr/bin/env bash
host=$1; shift
exec ssh -x -F {SSH_CONFIG} "$host" "export PATH=$(printf %q "$PATH"); $*"
"""


def file_server() -> str:
    for path in filter(None, [shutil.which("virtiofsd"), *FILE_SERVERS]):
        if os.access(path, os.X_OK):
            return path
    raise Failed("up --vm: no virtiofsd (Debian 12: qemu-system-common; 13: virtiofsd)")


def prepare(plan: Plan) -> None:
    folder = pathlib.Path(RUN, "ssh")
    folder.mkdir(mode=0o700)
    network.do("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", plan.name, "-f", str(folder / "key"))
    (folder / "sshd_config").write_text(SSHD.format(run=RUN))
    pathlib.Path(SSH_CONFIG).write_text(SSH.format(run=RUN))
    pathlib.Path(RUN, "shape").write_text(network.shape_script())
    pathlib.Path(RUN, "shares").write_text("".join(f"{share}\n" for share in plan.machine.shares))
    write_first_files(FIRST, plan.machine.modules)
    shutil.copy(HERE / "start", START)  # this folder's name could have blanks, which a kernel's command line cannot
    # Machines see these files as the lab has them. sshd lets nobody in whose account is locked.
    pathlib.Path(RUN, "shadow").write_text("root:*:19000::::::\n")
    for name in ("hosts", "shadow"):
        network.do("mount", "--bind", f"{RUN}/{name}", f"/etc/{name}")


def serve_command(program: str, usage: str, folder: str, path: pathlib.Path, cache: str) -> list[str]:
    """By options of virtiofsd 1.x, or of the one that QEMU had until 7.2. `usage`: what its --help says."""
    if "--shared-dir" in usage:
        return [program, f"--socket-path={path}", f"--shared-dir={folder}", f"--cache={cache}", "--sandbox=chroot"]
    return [program, f"--socket-path={path}", "-o", f"source={folder}", "-o", f"cache={cache}", "-o", "sandbox=chroot", "-f"]


@functools.cache
def usage_of(program: str) -> str:
    return subprocess.run([program, "--help"], stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout


def serve(folder: str, path: pathlib.Path, cache: str, log: pathlib.Path) -> None:
    program = file_server()
    command = serve_command(program, usage_of(program), folder, path, cache)
    with log.open("a") as file:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
    until = time.monotonic() + 10
    while not path.exists():
        if child.poll() is not None or time.monotonic() > until:
            raise Failed(f"virtiofsd cannot serve {folder}: {last_line(log)}")
        time.sleep(0.01)


def numa_nodes_here() -> int:
    return len(list(pathlib.Path("/sys/devices/system/node").glob("node[0-9]*")))


def memory_options(m: Machine) -> list[str]:
    """Memory that virtiofsd can map, in as many NUMA nodes as asked for; where the machine has as many, each on its own."""
    nodes_here = numa_nodes_here()
    words = []
    for node in range(m.numa):
        size_MiB = (node + 1) * m.memory_MiB // m.numa - node * m.memory_MiB // m.numa
        memory = f"memory-backend-memfd,id=memory{node},size={size_MiB}M,share=on"
        if m.huge_pages:
            memory += ",hugetlb=on"
        if m.numa > 1 and nodes_here >= m.numa:
            memory += f",host-nodes={node},policy=bind"
        first, last = node * m.vcpus // m.numa, (node + 1) * m.vcpus // m.numa - 1
        words += ["-object", memory, "-numa", f"node,nodeid={node},memdev=memory{node},cpus={first}-{last}"]
    return words


def network_options(m: Machine, i: int) -> list[str]:
    tap, card = f"tap,id=net0,ifname=port{i},script=no,downscript=no", f"virtio-net-pci,netdev=net0,host_mtu=9000,mac={mac(i)}"
    if m.vhost:
        tap += ",vhost=on"
    if m.queues > 1:
        tap += f",queues={m.queues}"
        card += f",mq=on,vectors={2 * m.queues + 2}"
    return ["-netdev", tap, "-device", card]


def mac(i: int) -> str:
    return f"52:54:00:4d:{i // 256:02x}:{i % 256:02x}"


def qemu_command(plan: Plan, i: int) -> list[str]:
    m, node, folder = plan.machine, f"node{i}", f"{RUN}/node{i}"
    devices = m.devices.get(node, [])
    words = [m.qemu, "-name", f"{node},debug-threads=on", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
             "-machine", f"q35,accel={m.accelerator}", "-cpu", m.cpu, "-smp", str(m.vcpus), "-m", f"{m.memory_MiB}M",
             *memory_options(m), *network_options(m, i), "-device", "virtio-rng-pci"]
    for tag in ["root", *(f"share{k}" for k in range(len(m.shares)))]:
        words += ["-chardev", f"socket,id={tag},path={folder}/{tag}.sock", "-device", f"vhost-user-fs-pci,chardev={tag},tag={tag}"]
    for device in devices:
        words += ["-device", f"vfio-pci,host={device}"]
    start = f"{node};{address(i)};{plan.rate_of(node)};{'yes' if devices else 'no'}"
    return words + ["-kernel", m.kernel, "-initrd", str(FIRST), "-append",
                    f"console=ttyS0 quiet panic=-1 net.ifnames=0 lab.start={START} lab.words={start}",
                    "-serial", f"file:{folder}/console", "-qmp", f"unix:{folder}/monitor.sock,server=on,wait=off"]


def start(plan: Plan, i: int) -> None:
    m, folder = plan.machine, pathlib.Path(RUN, f"node{i}")
    serve("/", folder / "root.sock", "always", folder / "files.log")
    for k, share in enumerate(m.shares):
        serve(share, folder / f"share{k}.sock", "auto", folder / "files.log")
    network.do("ip", "tuntap", "add", f"port{i}", "mode", "tap", *(["multi_queue"] if m.queues > 1 else []))
    network.connect(f"port{i}")
    network.shape(plan.rate_of(f"node{i}"), f"port{i}")
    with (folder / "qemu.log").open("w") as log:
        child = subprocess.Popen(qemu_command(plan, i), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    (folder / "pid").write_text(f"{child.pid}\n")
    if pins_of(m, i):
        pin(child.pid, pins_of(m, i), folder / "qemu.log")


def pin(pid: int, cpus: list[int], log: pathlib.Path) -> None:
    """Pins each virtual CPU, a thread named "CPU 0/KVM" or "CPU 0/TCG", to a CPU; QEMU's other threads share them."""
    until = time.monotonic() + 10
    while True:
        threads = {}
        for task in pathlib.Path(f"/proc/{pid}/task").glob("*"):
            try:
                words = (task / "comm").read_text().split()
            except OSError:
                continue
            if words[:1] == ["CPU"]:
                threads[int(words[1].split("/")[0])] = int(task.name)
            else:
                os.sched_setaffinity(int(task.name), cpus)
        if len(threads) == len(cpus):
            break
        if time.monotonic() > until:
            raise Failed(f"virtual CPUs of QEMU were not seen: {last_line(log)}")
        time.sleep(0.02)
    for number, thread in threads.items():
        os.sched_setaffinity(thread, [cpus[number]])


def answers(i: int) -> bool:
    """Whether a machine's sshd answers."""
    try:
        with socket.create_connection((address(i), 22), timeout=1) as connection:
            return connection.recv(4) == b"SSH-"
    except OSError:
        return False


def is_running(pid_file: pathlib.Path) -> bool:
    """Whether a machine's QEMU runs. The file is the lab's, seen from inside or outside; its number is one inside."""
    try:
        stat = pid_file.parents[2] / "proc" / pid_file.read_text().strip() / "stat"
        return stat.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_until_up(plan: Plan) -> None:
    began, waiting = time.monotonic(), list(range(plan.hosts))
    while waiting:
        for i in list(waiting):
            folder = pathlib.Path(RUN, f"node{i}")
            if answers(i):
                waiting.remove(i)
                print(f"node{i} is up after {time.monotonic() - began:.0f} s", flush=True)
            elif not is_running(folder / "pid"):
                log = folder / "qemu.log"
                raise Failed(f"node{i} ended while it booted: {last_line(log if log.stat().st_size else folder / 'console')}")
            elif time.monotonic() - began > BOOT_LIMIT_S:
                raise Failed(f"node{i} has not booted within {BOOT_LIMIT_S} s; its console's last line: {last_line(folder / 'console')}")
        time.sleep(0.2)
    set_clocks(plan)


def set_clocks(plan: Plan) -> None:
    """A machine boots with a clock that knows only whole seconds. A shell on each is told the time when it is ready for it."""
    shells = [subprocess.Popen([RSH, f"node{i}", "echo ready; read -r now; date -s @$now"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True) for i in range(plan.hosts)]
    for i, shell in enumerate(shells):
        if shell.stdout.readline() != "ready\n":
            raise Failed(f"node{i}: no command can be run by ssh (exit code {shell.wait()})")
        shell.communicate(f"{time.time()}\n")
        if shell.returncode != 0:
            raise Failed(f"node{i}: its clock cannot be set (exit code {shell.returncode})")


def ask_monitor(path: pathlib.Path, command: str) -> str:
    """Runs a command of QEMU's monitor, and gives what it says (QEMU Machine Protocol, human-monitor-command)."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(str(path))
        stream = connection.makefile("rw")
        stream.readline()
        for request in [{"execute": "qmp_capabilities"},
                        {"execute": "human-monitor-command", "arguments": {"command-line": command}, "id": "asked"}]:
            stream.write(json.dumps(request) + "\n")
            stream.flush()
        for line in stream:
            answer = json.loads(line)
            if answer.get("id") == "asked":
                return answer["return"] if "return" in answer else answer["error"]["desc"] + "\n"
    return ""  # it ended, as asked for
