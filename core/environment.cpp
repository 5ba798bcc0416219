// SPDX-License-Identifier: Apache-2.0
#include "core/environment.hpp"

#include "core/environment/facts.hpp"
#include "core/environment/pci.hpp"
#include "core/environment/pci_capabilities.hpp"
#include "core/fields.hpp"

namespace busbar {

static void to_json(nlohmann::json& j, const NetworkInterface& n) {
  j = {{"name", n.name}, {"kind", n.kind}, {"driver", n.driver}, {"state", n.state}, {"speed_Gbps", n.speed_Gbps},
       {"mtu", n.mtu}};
}
static void from_json(const nlohmann::json& j, NetworkInterface& n) {
  j.at("name").get_to(n.name);
  read(j, "kind", n.kind);
  read(j, "driver", n.driver);
  read(j, "state", n.state);
  read(j, "speed_Gbps", n.speed_Gbps);
  read(j, "mtu", n.mtu);
}
static void to_json(nlohmann::json& j, const RdmaPort& p) {
  j = {{"device", p.device},       {"port", p.port}, {"link_layer", p.link_layer},    {"state", p.state},
       {"rate_Gbps", p.rate_Gbps}, {"ats", p.ats},   {"acs_redirect", p.acs_redirect}};
}
static void from_json(const nlohmann::json& j, RdmaPort& p) {
  j.at("device").get_to(p.device);
  read(j, "port", p.port);
  read(j, "link_layer", p.link_layer);
  read(j, "state", p.state);
  read(j, "rate_Gbps", p.rate_Gbps);
  read(j, "ats", p.ats);
  read(j, "acs_redirect", p.acs_redirect);
}
static constexpr auto fields(const Gpu*) {
  return std::tuple(
      std::pair("name", &Gpu::name), std::pair("bus", &Gpu::bus), std::pair("uuid", &Gpu::uuid),
      std::pair("memory_bytes", &Gpu::memory_bytes), std::pair("mig", &Gpu::mig),
      std::pair("virtualisation", &Gpu::virtualisation), std::pair("ecc", &Gpu::ecc),
      std::pair("persistence", &Gpu::persistence), std::pair("compute_mode", &Gpu::compute_mode),
      std::pair("power_limit_W", &Gpu::power_limit_W), std::pair("sm_clock_max_MHz", &Gpu::sm_clock_max_MHz),
      std::pair("memory_clock_max_MHz", &Gpu::memory_clock_max_MHz), std::pair("pcie_gen", &Gpu::pcie_gen),
      std::pair("pcie_width", &Gpu::pcie_width), std::pair("pcie_gen_max", &Gpu::pcie_gen_max),
      std::pair("pcie_width_max", &Gpu::pcie_width_max), std::pair("nvlinks", &Gpu::nvlinks),
      std::pair("nvlink_version", &Gpu::nvlink_version), std::pair("numa_node", &Gpu::numa_node),
      std::pair("ats", &Gpu::ats), std::pair("acs_redirect", &Gpu::acs_redirect));
}
static constexpr auto fields(const GpuLinks*) {
  return std::tuple(std::pair("columns", &GpuLinks::columns), std::pair("rows", &GpuLinks::rows));
}

void to_json(nlohmann::json& j, const Host& h) {
  j = {{"name", h.name},
       {"cpu_model", h.cpu_model},
       {"sockets", h.sockets},
       {"cores", h.cores},
       {"threads", h.threads},
       {"memory_bytes", h.memory_bytes},
       {"kernel", h.kernel},
       {"os", h.os},
       {"governor", h.governor},
       {"cpufreq_driver", h.cpufreq_driver},
       {"turbo", h.turbo},
       {"smt", h.smt},
       {"cpu_quota", h.cpu_quota},
       {"clock_source", h.clock_source},
       {"transparent_huge_pages", h.transparent_huge_pages},
       {"virtualisation", h.virtualisation},
       {"container", h.container},
       {"lab", h.lab},
       {"iommu", h.iommu},
       {"interfaces", h.interfaces},
       {"rdma", h.rdma},
       {"gpus", h.gpus},
       {"gpu_driver", h.gpu_driver},
       {"gpu_links", h.gpu_links}};
}
void from_json(const nlohmann::json& j, Host& h) {
  j.at("name").get_to(h.name);
  read(j, "cpu_model", h.cpu_model);
  read(j, "sockets", h.sockets);
  read(j, "cores", h.cores);
  read(j, "threads", h.threads);
  read(j, "memory_bytes", h.memory_bytes);
  read(j, "kernel", h.kernel);
  read(j, "os", h.os);
  read(j, "governor", h.governor);
  read(j, "cpufreq_driver", h.cpufreq_driver);
  read(j, "turbo", h.turbo);
  read(j, "smt", h.smt);
  read(j, "cpu_quota", h.cpu_quota);
  read(j, "clock_source", h.clock_source);
  read(j, "transparent_huge_pages", h.transparent_huge_pages);
  read(j, "virtualisation", h.virtualisation);
  read(j, "container", h.container);
  read(j, "lab", h.lab);
  read(j, "iommu", h.iommu);
  read(j, "interfaces", h.interfaces);
  read(j, "rdma", h.rdma);
  read(j, "gpus", h.gpus);
  read(j, "gpu_driver", h.gpu_driver);
  read(j, "gpu_links", h.gpu_links);
}

Host read_host(const std::filesystem::path& root) {
  Host host;
  const auto name = facts::line(root / "proc/sys/kernel/hostname");
  host.name = name ? *name : facts::line(root / "etc/hostname").value_or("unknown");
  facts::read_cpu(root, host);
  facts::read_speed(root, host);
  host.memory_bytes = facts::total_memory(root);
  host.kernel = facts::line(root / "proc/sys/kernel/osrelease");
  host.os = facts::os_name(root);
  host.virtualisation = facts::virtualisation(root);
  host.container = facts::container(root);
  host.lab = facts::line(root / "run/busbar-lab");
  host.iommu = facts::iommu(root);
  host.interfaces = facts::interfaces(root);
  host.rdma = facts::rdma_ports(root);
  host.gpus = facts::gpus(root);
  host.gpu_driver = facts::gpu_driver(root);
  facts::add_pci_facts(root, host.gpus);
  facts::add_pci_capabilities(root, host);
  host.gpu_links = facts::gpu_links(root, host);
  return host;
}

}  // namespace busbar
