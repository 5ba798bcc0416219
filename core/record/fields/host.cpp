// SPDX-License-Identifier: Apache-2.0
#include "core/environment/environment.hpp"
#include "core/record/fields/member_field.hpp"

namespace busbar {
namespace {

constexpr Field host_fields[] = {
    field<&Host::name>("name", "Host name; placement refers to it.").must_be_there(),
    field<&Host::cpu_model>("cpu_model", "Name of the processor; in a virtual machine, as shown to the guest."),
    field<&Host::sockets>("sockets", "Number of processor packages.").at_least(1),
    field<&Host::cores>("cores", "Number of physical cores of the whole host.").at_least(1),
    field<&Host::threads>("threads", "Number of logical CPUs online.").at_least(1),
    field<&Host::memory_bytes>("memory_bytes", "Memory of the host, in bytes."),
    field<&Host::kernel>("kernel", "Kernel release.").holds(Privacy::versions),
    field<&Host::os>("os", "Name and version of the distribution; in a container, of its image.")
        .holds(Privacy::versions),
    field<&Host::governor>(
        "governor",
        "cpufreq governor of CPU 0; null if the kernel does not control frequencies, as in most virtual machines."),
    field<&Host::cpufreq_driver>("cpufreq_driver",
                                 "cpufreq driver of CPU 0, e.g. intel_pstate, amd-pstate-epp, acpi-cpufreq.")
        .later(),
    field<&Host::turbo>(
        "turbo",
        "Whether clocks above nominal are allowed; null if the kernel does not report it, as in most virtual machines.")
        .later(),
    field<&Host::smt>("smt",
                      "Whether cores run two or more threads; in a virtual machine, the cores shown to the guest.")
        .later(),
    field<&Host::cpu_quota>("cpu_quota",
                            "CPU time quota of busbar's control group (CFS bandwidth), in CPUs; null: no limit found.")
        .above(0)
        .later(),
    field<&Host::clock_source>("clock_source", "Time source of the kernel: tsc, kvm-clock, arch_sys_counter, hpet, ...")
        .later(),
    field<&Host::transparent_huge_pages>("transparent_huge_pages", "Kernel setting: always, madvise or never.").later(),
    field<&Host::virtualisation>(
        "virtualisation",
        "bare metal, a hypervisor (KVM, VMware, Hyper-V, Xen, Firecracker, Cloud Hypervisor, QEMU, VirtualBox, ...), "
        "\"unknown hypervisor\" (some other virtual machine), or unknown.")
        .not_empty(),
    field<&Host::container>("container", "docker, podman, apptainer, kubernetes, lxc, wsl, ...; null: none detected."),
    field<&Host::lab>("lab",
                      "How scripts/lab made this host from a part of a machine; null if it did not. Measurements "
                      "between such hosts say nothing about a real network.")
        .later(),
    field<&Host::iommu>(
        "iommu",
        "Types of the IOMMU's groups, separated by commas: DMA, DMA-FQ (device addresses are translated), identity "
        "(not translated); none: no IOMMU is active; unknown type; null: not readable.")
        .later(),
    field<&Host::interfaces>("interfaces", "Network interfaces, sorted by name."),
    field<&Host::rdma>("rdma", "Ports of RDMA devices, sorted by device and port."),
    field<&Host::gpus>("gpus", "GPUs, sorted by PCI address."),
    field<&Host::gpu_driver>("gpu_driver", "Version of the GPU driver.").holds(Privacy::versions),
    field<&Host::gpu_links>("gpu_links", "Links between its GPUs; null without GPUs, or if unknown.").later(),
};
constexpr Part host_part{"host", "Facts of one host, read from kernel files. null if there is no file to read.",
                         host_fields};

constexpr Field network_interface_fields[] = {
    field<&NetworkInterface::name>("name", "Kernel name.").must_be_there(),
    field<&NetworkInterface::kind>("kind", "virtual: no device behind it (bridge, bond, tunnel)."),
    field<&NetworkInterface::driver>("driver", "Kernel driver of the device."),
    field<&NetworkInterface::state>("state", "Kernel's operstate: up, down, unknown, ..."),
    field<&NetworkInterface::speed_Gbps>("speed_Gbps",
                                         "Link speed in 1e9 bit/s; null if the driver does not report it."),
    field<&NetworkInterface::mtu>("mtu", "Maximum packet size, in bytes."),
};
constexpr Part network_interface_part{"interface", "A network interface of a host, except the loopback.",
                                      network_interface_fields};

constexpr Field rdma_port_fields[] = {
    field<&RdmaPort::device>("device", "Kernel name, e.g. mlx5_0.").must_be_there(),
    field<&RdmaPort::port>("port", "Port number on its device."),
    field<&RdmaPort::link_layer>("link_layer", "InfiniBand or Ethernet."),
    field<&RdmaPort::state>("state", "ACTIVE, DOWN, INIT, ARMED, ..."),
    field<&RdmaPort::rate_Gbps>("rate_Gbps", "Signalling rate of the link in 1e9 bit/s."),
    field<&RdmaPort::ats>("ats",
                          "Address translation services of the device are enabled; null: not readable (not root).")
        .later(),
    field<&RdmaPort::acs_redirect>("acs_redirect",
                                   "A PCI bridge above the device redirects peer-to-peer requests to the host bridge; "
                                   "null: not readable (not root), or no bridge found.")
        .later(),
};
constexpr Part rdma_port_part{"rdma_port", "A port of an RDMA device (InfiniBand or RoCE).", rdma_port_fields};

constexpr Field gpu_fields[] = {
    field<&Gpu::name>("name", "Model; unknown if the driver does not report it."),
    field<&Gpu::bus>("bus", "PCI address."),
    field<&Gpu::uuid>("uuid", "As reported by the driver; null before the first use of the device."),
    field<&Gpu::memory_bytes>("memory_bytes", "Memory of the GPU, in bytes.").later(),
    field<&Gpu::mig>("mig", "Partitioned into MIG instances.").later(),
    field<&Gpu::virtualisation>(
        "virtualisation",
        "none, passthrough, vGPU (this host is a virtual machine with a share of the GPU), vGPU host, vSGA host.")
        .later(),
    field<&Gpu::ecc>("ecc", "Error correction is enabled.").later(),
    field<&Gpu::persistence>("persistence", "Persistence mode: the driver stays loaded without users.").later(),
    field<&Gpu::compute_mode>("compute_mode", "default, exclusive thread, prohibited, exclusive process.").later(),
    field<&Gpu::power_limit_W>("power_limit_W", "Enforced power limit, in W.").later(),
    field<&Gpu::sm_clock_max_MHz>("sm_clock_max_MHz", "Maximum SM clock, in MHz.").later(),
    field<&Gpu::memory_clock_max_MHz>("memory_clock_max_MHz", "Maximum memory clock, in MHz.").later(),
    field<&Gpu::pcie_gen>("pcie_gen", "PCIe generation as negotiated when it was read; an idle GPU may lower it.")
        .at_least(1)
        .later(),
    field<&Gpu::pcie_width>("pcie_width", "Negotiated number of PCIe lanes.").at_least(1).later(),
    field<&Gpu::pcie_gen_max>("pcie_gen_max", "Maximum PCIe generation.").at_least(1).later(),
    field<&Gpu::pcie_width_max>("pcie_width_max", "Maximum number of PCIe lanes.").at_least(1).later(),
    field<&Gpu::nvlinks>("nvlinks", "Number of active NVLinks.").later(),
    field<&Gpu::nvlink_version>("nvlink_version", "Version of its NVLinks, e.g. 4.0.").later(),
    field<&Gpu::numa_node>("numa_node", "Nearest NUMA node.").later(),
    field<&Gpu::ats>("ats", "Address translation services are enabled; null: not readable (not root).").later(),
    field<&Gpu::acs_redirect>("acs_redirect",
                              "A PCI bridge above the GPU redirects peer-to-peer requests to the host bridge; null: "
                              "not readable (not root), or no bridge found.")
        .later(),
};
constexpr Part gpu_part{
    "gpu", "A GPU of a host. null: reported neither by kernel files nor by NVML, or NVML was not queried.", gpu_fields};

constexpr Field gpu_links_fields[] = {
    field<&GpuLinks::columns>("columns", "GPU0, GPU1, ... in the order of gpus, then network devices."),
    field<&GpuLinks::rows>("rows",
                           "One row per GPU, one word per column: X itself, NV and a number that many NVLinks, PSB a "
                           "switch of one board, PIX at most one PCIe switch, PXB several, PHB a host bridge, NODE "
                           "host bridges of one NUMA node, SYS the link between NUMA nodes. null if unknown.")
        .like(link_form),
};
constexpr Part gpu_links_part{
    "gpu_links", "Links between the GPUs of a host, and between them and its network devices.", gpu_links_fields};

}  // namespace

const Part& part_of(const Host* /*type*/) { return host_part; }
const Part& part_of(const NetworkInterface* /*type*/) { return network_interface_part; }
const Part& part_of(const RdmaPort* /*type*/) { return rdma_port_part; }
const Part& part_of(const Gpu* /*type*/) { return gpu_part; }
const Part& part_of(const GpuLinks* /*type*/) { return gpu_links_part; }

}  // namespace busbar
