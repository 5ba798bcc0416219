// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "preflight/facts.hpp"

/// TCP between hosts: each listens on every address of every interface that is up, and connects to the others.
namespace busbar::preflight {

/// Sockets that listen, one an address (IPv4, and IPv6 that is not link-local) of each interface that is up and no
/// loopback; closed with the object. Nothing is accepted: the kernel answers for as long as they listen.
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

/// Where to connect to.
struct Target {
  int host = 0;
  Address address;
};

/// Connects to all targets at once and closes again; takes `limit_s` at most.
[[nodiscard]] Connections connect_to(int host, const std::vector<Target>& targets, double limit_s);

/// The hosts that host `host` of `hosts` connects to: all others up to 64 hosts; of more, those 1, 2, 4, 8, ... behind
/// it, so that each host is tried by others and the number of connections stays small.
[[nodiscard]] std::vector<int> partners(int host, int hosts);

}  // namespace busbar::preflight
