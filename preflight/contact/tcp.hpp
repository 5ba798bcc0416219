// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "preflight/facts/facts.hpp"

/// TCP between hosts: each host listens on every address of every active interface and connects to the others.
namespace busbar::preflight {

/// Listening sockets, one per address (IPv4, and IPv6 without link-local) of each active interface except loopback. The
/// destructor closes them. Nothing calls accept(): the kernel completes connections by itself.
class Listeners {
 public:
  Listeners();
  ~Listeners();
  Listeners(const Listeners&) = delete;
  Listeners& operator=(const Listeners&) = delete;
  [[nodiscard]] const std::vector<Address>& addresses() const { return addresses_; }

 private:
  std::vector<int> sockets_;
  std::vector<Address> addresses_;
};

/// Target of a connection.
struct Target {
  int host = 0;
  Address address;
};

/// Connects to all targets concurrently, then closes; takes `limit_s` at most.
[[nodiscard]] Connections connect_to(int host, const std::vector<Target>& targets, double limit_s);

/// Hosts that `host` connects to: all others for up to 64 hosts; else those at distance 1, 2, 4, 8, ..., so that each
/// host is tested and the number of connections stays small.
[[nodiscard]] std::vector<int> partners(int host, int hosts);

}  // namespace busbar::preflight
