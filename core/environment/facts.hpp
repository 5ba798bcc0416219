// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/environment/host.hpp"
#include "core/files/kernel_files.hpp"

/// The parts that read_host() is made of; `root` as there. For core/environment/ and its tests only.
namespace busbar::facts {

/// cpu_model, sockets, cores and threads.
void read_cpu(const Path& root, Host&);
/// What makes speed vary: governor to transparent_huge_pages.
void read_speed(const Path& root, Host&);
[[nodiscard]] std::optional<std::uint64_t> total_memory(const Path& root);
[[nodiscard]] std::vector<NetworkInterface> interfaces(const Path& root);
[[nodiscard]] std::vector<RdmaPort> rdma_ports(const Path& root);
[[nodiscard]] std::vector<Gpu> gpus(const Path& root);
[[nodiscard]] std::optional<std::string> gpu_driver(const Path& root);
/// PRETTY_NAME of os-release.
[[nodiscard]] std::optional<std::string> os_name(const Path& root);
[[nodiscard]] std::string virtualisation(const Path& root);
[[nodiscard]] std::optional<std::string> container(const Path& root);

/// The 12-character names by which hypervisors answer the processor's own question, outermost leaf first: more than one
/// where a hypervisor imitates another. Empty on real hardware and on processors that have no such question. One
/// definition per architecture, chosen by CMake.
[[nodiscard]] std::vector<std::string> hypervisor_signatures();

/// The hypervisor behind these signatures. One that also imitates Hyper-V (KVM does, for Windows guests) is itself.
[[nodiscard]] std::optional<std::string> named_by_signature(std::span<const std::string> signatures);

}  // namespace busbar::facts
