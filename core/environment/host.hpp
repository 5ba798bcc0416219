// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Facts of a host that a measurement depends on, as plain data.
namespace busbar {

struct NetworkInterface {
  std::string name;
  std::string kind;  ///< ethernet, infiniband, virtual (no device behind it)
  std::optional<std::string> driver;
  std::optional<std::string> state;  ///< up, down, as the kernel says
  std::optional<double> speed_Gbps;  ///< link speed; empty where the driver does not tell
  std::optional<int> mtu;
};

/// A port of an RDMA device (InfiniBand or RoCE).
struct RdmaPort {
  std::string device;
  int port = 1;
  std::optional<std::string> link_layer;  ///< InfiniBand, Ethernet
  std::optional<std::string> state;       ///< ACTIVE, DOWN, ...
  std::optional<double> rate_Gbps;
  std::optional<bool> ats;           ///< address translation services of its device are enabled
  std::optional<bool> acs_redirect;  ///< a bridge above sends what is meant for neighbours up to the host bridge
};

/// Behind `uuid`: PCIe and NUMA node as the kernel tells them, all else only where NVML was asked
/// (core/nvml/facts.hpp).
struct Gpu {
  std::string name;
  std::optional<std::string> bus;  ///< PCI address
  std::optional<std::string> uuid;
  std::optional<std::uint64_t> memory_bytes;
  std::optional<bool> mig;                    ///< divided into instances
  std::optional<std::string> virtualisation;  ///< none, passthrough, vGPU, vGPU host, vSGA host
  std::optional<bool> ecc, persistence;       ///< error correction, persistence mode: on
  std::optional<std::string> compute_mode;    ///< default, exclusive thread, prohibited, exclusive process
  std::optional<double> power_limit_W, sm_clock_max_MHz, memory_clock_max_MHz;
  std::optional<int> pcie_gen, pcie_width;  ///< of the link as it was negotiated; an idle GPU may lower its generation
  std::optional<int> pcie_gen_max, pcie_width_max;
  std::optional<int> nvlinks;  ///< links that are up
  std::optional<std::string> nvlink_version;
  std::optional<int> numa_node;
  std::optional<bool> ats, acs_redirect;  ///< as of an RdmaPort
};

/// What lies between the GPUs of a host, and between them and its network devices: a row a GPU in the order of
/// Host::gpus, a column each device. Words as in nvidia-smi topo -m: X itself, NV4 four NVLinks, PIX one PCIe switch at
/// most, PXB several, PHB a host bridge, NODE host bridges of one NUMA node, SYS the link between NUMA nodes (also PSB,
/// the switch of one board); empty where not known.
struct GpuLinks {
  std::vector<std::string> columns;  ///< GPU0, GPU1, ..., then network devices: mlx5_0, eth0
  std::vector<std::vector<std::optional<std::string>>> rows;
};

struct Host {
  std::string name;
  std::optional<std::string> cpu_model;
  std::optional<int> sockets;
  std::optional<int> cores;    ///< physical, of the whole host
  std::optional<int> threads;  ///< logical CPUs online
  std::optional<std::uint64_t> memory_bytes;
  std::optional<std::string> kernel;          ///< "6.1.0-18-amd64"
  std::optional<std::string> os;              ///< "Debian GNU/Linux 12 (bookworm)"
  std::optional<std::string> governor;        ///< cpufreq governor of CPU 0
  std::optional<std::string> cpufreq_driver;  ///< intel_pstate, amd-pstate-epp, acpi-cpufreq, ...
  std::optional<bool> turbo;                  ///< clocks above the nominal one are allowed
  std::optional<bool> smt;                    ///< cores run two threads or more, now
  std::optional<double> cpu_quota;            ///< CPUs' worth of time this process's control group may use
  std::optional<std::string> clock_source;    ///< what the kernel reads the time from: tsc, kvm-clock, hpet, ...
  std::optional<std::string> transparent_huge_pages;  ///< always, madvise, never
  /// bare metal, KVM, VMware, Hyper-V, Xen (also its dom0), Firecracker, Cloud Hypervisor, QEMU (without KVM),
  /// VirtualBox,
  /// ..., "unknown hypervisor" (a virtual machine, but none of these), unknown.
  std::string virtualisation = "unknown";
  std::optional<std::string> container;  ///< docker, podman, apptainer, kubernetes, ...; empty: none seen
  /// What made a part of a machine into this host: "1 of 4 hosts on one machine, link rate 10gbit" (scripts/lab);
  /// empty: nothing did. What is measured between such hosts is no figure of a network.
  std::optional<std::string> lab;
  /// Types of the IOMMU's groups: DMA, DMA-FQ (translated), identity (not), "DMA-FQ, identity"; none: no IOMMU is
  /// active.
  std::optional<std::string> iommu;
  std::vector<NetworkInterface> interfaces;
  std::vector<RdmaPort> rdma;
  std::vector<Gpu> gpus;
  std::optional<std::string> gpu_driver;
  std::optional<GpuLinks> gpu_links;  ///< by PCI addresses; with NVLinks where NVML was asked
};

}  // namespace busbar
