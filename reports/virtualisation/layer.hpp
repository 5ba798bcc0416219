// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <set>
#include <string>

#include "core/record/fwd.hpp"

namespace busbar::virtualisation {

/// What is between the programs of some runs and the hardware: hypervisors and containers of all their hosts.
struct Layer {
  std::set<std::string> hypervisors;  ///< Host::virtualisation: "bare metal", "KVM"; without "unknown"
  std::set<std::string> containers;   ///< Host::container
  std::set<std::string> labs;         ///< Host::lab, a text per kind of host
  bool virtual_lab = false;           ///< a host is a virtual machine of scripts/lab: one layer more than its machine
  bool emulated = false;  ///< a host's CPU is emulated: QEMU without KVM. Its times say nothing about virtualisation

  /// Adds the hosts of a run.
  void add_hosts(const RunRecord&);
  /// "KVM", "bare metal in docker"; "unknown".
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool is_virtual() const;  ///< a host is not bare metal
  /// Number of layers, for choosing the reference: bare metal 0.
  [[nodiscard]] int depth() const;
};

/// True if both are known and differ in hypervisors or containers, or if only one is a virtual machine of a lab.
[[nodiscard]] bool differ(const Layer& a, const Layer& b);

}  // namespace busbar::virtualisation
