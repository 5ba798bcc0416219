# SPDX-License-Identifier: Apache-2.0
"""Parts of scripts/lab by themselves: no host is made, and neither QEMU nor root is needed."""
import argparse
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import lzma
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock

from labs import accelerator, boot_files, machines, network, passthrough
from labs.plan import Failed, Machine, Plan, last_line, pins_of

SCRIPT = pathlib.Path(accelerator.__file__).resolve().parents[1] / "lab"
loader = importlib.machinery.SourceFileLoader("lab", str(SCRIPT))
lab = importlib.util.module_from_spec(importlib.util.spec_from_loader("lab", loader))
loader.exec_module(lab)


class InFolder(unittest.TestCase):
    """A test with a folder of its own, in which files and programs are made up."""

    def setUp(self) -> None:
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, name: str, text: str = "") -> pathlib.Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def program(self, name: str, text: str) -> str:
        path = self.write(f"bin/{name}", f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return str(path)

    def use_programs(self) -> None:
        """Programs that the test made come first."""
        patch = unittest.mock.patch.dict(os.environ, PATH=f"{self.root}/bin:{os.environ['PATH']}")
        patch.start()
        self.addCleanup(patch.stop)

    def why(self, call, *words, **more) -> str:
        with self.assertRaises(Failed) as caught:
            call(*words, **more)
        self.assertNotIn("\n", str(caught.exception))
        return str(caught.exception)


def access_without(part: str):
    """os.access for a user who may not use files with a part in their path."""
    return lambda path, mode: os.path.exists(path) and part not in str(path)


class Passthrough(InFolder):
    GPU, SOUND, PORT = "0000:3b:00.0", "0000:3b:00.1", "0000:3a:00.0"

    def device(self, address: str, group: str, driver: str, kind: str = "0x030200") -> None:
        """A device as the kernel shows it: class, driver and IOMMU group; group "": none."""
        self.write(f"sys/bus/pci/devices/{address}/class", f"{kind}\n")
        device = self.root / "sys/bus/pci/devices" / address
        if driver:
            self.write(f"sys/bus/pci/drivers/{driver}/bind")
            (device / "driver").symlink_to(self.root / "sys/bus/pci/drivers" / driver)
        if group:
            members = self.root / "sys/kernel/iommu_groups" / group / "devices"
            members.mkdir(parents=True, exist_ok=True)
            (device / "iommu_group").symlink_to(members.parent)
            (members / address).symlink_to(device)

    def refusal(self, text: str) -> str:
        return self.why(passthrough.check, text, self.root)

    def test_good_device_beside_a_bridge(self) -> None:
        self.device(self.PORT, "7", "pcieport", "0x060400")
        self.device(self.GPU, "7", "vfio-pci")
        self.write("dev/vfio/7")
        for text in (self.GPU, "3b:00.0", "3B:00.0"):
            self.assertEqual(passthrough.check(text, self.root), self.GPU)

    def test_wrong_addresses(self) -> None:
        for text in ("", "gpu0", "3b:00", "3b:00.8", "3b:20.0", "0000:3b:00.0,romfile=x", "00000:3b:00.0"):
            self.assertEqual(self.refusal(text), f"--pci: '{text}' is no PCI address such as 0000:3b:00.0")

    def test_what_is_missing(self) -> None:
        self.assertEqual(self.refusal(self.GPU), f"--pci: there is no device {self.GPU} here; lspci -D lists all")
        self.device(self.GPU, "", "nvidia")
        self.assertRegex(self.refusal(self.GPU), rf"^--pci: {self.GPU} has no IOMMU group: .*VT-d or AMD-Vi; kernel: intel_iommu=on")

    def test_other_drivers(self) -> None:
        self.device(self.GPU, "7", "nvidia")
        self.assertRegex(self.refusal(self.GPU), rf"^--pci: {self.GPU} has driver nvidia; .*driverctl set-override {self.GPU} vfio-pci$")
        (self.root / "sys/bus/pci/devices" / self.GPU / "driver").unlink()
        self.assertIn("has driver none;", self.refusal(self.GPU))

    def test_other_member_of_its_group(self) -> None:
        self.device(self.GPU, "7", "vfio-pci")
        self.device(self.SOUND, "7", "snd_hda_intel", "0x040300")
        self.write("dev/vfio/7")
        self.assertRegex(self.refusal(self.GPU), rf"^--pci: {self.SOUND}, of the same IOMMU group as {self.GPU}, has driver "
                         rf"snd_hda_intel; .*driverctl set-override {self.SOUND} vfio-pci$")

    def test_file_of_the_group(self) -> None:
        self.device(self.GPU, "7", "vfio-pci")
        self.assertRegex(self.refusal(self.GPU), r"^--pci: there is no /dev/vfio/7 .*: modprobe vfio-pci$")
        self.write("dev/vfio/7")
        with unittest.mock.patch("os.access", access_without("dev/vfio")):
            self.assertRegex(self.refusal(self.GPU), r"^--pci: /dev/vfio/7 may not be used by this user: run as root")


class Kernels(InFolder):
    def kernels(self, *versions: str) -> None:
        for version in versions:
            self.write(f"boot/vmlinuz-{version}", version)
            self.write(f"lib/modules/{version}/modules.dep")

    def find(self, wanted: str = "", running: str = "5.0.0-unknown") -> str:
        with unittest.mock.patch("os.uname", lambda: argparse.Namespace(release=running)):
            file, version = boot_files.find_kernel(wanted, self.root)
        self.assertEqual(pathlib.Path(file).read_text(), version)
        return version

    def test_the_running_one_else_the_newest(self) -> None:
        self.kernels("6.1.0-9-amd64", "6.1.0-56-amd64", "5.10.0-99-amd64")
        self.assertEqual(self.find(running="6.1.0-9-amd64"), "6.1.0-9-amd64")
        self.assertEqual(self.find(), "6.1.0-56-amd64")
        (self.root / "boot/vmlinuz-6.1.0-56-amd64").unlink()
        self.assertEqual(self.find(), "6.1.0-9-amd64")
        self.write("lib/modules/6.9.1/vmlinuz", "6.9.1")  # where Fedora has it
        self.assertEqual(self.find(), "6.9.1")

    def test_by_version_or_file(self) -> None:
        self.kernels("6.1.0-9-amd64", "6.1.0-56-amd64")
        self.assertEqual(self.find("6.1.0-9-amd64"), "6.1.0-9-amd64")
        elsewhere = str(self.write("mine/vmlinuz-6.1.0-9-amd64", "6.1.0-9-amd64"))
        self.assertEqual(boot_files.find_kernel(elsewhere, self.root), (elsewhere, "6.1.0-9-amd64"))
        self.assertEqual(self.why(boot_files.find_kernel, "/no/vmlinuz-6.1.0-9-amd64", self.root),
                         "--kernel: there is no file /no/vmlinuz-6.1.0-9-amd64")
        self.assertEqual(self.why(boot_files.find_kernel, "7.0", self.root),
                         "--kernel: '7.0' is no kernel with modules in /lib/modules: 6.1.0-56-amd64, 6.1.0-9-amd64")

    def test_none(self) -> None:
        self.assertRegex(self.why(boot_files.find_kernel, "", self.root), r"^no kernel is installed .*linux-image-cloud-amd64")
        self.assertRegex(self.why(boot_files.find_kernel, "6.1", self.root), "there are none$")

    def test_readable_by_root_only(self) -> None:
        self.kernels("6.1.0-9-amd64")
        with unittest.mock.patch("os.access", access_without("vmlinuz")):
            said = self.why(boot_files.find_kernel, "", self.root)
        self.assertRegex(said, r"^the kernel (\S+/vmlinuz-6.1.0-9-amd64) is readable by root only: sudo chmod \+r \1$")

    def test_modules_that_are_no_part_of_the_kernel(self) -> None:
        self.use_programs()
        self.program("modprobe", 'case $4 in virtio_pci) echo "builtin virtio_pci" ;; virtiofs) echo "insmod /m/fuse.ko"; echo "insmod '
                     '/m/virtiofs.ko.xz" ;; *) echo "insmod /m/fuse.ko"; echo "insmod /m/virtio_net.ko some=1" ;; esac')
        self.assertEqual(boot_files.find_modules("6.1"), ["/m/fuse.ko", "/m/virtiofs.ko.xz", "/m/virtio_net.ko"])
        self.program("modprobe", "exit 1")
        self.assertEqual(self.why(boot_files.find_modules, "6.1"), "the kernel 6.1 has no module virtio_pci; --kernel names another")


def read_archive(data: bytes) -> "dict[str, tuple[int, bytes]]":
    """Mode and data of each entry, by the description of the format in Linux."""
    entries, at = {}, 0
    while True:
        assert data[at:at + 6] == b"070701", at
        numbers = [int(data[at + 6 + 8 * k:at + 14 + 8 * k], 16) for k in range(13)]
        name = data[at + 110:at + 110 + numbers[11] - 1].decode()
        begin = (at + 110 + numbers[11] + 3) // 4 * 4
        if name == "TRAILER!!!":
            return entries
        entries[name] = (numbers[1], data[begin:begin + numbers[6]])
        at = (begin + numbers[6] + 3) // 4 * 4


class FirstFiles(InFolder):
    def test_archive(self) -> None:
        entries = [("bin", 0o40755, b""), ("bin/a", 0o100755, b"12345"), ("empty", 0o100644, b""), ("four", 0o100600, b"1234")]
        with io.BytesIO() as file:
            boot_files.write_archive(file, entries)
            data = file.getvalue()
        self.assertEqual(read_archive(data), {name: (mode, content) for name, mode, content in entries})
        self.assertEqual(len(data) % 4, 0)
        if shutil.which("cpio"):
            subprocess.run(["cpio", "-id", "--quiet"], input=data, cwd=self.root, check=True)
            for name, mode, content in entries[1:]:
                self.assertEqual(((self.root / name).stat().st_mode, (self.root / name).read_bytes()), (mode, content))

    def test_modules_as_they_are_packed(self) -> None:
        content = bytes(range(256)) * 8
        (self.root / "a.ko").write_bytes(content)
        (self.root / "a.ko.xz").write_bytes(lzma.compress(content))
        names = ["a.ko", "a.ko.xz"]
        if shutil.which("zstd"):
            subprocess.run(["zstd", "-q", "a.ko", "-o", "a.ko.zst"], cwd=self.root, check=True)
            names.append("a.ko.zst")
        for name in names:
            self.assertEqual(boot_files.read_module(str(self.root / name)), content, name)

    def test_what_a_machine_begins_with(self) -> None:
        self.use_programs()
        self.program("busybox", "exit 0")
        modules = [str(self.write("m/fuse.ko", "1")), str(self.root / "m/virtiofs.ko.xz")]
        pathlib.Path(modules[1]).write_bytes(lzma.compress(b"2"))
        boot_files.write_first_files(self.root / "first", modules)
        entries = read_archive((self.root / "first").read_bytes())
        self.assertEqual(entries["bin/busybox"], (0o100755, b"#!/bin/sh\nexit 0\n"))
        self.assertEqual(entries["init"], (0o100755, (SCRIPT.parent / "labs/init").read_bytes()))
        self.assertEqual([entries[name][1] for name in entries["modules"][1].decode().splitlines()], [b"1", b"2"])
        with unittest.mock.patch.dict(os.environ, PATH="/nowhere"):
            self.assertEqual(self.why(boot_files.write_first_files, self.root / "first", []), "up --vm: no busybox (Debian: busybox-static)")


# A QEMU that says its version, and finds the file that its serial line is written to.
QEMU = """if [ "$1" = --version ]; then echo "QEMU emulator version 9.8.7 (Somewhere 1:9.8.7)"; exit; fi
for word; do case $word in file:*) console=${word#file:} ;; esac; done
"""


class Accelerator(InFolder):
    def setUp(self) -> None:
        super().setUp()
        self.use_programs()
        self.program("busybox", "exit 0")
        kvm = unittest.mock.patch.object(accelerator, "KVM", str(self.write("kvm")))
        kvm.start()
        self.addCleanup(kvm.stop)

    def choose(self, wanted: str, text: str, limit_s: float = 60) -> "tuple[str, str]":
        return accelerator.choose(wanted, self.program("qemu", QEMU + text), "/boot/kernel", limit_s)

    def test_a_kernel_that_runs(self) -> None:
        for end in ("exec sleep 60", "exit 0"):  # a kernel says it and powers off
            for wanted in ("auto", "kvm"):
                self.assertEqual(self.choose(wanted, f'echo "lab: kernel runs" > "$console"; {end}'), ("kvm", "QEMU 9.8.7 with KVM"))

    def test_a_kernel_that_never_runs(self) -> None:
        kind, reason = self.choose("auto", "exec sleep 60", 0.2)
        self.assertEqual(kind, "tcg")
        self.assertRegex(reason, r"^QEMU 9.8.7 emulating the CPU \(TCG, as with KVM: no kernel booted with \S+/kvm within 0.2 s\)$")

    def test_an_error(self) -> None:
        self.assertEqual(self.choose("auto", "echo first >&2; echo 'qemu: no such CPU' >&2; exit 1"),
                         ("tcg", "QEMU 9.8.7 emulating the CPU (TCG, as with KVM: QEMU ended: qemu: no such CPU)"))
        self.assertIn("(TCG, as with KVM: QEMU ended: exit code 3)", self.choose("auto", "exit 3")[1])

    def test_long_messages(self) -> None:
        for message in ("qemu-system-x86_64: ../../target/i386/kvm/kvm.c:3183: kvm_buf_set_msrs: Assertion `a' failed.",
                        "qemu-system-x86_64: target/i386/kvm/kvm.c:3877: kvm_buf_set_msrs: Assertion `a' failed.",
                        "/usr/bin/qemu-system-x86_64: kvm_buf_set_msrs: Assertion `a' failed."):
            self.assertEqual(accelerator.shortened(message), "kvm_buf_set_msrs: Assertion `a' failed.", message)
        self.assertEqual(accelerator.shortened("x" * 64), "x" * 64)
        self.assertEqual(accelerator.shortened("x" * 65), "x" * 61 + "...")

    def test_no_device(self) -> None:
        with unittest.mock.patch("os.access", access_without("kvm")):
            self.assertRegex(self.choose("auto", "exit 0")[1], r"\(TCG, as with KVM: \S+/kvm may not be used by this user \(group kvm\)\)$")
        pathlib.Path(accelerator.KVM).unlink()
        self.assertRegex(self.choose("auto", "exit 0")[1], r"\(TCG, as with KVM: there is no \S+/kvm\)$")

    def test_as_asked_for(self) -> None:
        self.assertEqual(self.choose("tcg", f"touch {self.root}/started")[1], "QEMU 9.8.7 emulating the CPU (TCG, as asked for)")
        self.assertFalse((self.root / "started").exists())
        self.assertEqual(self.why(self.choose, "kvm", "echo 'no luck' >&2; exit 1"),
                         "--accel kvm: QEMU ended: no luck; --accel tcg emulates the CPU")


def machine(**more) -> Machine:
    return Machine(**{"qemu": "/bin/qemu", "accelerator": "tcg", "reason": "QEMU 9 emulating the CPU (TCG, as asked for)", "cpu": "max",
                      "kernel": "/boot/vmlinuz", "modules": ["/m/virtiofs.ko"], "host": "Some CPU", "shares": ["/work"], **more})


def plan_of(hosts: int = 2, rate: str = "none", slow: "dict[str, str] | None" = None, **more) -> Plan:
    return Plan("busbar-lab.x", hosts, 1, rate, slow or {}, machine(**more))


class QemuCommand(unittest.TestCase):
    def options(self, plan: Plan, i: int, name: str) -> "list[str]":
        """Values of an option, in order."""
        words = machines.qemu_command(plan, i)
        return [words[k + 1] for k, word in enumerate(words) if word == name]

    def test_plain(self) -> None:
        plan = plan_of(rate="1gbit", slow={"node1": "100mbit"})
        self.assertEqual(machines.qemu_command(plan, 1)[0], "/bin/qemu")
        for name, value in {"-machine": "q35,accel=tcg", "-cpu": "max", "-smp": "1", "-m": "1024M", "-kernel": "/boot/vmlinuz",
                            "-display": "none", "-netdev": "tap,id=net0,ifname=port1,script=no,downscript=no",
                            "-object": "memory-backend-memfd,id=memory0,size=1024M,share=on",
                            "-numa": "node,nodeid=0,memdev=memory0,cpus=0-0", "-serial": "file:/run/node1/console",
                            "-qmp": "unix:/run/node1/monitor.sock,server=on,wait=off"}.items():
            self.assertEqual(self.options(plan, 1, name), [value], name)
        self.assertIn("virtio-net-pci,netdev=net0,host_mtu=9000,mac=52:54:00:4d:00:01", self.options(plan, 1, "-device"))
        self.assertIn(" lab.words=node1;10.77.0.2;100mbit;no", self.options(plan, 1, "-append")[0])
        self.assertIn(" lab.words=node0;10.77.0.1;1gbit;no", self.options(plan, 0, "-append")[0])
        self.assertNotIn("vhost=on", " ".join(machines.qemu_command(plan, 0)))

    def test_addresses_of_hosts_differ(self) -> None:
        plan = plan_of(999)
        self.assertEqual(len({self.options(plan, i, "-append")[0] for i in range(999)}), 999)
        self.assertEqual(len({machines.mac(i) for i in range(999)}), 999)

    def test_kvm_with_vhost_and_queues(self) -> None:
        plan = plan_of(accelerator="kvm", cpu="host", vhost=True, queues=4, vcpus=4)
        self.assertEqual(self.options(plan, 0, "-machine"), ["q35,accel=kvm"])
        self.assertEqual(self.options(plan, 0, "-cpu"), ["host"])
        self.assertEqual(self.options(plan, 0, "-netdev"), ["tap,id=net0,ifname=port0,script=no,downscript=no,vhost=on,queues=4"])
        self.assertIn("virtio-net-pci,netdev=net0,host_mtu=9000,mac=52:54:00:4d:00:00,mq=on,vectors=10", self.options(plan, 0, "-device"))

    def test_memory(self) -> None:
        self.assertEqual(self.options(plan_of(huge_pages=True), 0, "-object"),
                         ["memory-backend-memfd,id=memory0,size=1024M,share=on,hugetlb=on"])
        two = plan_of(numa=2, vcpus=3, memory_MiB=1025)
        with unittest.mock.patch.object(machines, "numa_nodes_here", lambda: 1):
            self.assertEqual(self.options(two, 0, "-object"), ["memory-backend-memfd,id=memory0,size=512M,share=on",
                                                               "memory-backend-memfd,id=memory1,size=513M,share=on"])
            self.assertEqual(self.options(two, 0, "-numa"), ["node,nodeid=0,memdev=memory0,cpus=0-0",
                                                             "node,nodeid=1,memdev=memory1,cpus=1-2"])
        with unittest.mock.patch.object(machines, "numa_nodes_here", lambda: 2):
            self.assertEqual([words.partition("share=on")[2] for words in self.options(two, 0, "-object")],
                             [",host-nodes=0,policy=bind", ",host-nodes=1,policy=bind"])

    def test_devices_belong_to_one_host(self) -> None:
        plan = plan_of(accelerator="kvm", devices={"node1": ["0000:3b:00.0", "0000:3c:00.0"]})
        self.assertEqual([word for word in self.options(plan, 1, "-device") if word.startswith("vfio")],
                         ["vfio-pci,host=0000:3b:00.0", "vfio-pci,host=0000:3c:00.0"])
        self.assertRegex(self.options(plan, 1, "-append")[0], ";yes$")
        self.assertNotIn("vfio", " ".join(machines.qemu_command(plan, 0)))

    def test_file_systems(self) -> None:
        plan = plan_of(shares=["/work", "/data"])
        self.assertEqual(self.options(plan, 1, "-chardev"), [f"socket,id={tag},path=/run/node1/{tag}.sock" for tag in ("root", "share0", "share1")])
        self.assertEqual([word for word in self.options(plan, 1, "-device") if "fs" in word],
                         [f"vhost-user-fs-pci,chardev={tag},tag={tag}" for tag in ("root", "share0", "share1")])

    def test_file_servers(self) -> None:
        path = pathlib.Path("/run/x.sock")
        self.assertEqual(machines.serve_command("virtiofsd", "  --shared-dir <DIR>", "/a b", path, "always"),
                         ["virtiofsd", "--socket-path=/run/x.sock", "--shared-dir=/a b", "--cache=always", "--sandbox=chroot"])
        self.assertEqual(machines.serve_command("virtiofsd", "usage: virtiofsd [options]", "/a b", path, "auto"),
                         ["virtiofsd", "--socket-path=/run/x.sock", "-o", "source=/a b", "-o", "cache=auto", "-o", "sandbox=chroot", "-f"])

    def test_rates(self) -> None:
        self.assertEqual(network.shape_commands("none", "eth0"), [])
        self.assertIn(["tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", "1gbit", "burst", "64kb", "latency", "20ms"],
                      network.shape_commands("1gbit", "eth0"))


class Plans(InFolder):
    def test_what_a_record_says(self) -> None:
        self.assertEqual(Plan("x", 3, rate="1gbit", slow={"node1": "10mbit"}).about(1), "1 of 3 hosts on one machine, link rate 10mbit")
        self.assertEqual(plan_of(3, "1gbit").about(0), "1 of 3 virtual machines on one machine (Some CPU), QEMU 9 emulating the CPU "
                         "(TCG, as asked for), 1 virtual CPU not pinned, 1024 MiB, link rate 1gbit")
        self.assertEqual(plan_of(2, vcpus=2, pins=[4, 5, 8, 9], numa=2, queues=2, vhost=True, huge_pages=True,
                                 devices={"node1": ["0000:3b:00.0"]}).about(1).partition("), ")[2].partition("), ")[2],
                         "2 virtual CPUs on CPU 8,9, 1024 MiB, link rate none, vhost, huge pages, 2 queues, 2 NUMA nodes, PCI passthrough")

    def test_no_longer_than_a_record_takes(self) -> None:
        """The end of the reason is cut; all other facts stay."""
        self.assertEqual(len(plan_of(host="x" * 50).about(0)), len(plan_of(host="").about(0)) + 50)
        text = plan_of(rate="100mbit", reason="QEMU 9 emulating the CPU (TCG, as with KVM: " + "y" * 200).about(0)
        self.assertEqual(len(text), 256)
        self.assertRegex(text, r"\(Some CPU\), QEMU 9 emulating the CPU \(TCG, as with KVM: y+\.\.\., 1 virtual CPU not .* link rate 100mbit$")
        self.assertEqual(len(plan_of(host="x" * 300).about(0)), 256)

    def test_through_json(self) -> None:
        for plan in (Plan("x", 2, 3, "1gbit", {"node1": "1mbit"}), plan_of(2, vcpus=2, pins=[0, 1, 0, 1], devices={"node0": ["0000:3b:00.0"]})):
            self.assertEqual(Plan.from_json(plan.to_json()), plan)

    def test_pins(self) -> None:
        self.assertEqual(pins_of(machine(vcpus=2, pins=[4, 5, 8, 9]), 1), [8, 9])
        self.assertEqual(pins_of(machine(vcpus=2), 1), [])

    def test_last_line(self) -> None:
        self.assertEqual(last_line(self.root / "none"), "it said nothing")
        self.assertEqual(last_line(self.write("empty")), "it said nothing")
        self.assertEqual(last_line(self.write("qemu", "a\nb\n")), "b")
        self.assertEqual(last_line(self.write("console", "lab: kernel runs\nlab: no root\nreboot: Power down\n")), "lab: no root")


class Monitor(InFolder):
    def ask(self, *answers: dict) -> "tuple[str, list[dict]]":
        """What is shown, and what a QEMU that gives these answers was asked."""
        asked = []

        def serve() -> None:
            connection, _ = server.accept()
            with connection, connection.makefile("rw") as stream:
                def say(answer: dict) -> None:
                    with contextlib.suppress(OSError):
                        stream.write(json.dumps(answer) + "\r\n")
                        stream.flush()
                say({"QMP": {"version": {}}})
                asked.extend(json.loads(stream.readline()) for _ in range(2))
                for answer in answers:
                    say(answer)

        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(self.root / "monitor.sock"))
            server.listen()
            thread = threading.Thread(target=serve)
            thread.start()
            said = machines.ask_monitor(self.root / "monitor.sock", "info status")
            thread.join()
        (self.root / "monitor.sock").unlink()
        return said, asked

    def test_answers(self) -> None:
        said, asked = self.ask({"return": {}}, {"event": "STOP"}, {"return": "VM status: running\r\n", "id": "asked"})
        self.assertEqual(said, "VM status: running\r\n")
        self.assertEqual(asked[1]["arguments"], {"command-line": "info status"})
        self.assertEqual(self.ask({"return": {}}, {"error": {"desc": "no such command"}, "id": "asked"})[0], "no such command\n")
        self.assertEqual(self.ask({"return": {}}, {"event": "SHUTDOWN"})[0], "")  # of quit


class Words(InFolder):
    def test_memory_and_cpus(self) -> None:
        self.assertEqual([lab.mebibytes(text) for text in ("512M", "1G", "2048M")], [512, 1024, 2048])
        for text in ("511M", "1", "1T", "1.5G", "-1G", "G", ""):
            self.assertEqual(self.why(lab.mebibytes, text), f"--memory: '{text}' is no size from 512M: 1G, 2048M")
        with unittest.mock.patch("os.sched_getaffinity", lambda _: {0, 1, 2, 3, 8}):
            self.assertEqual(lab.cpu_list("0-3,8"), [0, 1, 2, 3, 8])
            self.assertEqual(lab.cpu_list("1,1"), [1, 1])
            for text in ("", "a", "0-", "3-1", "0,,1", "1 2", "0-9999999999"):
                self.assertEqual(self.why(lab.cpu_list, text), f"--pin: '{text}' is no list of CPUs such as 0-3,8")
            self.assertEqual(self.why(lab.cpu_list, "2-4"), "--pin: there is no CPU 4 here that this process may use: 0,1,2,3,8")

    def test_rates(self) -> None:
        def rates(rate: str, *slow: str) -> "dict[str, str]":
            return lab.parse_rates(argparse.Namespace(rate=rate, slow=slow), 2)

        self.assertEqual(rates("10gbit"), {})
        self.assertEqual(rates("none", "node0=1mbit", "node1=64kbit"), {"node0": "1mbit", "node1": "64kbit"})
        for rate in ("fast", "0gbit", "1g", "1gbit ", ""):
            self.assertRegex(self.why(rates, rate), "^--rate: '.*' is no rate: 1gbit, 10gbit, none$")
        for slow in ("node2=1mbit", "node1", "node1=none", "host=1mbit"):
            self.assertEqual(self.why(rates, "1gbit", slow), f"--slow: '{slow}' is no HOST=RATE of one of the 2 hosts: node1=100mbit")

    def test_devices(self) -> None:
        with unittest.mock.patch.object(passthrough, "check", passthrough.full_address):
            self.assertEqual(lab.parse_devices(["node1=3b:00.0", "node0=3c:00.0", "node1=0000:3d:00.0"], 2),
                             {"node1": ["0000:3b:00.0", "0000:3d:00.0"], "node0": ["0000:3c:00.0"]})
            self.assertEqual(self.why(lab.parse_devices, ["node0=3b:00.0", "node1=0000:3b:00.0"], 2),
                             "--pci: 0000:3b:00.0 is given twice; a device belongs to one machine")
        for word in ("node2=3b:00.0", "3b:00.0", "node0=", "node0"):
            self.assertRegex(self.why(lab.parse_devices, [word], 2), "is no HOST=ADDRESS of one of the 2 hosts: node0=0000:3b:00.0$")

    def test_huge_pages(self) -> None:
        free = self.write("meminfo", "MemTotal:  99999 kB\nHugePages_Free:      600\nHugepagesize:       2048 kB\n")
        lab.check_huge_pages(1200, free)
        self.assertEqual(self.why(lab.check_huge_pages, 1201, free),
                         "--huge-pages: 1201 MiB are needed, 1200 MiB are free in huge pages: sysctl vm.nr_hugepages=")
        self.assertIn("0 MiB are free", self.why(lab.check_huge_pages, 1, self.write("none", "MemTotal: 99999 kB\n")))

    def test_shares(self) -> None:
        (self.root / "a b").mkdir()
        (self.root / "link").symlink_to("a b")
        (self.root / "a,b").mkdir()
        here = self.root.resolve()
        self.assertEqual(lab.parse_shares([str(self.root / "link"), str(self.root)]), [str(here / "a b"), str(here)])
        for share in ("/", str(self.root / "a,b")):
            self.assertIn("cannot be shared", self.why(lab.parse_shares, [share]))


class WrongUse(unittest.TestCase):
    """Through the script itself: one line that begins with "lab: ", exit code 2, and no lab."""

    def script(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, "-B", str(SCRIPT), *words], env={**os.environ, "BUSBAR_LAB": f"pieces.{os.getpid()}"},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def refused(self, said: str, *words: str) -> None:
        done = self.script(*words)
        if done.returncode == 0:
            self.script("down")
        self.assertEqual((done.returncode, done.stdout), (2, ""), words)
        self.assertRegex(done.stderr, rf"\Alab: {said}.*\n\Z")

    def test_hosts(self) -> None:
        self.refused("up: the following arguments are required: N", "up")
        for number in ("0", "1000", "two", "1.5"):
            self.refused(f"up: '{number}' is no number of hosts from 1 to 999", "up", number)
        self.refused("up: unrecognized arguments: --fast", "up", "2", "--fast")
        self.refused("up: unrecognized arguments: 3", "up", "2", "3")
        self.refused("--slots: '0' is no number of ranks", "up", "2", "--slots", "0")
        self.refused("up: argument --rate: expected one argument", "up", "2", "--rate")
        self.refused("'' is none of up, run, exec, console, monitor, down; scripts/lab --help")

    def test_machines_only(self) -> None:
        cpu = str(min(os.sched_getaffinity(0)))
        for words in (["--accel", "kvm"], ["--vcpus", "2"], ["--memory", "1G"], ["--share", "."], ["--pin", cpu], ["--huge-pages"],
                      ["--numa", "1"], ["--queues", "1"], ["--cpu", "max"], ["--pci", "node0=0000:3b:00.0"], ["--kernel", "6.1"]):
            self.refused(f"{words[0]} is for virtual machines: --vm", "up", "1", *words)

    def test_options_of_machines(self) -> None:
        cpu = str(min(os.sched_getaffinity(0)))
        for said, *words in (
                ("up: argument --accel: invalid choice: 'xen'", "--accel", "xen"),
                ("--vcpus: '0' is no number of virtual CPUs from 1 to 255", "--vcpus", "0"),
                ("--vcpus: '256' is no number of virtual CPUs from 1 to 255", "--vcpus", "256"),
                ("--memory: '100M' is no size from 512M: 1G, 2048M", "--memory", "100M"),
                ("--queues: '65' is no number of queues from 1 to 64", "--queues", "65"),
                ("--numa: '3' is no number of NUMA nodes from 1 to 2", "--vcpus", "2", "--numa", "3"),
                (r"--pin: 1 CPUs for 4 virtual CPUs \(2 machines of 2\)", "--vcpus", "2", "--pin", cpu),
                ("--pin: '9-8' is no list of CPUs such as 0-3,8", "--pin", "9-8"),
                ("--pin: there is no CPU 99999 here", "--pin", "99999"),
                ("--share: there is no folder /no/where", "--share", "/no/where"),
                ("--share: '/' cannot be shared", "--share", "/"),
                ("--pci: 'node2=0000:3b:00.0' is no HOST=ADDRESS of one of the 2 hosts", "--pci", "node2=0000:3b:00.0"),
                ("--pci: 'gpu0' is no PCI address", "--pci", "node0=gpu0"),
                ("--pci: there is no device ffff:ff:1f.7 here; lspci -D lists all", "--pci", "node0=ffff:ff:1f.7")):
            self.refused(said, "up", "2", "--vm", *words)

    def test_commands_without_a_lab(self) -> None:
        self.refused("down: there is none", "down")
        self.refused("run: no words for mpirun", "run")
        self.refused("exec: say a host and a command", "exec", "node0")
        self.refused("there is no node0; scripts/lab up makes hosts", "exec", "node0", "true")
        self.refused("console: say a host", "console")
        self.refused("there is no lab; scripts/lab up makes one", "console", "node0")
        self.refused("monitor: say a host and a command", "monitor", "node0")
        self.refused("there is no lab; scripts/lab up makes one", "monitor", "node0", "stop")


unittest.main()
