// SPDX-License-Identifier: Apache-2.0
#include "core/environment/environment.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string_view>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/base/json.hpp"
#include "core/environment/facts.hpp"
#include "core/record/parts.hpp"
#include "tests/unit/made_up_tree.hpp"

namespace busbar::test {
namespace {

using namespace std::string_literals;

/// Two sockets of four cores with two threads each, two InfiniBand ports, two GPUs.
void make_hpc_node(Tree& tree) {
  tree.x86(false)
      .dmi("Supermicro\n", "SYS-420GP-TNR\n")
      .file("proc/sys/kernel/hostname", "node017\n")
      .file("etc/hostname", "not-this-one\n")
      .file("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n")
      .file("etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n")
      .file("proc/meminfo", "MemTotal:       528000000 kB\nMemFree:  1 kB\nMemAvailable:   500000000 kB\n")
      .file("sys/devices/system/cpu/online", "0-15\n")
      .file("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n")
      .file("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n")
      .file("sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", "intel_pstate\n")
      .file("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n")
      .file("sys/devices/system/cpu/smt/active", "1\n")
      .file("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n")
      .file("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  for (int cpu = 0; cpu < 16; ++cpu) {
    const fs::path topology = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology";
    tree.file(topology / "physical_package_id", std::to_string(cpu / 4 % 2) + "\n")
        .file(topology / "core_id", std::to_string(cpu % 4) + "\n");
  }
  tree.file("sys/class/net/lo/type", "772\n")
      .file("sys/class/net/bonding_masters", "\n")
      .file("sys/class/net/docker0/type", "1\n")
      .file("sys/class/net/eno1/type", "1\n")
      .file("sys/class/net/eno1/operstate", "up\n")
      .file("sys/class/net/eno1/speed", "25000\n")
      .file("sys/class/net/eno1/mtu", "9000\n")
      .link("sys/class/net/eno1/device/driver", "../../../bus/pci/drivers/mlx5_core")
      .file("sys/class/net/eno2/type", "1\n")
      .file("sys/class/net/eno2/operstate", "down\n")
      .file("sys/class/net/eno2/speed", "-1\n")
      .link("sys/class/net/eno2/device", "../../../0000:3b:00.1")
      .file("sys/class/net/ib0/type", "32\n")
      .file("sys/class/net/ib0/speed", "200000\n")
      .link("sys/class/net/ib0/device/driver", "../../../bus/pci/drivers/mlx5_core");
  for (const auto* device : {"mlx5_0", "mlx5_1"}) {
    const fs::path port = fs::path("sys/class/infiniband") / device / "ports/1";
    const bool first = device == "mlx5_0"s;
    tree.file(port / "rate", first ? "200 Gb/sec (4X HDR)\n" : "2.5 Gb/sec (1X SDR)\n")
        .file(port / "state", first ? "4: ACTIVE\n" : "1: DOWN\n")
        .file(port / "link_layer", first ? "InfiniBand\n" : "Ethernet\n");
  }
  tree.file("proc/driver/nvidia/version",
            "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  550.54.15  Release Build  (dvs-builder)\n"
            "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n")
      .file("proc/driver/nvidia/gpus/0000:1b:00.0/information",
            "Model: \t\t NVIDIA H100 80GB HBM3\nIRQ:   \t\t 18\n"
            "GPU UUID: \t GPU-11111111-2222-3333-4444-555555555555\nBus Type: \t PCIe\n"
            "Bus Location: \t 0000:1b:00.0\nDevice Minor: \t 0\n")
      .file("proc/driver/nvidia/gpus/0000:9c:00.0/information",
            "Model: \t\t NVIDIA H100 80GB HBM3\nGPU UUID: \t GPU-" + std::string(8, '?') + "\n");
}

TEST(Host, OfABareMetalNode) {
  Tree tree;
  make_hpc_node(tree);
  const Host host = read_host(tree.root());
  EXPECT_EQ(host.name, "node017");
  EXPECT_EQ(host.cpu_model, "Some CPU");
  EXPECT_EQ(host.sockets, 2);
  EXPECT_EQ(host.cores, 8);
  EXPECT_EQ(host.threads, 16);
  EXPECT_EQ(host.memory_bytes, 528000000ULL * 1024);
  EXPECT_EQ(host.kernel, "6.1.0-18-amd64");
  EXPECT_EQ(host.os, "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(host.governor, "performance");
  EXPECT_EQ(host.cpufreq_driver, "intel_pstate");
  EXPECT_EQ(host.turbo, true);
  EXPECT_EQ(host.smt, true);
  EXPECT_FALSE(host.cpu_quota);
  EXPECT_EQ(host.clock_source, "tsc");
  EXPECT_EQ(host.transparent_huge_pages, "madvise");
  EXPECT_EQ(host.virtualisation, "bare metal");
  EXPECT_FALSE(host.container);
  EXPECT_FALSE(host.lab);
  tree.file("run/busbar-lab", "1 of 4 hosts on one machine, link rate 10gbit\n");
  EXPECT_EQ(read_host(tree.root()).lab, "1 of 4 hosts on one machine, link rate 10gbit");
}

TEST(Host, ReadsTurboFromEachDriver) {
  const auto turbo = [](const char* file, const char* content) {
    Tree tree;
    tree.file(fs::path("sys/devices/system/cpu") / file, content);
    return read_host(tree.root()).turbo;
  };
  EXPECT_EQ(turbo("intel_pstate/no_turbo", "1\n"), false);
  EXPECT_EQ(turbo("cpufreq/boost", "1\n"), true);
  EXPECT_EQ(turbo("cpu0/cpufreq/boost", "0\n"), false);
  EXPECT_FALSE(turbo("cpufreq/boost", "maybe\n"));
}

TEST(Host, ReadsTheNetworkOfABareMetalNode) {
  Tree tree;
  make_hpc_node(tree);
  const Host host = read_host(tree.root());
  ASSERT_EQ(host.interfaces.size(), 4U);
  EXPECT_EQ(host.interfaces[0].name, "docker0");
  EXPECT_EQ(host.interfaces[0].kind, InterfaceKind::without_device);
  EXPECT_FALSE(host.interfaces[0].driver);
  EXPECT_EQ(host.interfaces[1].name, "eno1");
  EXPECT_EQ(host.interfaces[1].kind, InterfaceKind::ethernet);
  EXPECT_EQ(host.interfaces[1].driver, "mlx5_core");
  EXPECT_EQ(host.interfaces[1].state, "up");
  EXPECT_EQ(host.interfaces[1].speed_Gbps, 25.0);
  EXPECT_EQ(host.interfaces[1].mtu, 9000);
  EXPECT_EQ(host.interfaces[2].kind, InterfaceKind::ethernet);
  EXPECT_FALSE(host.interfaces[2].speed_Gbps);
  EXPECT_EQ(host.interfaces[3].kind, InterfaceKind::infiniband);
  ASSERT_EQ(host.rdma.size(), 2U);
  EXPECT_EQ(host.rdma[0].device, "mlx5_0");
  EXPECT_EQ(host.rdma[0].port, 1);
  EXPECT_EQ(host.rdma[0].rate_Gbps, 200.0);
  EXPECT_EQ(host.rdma[0].state, "ACTIVE");
  EXPECT_EQ(host.rdma[0].link_layer, "InfiniBand");
  EXPECT_EQ(host.rdma[1].rate_Gbps, 2.5);
  EXPECT_EQ(host.rdma[1].state, "DOWN");
}

TEST(Host, GpusWithoutALibrary) {
  Tree tree;
  make_hpc_node(tree);
  const Host host = read_host(tree.root());
  EXPECT_EQ(host.gpu_driver, "550.54.15");
  ASSERT_EQ(host.gpus.size(), 2U);
  EXPECT_EQ(host.gpus[0].name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(host.gpus[0].bus, "0000:1b:00.0");
  EXPECT_EQ(host.gpus[0].uuid, "GPU-11111111-2222-3333-4444-555555555555");
  EXPECT_EQ(host.gpus[1].bus, "0000:9c:00.0");
  EXPECT_FALSE(host.gpus[1].uuid);
}

TEST(Host, CountsCoresByTheirThreadLists) {
  Tree tree;  // core numbers repeat in each cluster: the lists tell the four cores apart
  for (int cpu = 0; cpu < 8; ++cpu) {
    const fs::path topology = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology";
    const int first = cpu / 2 * 2;
    tree.file(topology / "physical_package_id", "-1\n")
        .file(topology / "core_id", "0\n")
        .file(topology / "core_cpus_list", std::to_string(first) + "-" + std::to_string(first + 1) + "\n");
  }
  const Host host = read_host(tree.root());
  EXPECT_EQ(host.cores, 4);
  EXPECT_FALSE(host.sockets);
}

TEST(Host, NamesArmProcessors) {
  Tree tree;
  tree.file("proc/cpuinfo",
            "processor\t: 0\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd sve\nCPU implementer\t: 0x41\n"
            "CPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: 0xd4f\n\nprocessor\t: 1\n");
  EXPECT_EQ(read_host(tree.root()).cpu_model, "Neoverse-V2");
  EXPECT_EQ(read_host(tree.root()).threads, 2);
  tree.file("proc/cpuinfo", "CPU implementer\t: 0x41\nCPU part\t: 0xfff\n");
  EXPECT_EQ(read_host(tree.root()).cpu_model, "ARM implementer 0x41 part 0xfff");
}

struct Machine {
  const char* vendor;
  const char* product;
  bool hypervisor;
  const char* expected;
};

TEST(Virtualisation, IsFoundByFirmwareNames) {
  const Machine machines[] = {
      {"VMware, Inc.", "VMware7,1", true, "VMware"},
      {"VMware, Inc.", "VMware Virtual Platform", false, "VMware"},  // its flag can be switched off
      {"Microsoft Corporation", "Virtual Machine", true, "Hyper-V"},
      {"Microsoft Corporation", "Surface Pro", false, "bare metal"},
      {"innotek GmbH", "VirtualBox", true, "VirtualBox"},
      {"Xen", "HVM domU", true, "Xen"},
      {"QEMU", "Standard PC (Q35 + ICH9, 2009)", true, "QEMU"},
      {"QEMU", "Standard PC (Q35 + ICH9, 2009)", false, "QEMU"},
      {"Red Hat", "KVM", true, "KVM"},
      {"OpenStack Foundation", "OpenStack Nova", true, "KVM"},
      {"Amazon EC2", "p5.48xlarge", true, "KVM"},
      {"Amazon EC2", "c5.metal", false, "bare metal"},
      {"Google", "Google Compute Engine", true, "KVM"},
      {"Dell Inc.", "PowerEdge XE9680", false, "bare metal"},
      {"Oracle Corporation", "ORACLE SERVER X9-2L", false, "bare metal"},
      {"Nobody", "Nothing", true, "unknown hypervisor"},
  };
  for (const auto& machine : machines) {
    Tree tree;
    tree.x86(machine.hypervisor).dmi(machine.vendor, machine.product);
    EXPECT_EQ(tree.virtualisation(), machine.expected) << machine.vendor << ", " << machine.product;
  }
}

TEST(Virtualisation, IsFoundByTheKernel) {
  const std::string clocks = "sys/devices/system/clocksource/clocksource0/available_clocksource";
  Tree kvm;
  kvm.x86(true).dmi("QEMU", "Standard PC").file(clocks, "kvm-clock tsc acpi_pm\n");
  EXPECT_EQ(kvm.virtualisation(), "KVM");
  Tree hyperv;
  hyperv.x86(true).file(clocks, "hyperv_clocksource_tsc_page acpi_pm\n");
  EXPECT_EQ(hyperv.virtualisation(), "Hyper-V");
  Tree xen;
  xen.x86(true).file("sys/hypervisor/type", "xen\n");
  EXPECT_EQ(xen.virtualisation(), "Xen");
  Tree real;
  real.x86(false).dmi("Dell Inc.", "PowerEdge").file(clocks, "tsc hpet acpi_pm\n");
  EXPECT_EQ(real.virtualisation(), "bare metal");
}

TEST(Virtualisation, OfFirecracker) {
  Tree by_acpi;
  by_acpi.x86(true).file("sys/firmware/acpi/tables/FACP", "FACP\x14\1\0\0\6fFIRECKFCVMFADT\0\0\0\0FCAT\x20\x24\1\x19"s);
  EXPECT_EQ(by_acpi.virtualisation(), "Firecracker");
  Tree by_command;
  by_command.x86(true).file("proc/cmdline",
                            "console=ttyS0 reboot=k panic=1 pci=off virtio_mmio.device=4K@0xd0000000:5\n");
  EXPECT_EQ(by_command.virtualisation(), "Firecracker");
  Tree by_device;
  by_device.x86(true).folder("sys/bus/acpi/devices/AMZNC10C:00");
  EXPECT_EQ(by_device.virtualisation(), "Firecracker");
  Tree real;  // the same command line, but the processor says that nothing is below
  real.x86(false).file("proc/cmdline", "pci=off\n");
  EXPECT_EQ(real.virtualisation(), "unknown");
  Tree amazon;  // the same device, but there is firmware
  amazon.x86(true).dmi("Amazon EC2", "m7i.large").folder("sys/bus/acpi/devices/AMZNC10C:00");
  EXPECT_EQ(amazon.virtualisation(), "KVM");
}

TEST(Virtualisation, IsFoundWithoutAProcessorFlag) {
  const std::string arm = "processor\t: 0\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n";
  Tree real;
  real.file("proc/cpuinfo", arm).dmi("HPE", "ProLiant RL300").file("sys/class/dmi/id/chassis_type", "23\n");
  EXPECT_EQ(real.virtualisation(), "bare metal");
  Tree guest;
  guest.file("proc/cpuinfo", arm).dmi("QEMU", "KVM Virtual Machine").file("sys/class/dmi/id/chassis_type", "1\n");
  EXPECT_EQ(guest.virtualisation(), "KVM");
  Tree metal;
  metal.file("proc/cpuinfo", arm).dmi("Amazon EC2", "c7g.metal");
  EXPECT_EQ(metal.virtualisation(), "bare metal");
  Tree tree;
  tree.file("proc/cpuinfo", arm).file("proc/device-tree/hypervisor/compatible", "xen,xen-4.17\0xen,xen\0"s);
  EXPECT_EQ(tree.virtualisation(), "Xen");
  Tree other;
  other.file("proc/cpuinfo", arm).dmi("Somebody", "Something").file("sys/class/dmi/id/chassis_type", "1\n");
  EXPECT_EQ(other.virtualisation(), "unknown");
}

TEST(Virtualisation, IsFoundBySignature) {
  const auto named = [](std::initializer_list<std::string> signatures) {
    return facts::named_by_signature(std::vector(signatures)).value_or("none");
  };
  EXPECT_EQ(named({"KVMKVMKVM"}), "KVM");
  EXPECT_EQ(named({"Microsoft Hv", "KVMKVMKVM"}), "KVM");
  EXPECT_EQ(named({"Microsoft Hv", "XenVMMXenVMM"}), "Xen");
  EXPECT_EQ(named({"Microsoft Hv", "\1\2\3"}), "Hyper-V");
  EXPECT_EQ(named({"VMwareVMware"}), "VMware");
  EXPECT_EQ(named({"TCGTCGTCGTCG"}), "QEMU");
  EXPECT_EQ(named({"whoever"}), "none");
  EXPECT_EQ(named({}), "none");
}

constexpr auto overlay = "500 400 0:50 / / rw,relatime - overlay overlay rw,lowerdir=/a,upperdir=/b\n";
constexpr auto disk = "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n23 22 0:21 / /proc rw - proc proc rw\n";

TEST(Container, IsFoundByMarkerFile) {
  Tree docker;
  docker.file(".dockerenv", "").file("proc/self/mountinfo", overlay);
  EXPECT_EQ(docker.container(), "docker");
  Tree podman;
  podman.file("run/.containerenv", "").file("proc/self/mountinfo", overlay);
  EXPECT_EQ(podman.container(), "podman");
  Tree apptainer;
  apptainer.folder(".singularity.d").file("proc/self/mountinfo", "1 0 7:0 / / ro - squashfs /dev/loop0 ro\n");
  EXPECT_EQ(apptainer.container(), "apptainer");
  Tree unknown_mounts;
  unknown_mounts.file(".dockerenv", "");
  EXPECT_EQ(unknown_mounts.container(), "docker");
}

TEST(Container, IgnoresAMarkerLeftFromAnImage) {
  Tree vm;
  vm.file(".dockerenv", "").file("proc/self/mountinfo", disk);
  EXPECT_EQ(vm.container(), "none");
  Tree started_in_a_container;  // which shares its root with the virtual machine
  started_in_a_container.file(".dockerenv", "").file("proc/self/mountinfo", "1 0 0:26 / / ro - virtiofs root ro\n");
  EXPECT_EQ(started_in_a_container.container(), "none");
  Tree kata;  // shares a folder for each container
  kata.file(".dockerenv", "").file("proc/self/mountinfo", "1 0 0:26 /3f9c/rootfs / rw - virtiofs kataShared rw\n");
  EXPECT_EQ(kata.container(), "docker");
  Tree container;  // a folder of that disk is another matter
  container.file(".dockerenv", "")
      .file("proc/self/mountinfo", "22 1 254:0 /var/lib/docker/vfs/dir/1 / rw - ext4 /dev/vda rw\n");
  EXPECT_EQ(container.container(), "docker");
}

TEST(Container, IsFoundByTheRuntimesVariable) {
  Tree lxc;
  lxc.file("proc/1/environ", "PATH=/bin\0container=lxc\0TERM=linux\0"s);
  EXPECT_EQ(lxc.container(), "lxc");
  Tree pod;
  pod.file(".dockerenv", "").folder("var/run/secrets/kubernetes.io");
  EXPECT_EQ(pod.container(), "kubernetes");
  Tree pod_by_group;
  pod_by_group.file(".dockerenv", "").file("proc/1/cgroup", "0::/kubepods/besteffort/pod12/34\n");
  EXPECT_EQ(pod_by_group.container(), "kubernetes");
  Tree by_group;
  by_group.file("proc/1/cgroup", "4:memory:/docker/abc\n");
  EXPECT_EQ(by_group.container(), "docker");
  Tree host;
  host.file("proc/1/cgroup", "0::/init.scope\n").file("proc/1/environ", "HOME=/\0notcontainer=1\0"s);
  EXPECT_EQ(host.container(), "none");
}

// What the kernel shows on each kind of host that people run this on.
TEST(Host, IsNamedRightlyOnEveryKind) {
  const std::string clocks = "sys/devices/system/clocksource/clocksource0/available_clocksource";
  const auto expect = [](const Tree& tree, const std::string& virtualisation, const std::string& container) {
    EXPECT_EQ(tree.virtualisation(), virtualisation);
    EXPECT_EQ(tree.container(), container) << virtualisation;
  };
  Tree kvm, tcg, vmware, hyperv, xen, firecracker, parallels, metal;
  kvm.x86(true).dmi("QEMU", "Standard PC (i440FX + PIIX, 1996)").file(clocks, "kvm-clock tsc hpet acpi_pm\n");
  expect(kvm, "KVM", "none");
  tcg.x86(true).dmi("QEMU", "Standard PC (i440FX + PIIX, 1996)").file(clocks, "tsc hpet acpi_pm\n");
  expect(tcg, "QEMU", "none");
  vmware.x86(true).dmi("VMware, Inc.", "VMware20,1").file(clocks, "tsc acpi_pm\n");
  expect(vmware, "VMware", "none");
  hyperv.x86(true)
      .dmi("Microsoft Corporation", "Virtual Machine")
      .file(clocks, "hyperv_clocksource_tsc_page acpi_pm\n");
  expect(hyperv, "Hyper-V", "none");
  xen.x86(true).dmi("Xen", "HVM domU").file("sys/hypervisor/type", "xen\n").file(clocks, "xen tsc hpet acpi_pm\n");
  expect(xen, "Xen", "none");
  firecracker.x86(true).file(clocks, "kvm-clock tsc\n").folder("sys/bus/acpi/devices/AMZNC10C:00");
  expect(firecracker, "Firecracker", "none");
  parallels.x86(true).dmi("Parallels International GmbH.", "Parallels Virtual Platform");
  expect(parallels, "Parallels", "none");
  metal.x86(false).dmi("Supermicro", "SYS-821GE-TNHR").file(clocks, "tsc hpet acpi_pm\n");
  expect(metal, "bare metal", "none");

  const auto on_metal = [](Tree& tree) -> Tree& { return tree.x86(false).dmi("Dell Inc.", "PowerEdge R750xa"); };
  Tree docker, podman, pod, lxc;
  on_metal(docker).file(".dockerenv", "").file("proc/self/mountinfo", overlay);
  expect(docker, "bare metal", "docker");
  on_metal(podman).file("run/.containerenv", "engine=\"podman-4.3.1\"\n").file("proc/self/mountinfo", overlay);
  expect(podman, "bare metal", "podman");
  on_metal(pod).folder("run/secrets/kubernetes.io").file("proc/self/mountinfo", overlay);
  expect(pod, "bare metal", "kubernetes");
  on_metal(lxc).file("proc/1/environ", "container=lxc\0TERM=linux\0"s);
  expect(lxc, "bare metal", "lxc");

  const std::string kernel = "proc/sys/kernel/osrelease";
  Tree wsl, docker_in_wsl;
  wsl.x86(true).file(kernel, "5.15.153.1-microsoft-standard-WSL2\n").file(clocks, "hyperv_clocksource_tsc_page\n");
  expect(wsl, "Hyper-V", "wsl");
  docker_in_wsl.x86(true)
      .file(kernel, "5.15.153.1-microsoft-standard-WSL2\n")
      .file(clocks, "hyperv_clocksource_tsc_page\n")
      .file(".dockerenv", "")
      .file("proc/self/mountinfo", overlay);
  expect(docker_in_wsl, "Hyper-V", "docker");
}

/// Every fact that can be empty is, but for those a garbage tree may fill with text of its own.
void expect_nothing(const Host& host) {
  EXPECT_EQ(host.name, "unknown");
  EXPECT_FALSE(host.cpu_model);
  EXPECT_FALSE(host.sockets);
  EXPECT_FALSE(host.cores);
  EXPECT_FALSE(host.threads);
  EXPECT_FALSE(host.memory_bytes);
  EXPECT_FALSE(host.kernel);
  EXPECT_FALSE(host.os);
  EXPECT_FALSE(host.governor);
  EXPECT_FALSE(host.cpufreq_driver);
  EXPECT_FALSE(host.turbo);
  EXPECT_FALSE(host.smt);
  EXPECT_FALSE(host.cpu_quota);
  EXPECT_FALSE(host.clock_source);
  EXPECT_FALSE(host.transparent_huge_pages);
  EXPECT_EQ(host.virtualisation, "unknown");
  EXPECT_FALSE(host.container);
  EXPECT_TRUE(host.rdma.empty());
  EXPECT_FALSE(host.gpu_driver);
}

TEST(Host, IsUnknownInAnEmptyRoot) {
  Tree tree;
  expect_nothing(read_host(tree.root()));
  EXPECT_TRUE(read_host(tree.root()).interfaces.empty());
  EXPECT_TRUE(read_host(tree.root()).gpus.empty());
  EXPECT_FALSE(available_memory(tree.root()));
  expect_nothing(read_host(tree.root() / "not there"));
}

TEST(Host, LeavesFactsEmptyOnGarbage) {
  const std::string binary = "\0\1\2\x7F\xFF\xFE\n\0:::===\n"s;
  for (const std::string& garbage : {binary, std::string(9 << 20, 'x'), "\n"s, "-\n"s.insert(0, 300, '9')}) {
    Tree tree;
    for (const auto* path : {"proc/cpuinfo",
                             "proc/meminfo",
                             "proc/cmdline",
                             "proc/sys/kernel/hostname",
                             "proc/sys/kernel/osrelease",
                             "etc/hostname",
                             "etc/os-release",
                             "proc/self/cgroup",
                             "proc/self/mountinfo",
                             "proc/1/cgroup",
                             "proc/1/environ",
                             "sys/hypervisor/type",
                             "sys/class/dmi/id/sys_vendor",
                             "sys/class/dmi/id/product_name",
                             "sys/devices/system/cpu/online",
                             "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
                             "sys/devices/system/cpu/cpu0/cpufreq/scaling_driver",
                             "sys/devices/system/cpu/intel_pstate/no_turbo",
                             "sys/devices/system/cpu/smt/active",
                             "sys/devices/system/clocksource/clocksource0/current_clocksource",
                             "sys/kernel/mm/transparent_hugepage/enabled",
                             "sys/fs/cgroup/cpu.max",
                             "sys/devices/system/cpu/cpu0/topology/core_id",
                             "sys/devices/system/cpu/cpu0/topology/physical_package_id",
                             "sys/class/net/eth0/type",
                             "sys/class/net/eth0/speed",
                             "sys/class/net/eth0/mtu",
                             "sys/class/infiniband/mlx5_0/ports/nonsense/rate",
                             "proc/driver/nvidia/version",
                             "proc/driver/nvidia/gpus/0000:1b:00.0/information",
                             "sys/bus/pci/devices/0000:1b:00.0/current_link_speed",
                             "sys/bus/pci/devices/0000:1b:00.0/max_link_width",
                             "sys/bus/pci/devices/0000:1b:00.0/numa_node",
                             "sys/devices/system/node/online",
                             "sys/firmware/acpi/tables/FACP",
                             "sys/fs/cgroup/memory.max",
                             "sys/fs/cgroup/memory.current"})
      tree.file(path, garbage);
    const Host host = read_host(tree.root());
    expect_nothing(host);
    ASSERT_EQ(host.interfaces.size(), 1U);
    EXPECT_FALSE(host.interfaces[0].speed_Gbps);
    EXPECT_FALSE(host.interfaces[0].mtu);
    ASSERT_EQ(host.gpus.size(), 1U);
    EXPECT_EQ(host.gpus[0].name, "unknown");
    EXPECT_FALSE(available_memory(tree.root()));
  }
}

TEST(Host, WritesBytesThatAreNoText) {
  Tree tree;
  tree.file("etc/hostname", "n\xFF\xFE\n").file("etc/os-release", "PRETTY_NAME=\"\xC3\x28 Linux\"\n");
  const Host host = read_host(tree.root());
  EXPECT_EQ(host.name, "n??");
  EXPECT_NO_THROW((void)nlohmann::json(host).dump());
}

TEST(Host, IgnoresFoldersInPlaceOfFiles) {
  Tree tree;
  tree.folder("proc/cpuinfo")
      .folder("proc/meminfo")
      .folder("etc/hostname")
      .file("sys/class/net", "")
      .file("sys/class/infiniband", "");
  expect_nothing(read_host(tree.root()));
}

TEST(Host, ReadsThisMachineBackFromJson) {
  const Host host = read_host();
  EXPECT_NE(host.name, "unknown");
  EXPECT_GE(host.threads.value_or(0), 1);
  EXPECT_TRUE(host.memory_bytes);
  EXPECT_TRUE(host.kernel);
  const nlohmann::json json = host;
  EXPECT_EQ(nlohmann::json(json.get<Host>()), json);
}

constexpr std::uint64_t gib = std::uint64_t{1} << 30;

TEST(AvailableMemory, IsTheMinimumOfHostAndCgroups) {
  Tree tree;
  tree.file("proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n");
  EXPECT_EQ(available_memory(tree.root()), 4 * gib);
  tree.file("proc/self/cgroup", "0::/slurm/job_1\n")
      .file("sys/fs/cgroup/slurm/job_1/memory.max", "max\n")
      .file("sys/fs/cgroup/slurm/job_1/memory.current", "1048576\n");
  EXPECT_EQ(available_memory(tree.root()), 4 * gib);
  tree.file("sys/fs/cgroup/slurm/memory.max", std::to_string(3 * gib))
      .file("sys/fs/cgroup/slurm/memory.current", std::to_string(2 * gib));
  EXPECT_EQ(available_memory(tree.root()), 1 * gib);
  tree.file("sys/fs/cgroup/slurm/memory.stat", "anon 5\ninactive_file " + std::to_string(gib) + "\nactive_file 7\n");
  EXPECT_EQ(available_memory(tree.root()), 2 * gib);
  tree.file("sys/fs/cgroup/slurm/job_1/memory.max", std::to_string(gib / 2));
  EXPECT_EQ(available_memory(tree.root()), gib / 2 - 1048576);
}

TEST(AvailableMemory, ReadsCgroupsVersion1) {
  Tree tree;
  tree.file("proc/meminfo", "MemAvailable: 8388608 kB\n")
      .file("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/docker/on/the/host\n0::/\n")
      .file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n")
      .file("sys/fs/cgroup/memory/memory.usage_in_bytes", "1\n");
  EXPECT_EQ(available_memory(tree.root()), 8 * gib);
  tree.file("sys/fs/cgroup/memory/memory.limit_in_bytes", std::to_string(2 * gib));
  EXPECT_EQ(available_memory(tree.root()), 2 * gib - 1);
  tree.file("sys/fs/cgroup/memory/memory.usage_in_bytes", std::to_string(3 * gib));
  EXPECT_EQ(available_memory(tree.root()), 0U);
}

TEST(CpuQuota, IsTheMinimumOfAllCgroups) {
  const auto quota = [](const Tree& tree) { return read_host(tree.root()).cpu_quota; };
  Tree second;
  second.file("proc/self/cgroup", "0::/slurm/job_1\n").file("sys/fs/cgroup/slurm/job_1/cpu.max", "max 100000\n");
  EXPECT_FALSE(quota(second));
  second.file("sys/fs/cgroup/slurm/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota(second), 1.5);
  second.file("sys/fs/cgroup/slurm/job_1/cpu.max", "50000 100000\n");
  EXPECT_EQ(quota(second), 0.5);
  Tree first;
  first.file("proc/self/cgroup", "4:cpu,cpuacct:/docker/on/the/host\n0::/\n")
      .file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n")
      .file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_FALSE(quota(first));
  first.file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
  EXPECT_EQ(quota(first), 2.0);
}

TEST(UsableCpus, AreOnlineCpusOrFewerInACgroup) {
  Tree tree;
  EXPECT_FALSE(usable_cpus(tree.root()));
  tree.file("sys/devices/system/cpu/online", "0-15\n");
  EXPECT_EQ(usable_cpus(tree.root()), 16);
  tree.file("proc/self/cgroup", "3:cpuset:/slurm/job_1\n0::/slurm/job_1\n")
      .file("sys/fs/cgroup/slurm/job_1/cpuset.cpus.effective", "0-3,8\n");
  EXPECT_EQ(usable_cpus(tree.root()), 5);
  tree.file("sys/fs/cgroup/cpuset/slurm/cpuset.effective_cpus", "2,3\n");
  EXPECT_EQ(usable_cpus(tree.root()), 2);
}

TEST(Environment, MatchesTheAllowListExactly) {
  for (const auto* name :
       {"NCCL_DEBUG", "NCCL_IB_PKEY", "OMPI_MCA_btl", "OMPI_MCA_coll_tuned_use_dynamic_rules",
        "OMPI_MCA_rmaps_base_mapping_policy", "OMPI_MCA_hwloc_base_binding_policy", "OMPI_MCA_mpi_oversubscribe",
        "UCX_TLS", "FI_PROVIDER", "CUDA_VISIBLE_DEVICES", "SLURM_NNODES", "SLURM_NTASKS", "SLURM_CPUS_PER_TASK",
        "SLURM_GPUS_PER_NODE", "SLURM_JOB_CPUS_PER_NODE", "SLURM_MEM_PER_NODE"})
    EXPECT_TRUE(environment_allowed(name)) << name;
  for (const auto* name : {"",
                           "HOME",
                           "PATH",
                           "LD_LIBRARY_PATH",
                           "AWS_SECRET_ACCESS_KEY",
                           "nccl_debug",
                           "XNCCL_DEBUG",
                           "NCCL",
                           "UCX",
                           "SLURM_JOB_ID",
                           "SLURM_JOB_NAME",
                           "SLURM_JOB_USER",
                           "SLURM_NODELIST",
                           "SLURM_SUBMIT_DIR",
                           "SLURM_JWT",
                           "SLURM_NTASKS_X",
                           "CUDA_VISIBLE_DEVICES_X",
                           "CUDA_HOME",
                           "OMPI_COMM_WORLD_RANK",
                           "PMIX_SERVER_URI41"})
    EXPECT_FALSE(environment_allowed(name)) << name;
}

TEST(Environment, SkipsVariablesOfTheLauncher) {
  for (const auto* name :
       {"OMPI_MCA_ess", "OMPI_MCA_ess_base_jobid", "OMPI_MCA_initial_wdir", "OMPI_MCA_orte_hnp_uri",
        "OMPI_MCA_orte_local_daemon_uri", "OMPI_MCA_orte_precondition_transports", "OMPI_MCA_orte_tmpdir_base",
        "OMPI_MCA_orte_jobfam_session_dir", "OMPI_MCA_orte_num_nodes", "OMPI_MCA_pmix", "OMPI_MCA_plm_rsh_agent",
        "OMPI_MCA_shmem_RUNTIME_QUERY_hint", "OMPI_MCA_mca_base_env_list", "OMPI_MCA_mca_base_env_list_internal"})
    EXPECT_FALSE(environment_allowed(name)) << name;
}

TEST(Environment, DropsSecretsUnderAllowedPrefixes) {
  for (const auto* name : {"NCCL_PLUGIN_TOKEN", "UCX_AUTH_SECRET", "FI_X_PASSWORD", "FI_PSM2_UUID", "NCCL_api_key",
                           "OMPI_MCA_some_credential", "OMPI_MCA_oob_tcp_pass", "UCX_X_CRED", "NCCL_PROXY_AUTH",
                           "FI_X_PASSPHRASE", "NCCL_HTTP_COOKIE", "FI_PSK", "FI_LOGIN"})
    EXPECT_FALSE(environment_allowed(name)) << name;
  for (const auto* name : {"NCCL_IB_PKEY", "UCX_IB_PKEY", "OMPI_MCA_btl_tcp_bypass", "NCCL_IB_AUTHOR"})
    EXPECT_TRUE(environment_allowed(name)) << name;
}

TEST(Environment, DropsSecretsInValues) {
  ::setenv("NCCL_NET_PLUGIN", "https://alice:hunter2@example.org/x.so", 1);
  ::setenv("FI_X", "Authorization: Bearer hunter2", 1);
  ::setenv("UCX_X", "pair;q7Zk2Lw9Xb4Rt8Yn3Mc6Vd1", 1);
  const auto variables = read_environment();
  EXPECT_EQ(variables.at("NCCL_NET_PLUGIN"), "https://[removed]@example.org/x.so");
  EXPECT_EQ(variables.at("FI_X"), "Authorization: Bearer [removed]");
  EXPECT_EQ(variables.at("UCX_X"), "pair;[removed]");
}

TEST(Environment, ReadsNothingElse) {
  ::setenv("AWS_SECRET_ACCESS_KEY", "planted-secret", 1);
  ::setenv("HOME", "/home/planted-secret", 1);
  ::setenv("OMPI_MCA_mca_base_env_list", "X=planted-secret", 1);
  ::setenv("OMPI_MCA_orte_precondition_transports", "planted-secret", 1);
  ::setenv("SLURM_JOB_NAME", "planted-secret", 1);
  ::setenv("SLURM_NTASKS", "16", 1);
  ::setenv("NCCL_FOO", "a=b", 1);
  ::setenv("UCX_LONG", std::string(10000, 'x').c_str(), 1);
  const auto variables = read_environment();
  for (const auto& [name, value] : variables) {
    EXPECT_TRUE(environment_allowed(name)) << name;
    EXPECT_EQ(value.find("planted-secret"), std::string::npos) << name;
  }
  EXPECT_EQ(variables.at("NCCL_FOO"), "a=b");
  EXPECT_EQ(variables.at("SLURM_NTASKS"), "16");
  EXPECT_EQ(variables.at("UCX_LONG").size(), 4096U);
}

TEST(CpuList, HasTheKernelsFormat) {
  EXPECT_EQ(format_cpu_list({}), "");
  EXPECT_EQ(format_cpu_list({5}), "5");
  EXPECT_EQ(format_cpu_list({0, 1, 2, 3, 8}), "0-3,8");
  EXPECT_EQ(format_cpu_list({8, 3, 1, 2, 0, 3}), "0-3,8");
  EXPECT_EQ(format_cpu_list({0, 2, 4}), "0,2,4");
  EXPECT_EQ(format_cpu_list({4, 5}), "4-5");
}

TEST(Affinity, MatchesTheKernelForThisThread) {
  const auto status = facts::read_text("/proc/thread-self/status");
  ASSERT_TRUE(status);
  const auto list = facts::value_of(*status, "Cpus_allowed_list", ':');
  ASSERT_TRUE(list);
  EXPECT_EQ(format_cpu_list(affinity()), *list);
}

}  // namespace
}  // namespace busbar::test
