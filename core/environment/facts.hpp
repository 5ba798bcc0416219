// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/environment/host.hpp"
#include "core/files/kernel_files.hpp"

/// The parts of read_host(), with the same `root`. For core/environment/ and its tests only.
namespace busbar::facts {

/// cpu_model, sockets, cores and threads.
void read_cpu(const Path& root, Host&);
/// Facts that affect speed: governor to transparent_huge_pages.
void read_speed(const Path& root, Host&);
[[nodiscard]] std::optional<std::uint64_t> total_memory(const Path& root);
[[nodiscard]] std::vector<NetworkInterface> interfaces(const Path& root);
[[nodiscard]] std::vector<RdmaPort> rdma_ports(const Path& root);
[[nodiscard]] std::vector<Gpu> gpus(const Path& root);
[[nodiscard]] std::optional<std::string> gpu_driver(const Path& root);
[[nodiscard]] std::string virtualisation(const Path& root);
[[nodiscard]] std::optional<std::string> container(const Path& root);

/// Hypervisor signatures (12 characters) from CPUID, lowest leaf first. There are several if a hypervisor imitates
/// another. Empty on bare metal and on processors without CPUID. CMake links one definition per architecture.
[[nodiscard]] std::vector<std::string> hypervisor_signatures();

/// The hypervisor with these signatures. One that also imitates Hyper-V, as KVM does for Windows guests, wins over it.
[[nodiscard]] std::optional<std::string> named_by_signature(std::span<const std::string> signatures);

}  // namespace busbar::facts
