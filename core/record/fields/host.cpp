// SPDX-License-Identifier: Apache-2.0
#include "core/environment/environment.hpp"
#include "core/record/field.hpp"

namespace busbar {
namespace {

constexpr Field host_fields[] = {
    field<&Host::name>("name", "Host name; what placement refers to.").must_be_there(),
    field<&Host::cpu_model>("cpu_model", "Name of the processor; inside a virtual machine the one it is shown."),
    field<&Host::sockets>("sockets", "Processor packages.").at_least(1),
    field<&Host::cores>("cores", "Physical cores of the whole host.").at_least(1),
    field<&Host::threads>("threads", "Logical CPUs online.").at_least(1),
    field<&Host::memory_bytes>("memory_bytes", "Memory of the host."),
    field<&Host::kernel>("kernel", "Release of the kernel.").holds(Privacy::versions),
    field<&Host::os>("os", "Name and version of the distribution; in a container, of its image.")
        .holds(Privacy::versions),
    field<&Host::governor>("governor",
                           "cpufreq governor of CPU 0; null where frequencies are not the kernel's to choose, as in "
                           "most virtual machines."),
    field<&Host::cpufreq_driver>("cpufreq_driver",
                                 "cpufreq driver of CPU 0, e.g. intel_pstate, amd-pstate-epp, acpi-cpufreq.")
        .later(),
    field<&Host::turbo>("turbo",
                        "Whether clocks above the nominal one are allowed; null where the kernel does not tell, as in "
                        "most virtual machines.")
        .later(),
    field<&Host::smt>("smt",
                      "Whether cores run two threads or more; inside a virtual machine, of the cores it is shown.")
        .later(),
    field<&Host::cpu_quota>(
        "cpu_quota",
        "CPUs' worth of time that the control group of busbar may use (CFS bandwidth); null: no limit seen.")
        .above(0)
        .later(),
    field<&Host::clock_source>("clock_source",
                               "What the kernel reads the time from: tsc, kvm-clock, arch_sys_counter, hpet, ...")
        .later(),
    field<&Host::transparent_huge_pages>("transparent_huge_pages", "Setting of the kernel: always, madvise or never.")
        .later(),
    field<&Host::virtualisation>(
        "virtualisation",
        "bare metal, a hypervisor (KVM, VMware, Hyper-V, Xen, Firecracker, Cloud Hypervisor, QEMU, VirtualBox, ...), "
        "\"unknown hypervisor\" (a virtual machine, but none of these), or unknown.")
        .not_empty(),
    field<&Host::container>("container", "docker, podman, apptainer, kubernetes, lxc, ...; null: none seen."),
    field<&Host::lab>("lab",
                      "What made a part of a machine into this host (scripts/lab); null: nothing did. What is measured "
                      "between such hosts is no figure of a network.")
        .later(),
    field<&Host::iommu>(
        "iommu",
        "Types of the IOMMU's groups: DMA, DMA-FQ (devices' addresses are translated), identity (they are not), "
        "several joined by a comma; none: no IOMMU is active; unknown type; null: not readable.")
        .later(),
    field<&Host::interfaces>("interfaces", "Network interfaces, by name."),
    field<&Host::rdma>("rdma", "Ports of RDMA devices, by device and port."),
    field<&Host::gpus>("gpus", "GPUs, by PCI address."),
    field<&Host::gpu_driver>("gpu_driver", "Version of the GPU driver.").holds(Privacy::versions),
    field<&Host::gpu_links>("gpu_links", "What lies between its GPUs; null without GPUs, or where nothing tells.")
        .later(),
};
constexpr Part host_part{"host", "Facts of one host, read from files of the kernel. null where there is none to read.",
                         host_fields};

constexpr Field network_interface_fields[] = {
    field<&NetworkInterface::name>("name", "As the kernel calls it.").must_be_there(),
    field<&NetworkInterface::kind>("kind", "virtual: there is no device behind it (bridge, bond, tunnel).")
        .one_of("ethernet|infiniband|virtual"),
    field<&NetworkInterface::driver>("driver", "Kernel driver of the device."),
    field<&NetworkInterface::state>("state", "up, down, unknown, ...: operstate of the kernel."),
    field<&NetworkInterface::speed_Gbps>("speed_Gbps", "Link speed in 1e9 bit/s; null where the driver does not tell."),
    field<&NetworkInterface::mtu>("mtu", "Largest packet in bytes."),
};
constexpr Part network_interface_part{"interface", "A network interface of a host; the loopback is left out.",
                                      network_interface_fields};

constexpr Field rdma_port_fields[] = {
    field<&RdmaPort::device>("device", "As the kernel calls it, e.g. mlx5_0.").must_be_there(),
    field<&RdmaPort::port>("port", "Number of the port on its device."),
    field<&RdmaPort::link_layer>("link_layer", "InfiniBand or Ethernet."),
    field<&RdmaPort::state>("state", "ACTIVE, DOWN, INIT, ARMED, ..."),
    field<&RdmaPort::rate_Gbps>("rate_Gbps", "Signalling rate of the link in 1e9 bit/s."),
    field<&RdmaPort::ats>("ats",
                          "Address translation services of its device are enabled; null: not readable (not root).")
        .later(),
    field<&RdmaPort::acs_redirect>("acs_redirect",
                                   "A PCI bridge above its device sends requests between neighbours up to the host "
                                   "bridge; null: not readable (not root), or no bridge is seen.")
        .later(),
};
constexpr Part rdma_port_part{"rdma_port", "A port of an RDMA device (InfiniBand or RoCE).", rdma_port_fields};

constexpr Field gpu_fields[] = {
    field<&Gpu::name>("name", "Model; unknown where the driver does not tell."),
    field<&Gpu::bus>("bus", "PCI address."),
    field<&Gpu::uuid>("uuid", "As the driver gives it; null before the device was first used."),
    field<&Gpu::memory_bytes>("memory_bytes", "Its memory, in bytes.").later(),
    field<&Gpu::mig>("mig", "Divided into instances (MIG).").later(),
    field<&Gpu::virtualisation>(
        "virtualisation",
        "none, passthrough, vGPU (this host is a virtual machine with a share of it), vGPU host, vSGA host.")
        .later(),
    field<&Gpu::ecc>("ecc", "Error correction is on.").later(),
    field<&Gpu::persistence>("persistence", "The driver stays loaded without users.").later(),
    field<&Gpu::compute_mode>("compute_mode", "default, exclusive thread, prohibited, exclusive process.").later(),
    field<&Gpu::power_limit_W>("power_limit_W", "Power limit in force, in W.").later(),
    field<&Gpu::sm_clock_max_MHz>("sm_clock_max_MHz", "Highest clock of its processors, in MHz.").later(),
    field<&Gpu::memory_clock_max_MHz>("memory_clock_max_MHz", "Highest clock of its memory, in MHz.").later(),
    field<&Gpu::pcie_gen>("pcie_gen", "PCIe generation as negotiated when it was looked at; an idle GPU may lower it.")
        .at_least(1)
        .later(),
    field<&Gpu::pcie_width>("pcie_width", "PCIe lanes as negotiated.").at_least(1).later(),
    field<&Gpu::pcie_gen_max>("pcie_gen_max", "Highest PCIe generation.").at_least(1).later(),
    field<&Gpu::pcie_width_max>("pcie_width_max", "Most PCIe lanes.").at_least(1).later(),
    field<&Gpu::nvlinks>("nvlinks", "NVLinks that are up.").later(),
    field<&Gpu::nvlink_version>("nvlink_version", "Of its NVLinks, e.g. 4.0.").later(),
    field<&Gpu::numa_node>("numa_node", "NUMA node that it is next to.").later(),
    field<&Gpu::ats>("ats", "Address translation services are enabled; null: not readable (not root).").later(),
    field<&Gpu::acs_redirect>("acs_redirect",
                              "A PCI bridge above sends requests between neighbours up to the host bridge; null: not "
                              "readable (not root), or no bridge is seen.")
        .later(),
};
constexpr Part gpu_part{
    "gpu", "A GPU of a host. null: neither the kernel's files nor NVML tell, or NVML was not asked.", gpu_fields};

constexpr Field gpu_links_fields[] = {
    field<&GpuLinks::columns>("columns", "GPU0, GPU1, ... in the order of gpus, then network devices."),
    field<&GpuLinks::rows>("rows",
                           "A row a GPU, a word a column: X itself, NV and a number that many NVLinks, PSB the switch "
                           "of one board, PIX one PCIe switch at most, PXB several, PHB a host bridge, NODE host "
                           "bridges of one NUMA node, SYS the link between NUMA nodes. null where not known.")
        .like(link_form),
};
constexpr Part gpu_links_part{
    "gpu_links", "What lies between the GPUs of a host, and between them and its network devices.", gpu_links_fields};

}  // namespace

const Part& part_of(const Host* /*type*/) { return host_part; }
const Part& part_of(const NetworkInterface* /*type*/) { return network_interface_part; }
const Part& part_of(const RdmaPort* /*type*/) { return rdma_port_part; }
const Part& part_of(const Gpu* /*type*/) { return gpu_part; }
const Part& part_of(const GpuLinks* /*type*/) { return gpu_links_part; }

}  // namespace busbar
