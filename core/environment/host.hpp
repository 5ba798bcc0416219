// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_words.hpp"

/// Facts of a host that affect measurements, as plain data.
namespace busbar {

enum class InterfaceKind {
  ethernet,
  infiniband,
  without_device,  ///< bridge, bond, tunnel
};
[[nodiscard]] constexpr auto words_of(InterfaceKind) {
  return std::to_array<std::string_view>({"ethernet", "infiniband", "virtual"});
}

struct NetworkInterface {
  std::string name;
  InterfaceKind kind = InterfaceKind::ethernet;
  std::optional<std::string> driver;
  std::optional<std::string> state;  ///< up, down, ... as reported by the kernel
  std::optional<double> speed_Gbps;  ///< link speed; empty if the driver does not report it
  std::optional<int> mtu;

  [[nodiscard]] bool is_up() const { return state == "up"; }
};

/// A port of an RDMA device (InfiniBand or RoCE).
struct RdmaPort {
  std::string device;
  int port = 1;
  std::optional<std::string> link_layer;  ///< InfiniBand, Ethernet
  std::optional<std::string> state;       ///< ACTIVE, DOWN, ...
  std::optional<double> rate_Gbps;
  std::optional<bool> ats;           ///< the device has address translation services enabled
  std::optional<bool> acs_redirect;  ///< a bridge above redirects peer-to-peer traffic to the host bridge
};

/// Of the members after `uuid`, PCIe and NUMA node come from the kernel, all others from NVML (core/nvml/facts.hpp).
struct Gpu {
  std::string name;
  std::optional<std::string> bus;  ///< PCI address
  std::optional<std::string> uuid;
  std::optional<std::uint64_t> memory_bytes;
  std::optional<bool> mig;                    ///< partitioned into MIG instances
  std::optional<std::string> virtualisation;  ///< none, passthrough, vGPU, vGPU host, vSGA host
  std::optional<bool> ecc, persistence;       ///< enabled
  std::optional<std::string> compute_mode;    ///< default, exclusive thread, prohibited, exclusive process
  std::optional<double> power_limit_W, sm_clock_max_MHz, memory_clock_max_MHz;
  std::optional<int> pcie_gen, pcie_width;  ///< negotiated; an idle GPU may lower its generation
  std::optional<int> pcie_gen_max, pcie_width_max;
  std::optional<int> nvlinks;  ///< active links
  std::optional<std::string> nvlink_version;
  std::optional<int> numa_node;
  std::optional<bool> ats, acs_redirect;  ///< as in RdmaPort
};

/// Topology of a host's GPUs and network devices: a row per GPU in the order of Host::gpus, a column per device. Words
/// as in nvidia-smi topo -m: X itself, NV4 four NVLinks, PIX at most one PCIe switch, PXB several, PHB a host bridge,
/// NODE host bridges of one NUMA node, SYS the link between NUMA nodes, PSB a switch of one board. Empty if unknown.
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
  std::optional<std::string> kernel;                  ///< "6.1.0-18-amd64"
  std::optional<std::string> os;                      ///< "Debian GNU/Linux 12 (bookworm)"
  std::optional<std::string> governor;                ///< cpufreq governor of CPU 0
  std::optional<std::string> cpufreq_driver;          ///< intel_pstate, amd-pstate-epp, acpi-cpufreq, ...
  std::optional<bool> turbo;                          ///< clocks above nominal are allowed
  std::optional<bool> smt;                            ///< cores run two or more threads now
  std::optional<double> cpu_quota;                    ///< CPU time quota of this process's control groups, in CPUs
  std::optional<std::string> clock_source;            ///< kernel time source: tsc, kvm-clock, hpet, ...
  std::optional<std::string> transparent_huge_pages;  ///< setting in force: always, madvise, never
  /// bare metal, KVM, VMware, Hyper-V, Xen (also its dom0), Firecracker, Cloud Hypervisor, QEMU (without KVM),
  /// VirtualBox, ..., "unknown hypervisor" (some other virtual machine), unknown.
  std::string virtualisation = "unknown";
  std::optional<std::string> container;  ///< docker, podman, apptainer, kubernetes, ...; empty if none detected
  /// How scripts/lab split a machine into hosts: "1 of 4 hosts on one machine, link rate 10gbit"; otherwise empty.
  /// Measurements between such hosts say nothing about a real network.
  std::optional<std::string> lab;
  /// Types of the IOMMU's groups: DMA or DMA-FQ (translated), identity (not translated), "DMA-FQ, identity"; "none" if
  /// no IOMMU is active.
  std::optional<std::string> iommu;
  std::vector<NetworkInterface> interfaces;
  std::vector<RdmaPort> rdma;
  std::vector<Gpu> gpus;
  std::optional<std::string> gpu_driver;
  std::optional<GpuLinks> gpu_links;  ///< from PCI addresses; with NVLinks if NVML was queried
};

}  // namespace busbar
