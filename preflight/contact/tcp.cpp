// SPDX-License-Identifier: Apache-2.0
#include "preflight/contact/tcp.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <fmt/core.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/machine/local_clock.hpp"

namespace busbar::preflight {
namespace {

/// An IPv4 or IPv6 address for socket calls.
struct Endpoint {
  sockaddr_storage storage{};
  socklen_t size = 0;
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

Endpoint endpoint_of(const Address& a) {
  Endpoint e;
  in_addr v4{};
  if (::inet_pton(AF_INET, a.address.c_str(), &v4) == 1) {
    const sockaddr_in in{.sin_family = AF_INET, .sin_port = htons(static_cast<std::uint16_t>(a.port)), .sin_addr = v4};
    std::memcpy(&e.storage, &in, e.size = sizeof in);
    return e;
  }
  sockaddr_in6 in{};
  in.sin6_family = AF_INET6;
  in.sin6_port = htons(static_cast<std::uint16_t>(a.port));
  ::inet_pton(AF_INET6, a.address.c_str(), &in.sin6_addr);
  std::memcpy(&e.storage, &in, e.size = sizeof in);
  return e;
}

/// Text of an address that other hosts can reach; else empty.
std::string text_of(const sockaddr* address) {
  if (address == nullptr) return {};
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address->sa_family == AF_INET) {
    ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text.data(), text.size());
  } else if (address->sa_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
    if (IN6_IS_ADDR_LINKLOCAL(&v6)) return {};
    ::inet_ntop(AF_INET6, &v6, text.data(), text.size());
  }
  return text.data();
}

/// Port of a new socket that listens on `a`; 0 on failure.
int listen_at(const Address& a, std::vector<int>& sockets) {
  Endpoint e = endpoint_of(a);
  const int s = ::socket(e.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (s < 0) return 0;
  auto* const own = reinterpret_cast<sockaddr*>(&e.storage);
  if (::bind(s, own, e.size) != 0 || ::listen(s, SOMAXCONN) != 0 || ::getsockname(s, own, &e.size) != 0) {
    ::close(s);
    return 0;
  }
  sockets.push_back(s);
  // Both families have the port at the same offset.
  return ntohs(reinterpret_cast<const sockaddr_in*>(&e.storage)->sin_port);
}

/// A pending connection; `pending.fd` is -1 once it succeeded or failed.
struct Try {
  const Target* target;
  pollfd pending;
  std::string problem;
};

Try begin(const Target& target) {
  const Endpoint e = endpoint_of(target.address);
  Try t{.target = &target, .pending = {.fd = -1, .events = POLLOUT, .revents = 0}, .problem = {}};
  const int s = ::socket(e.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (s < 0 || (::connect(s, e.get(), e.size) != 0 && errno != EINPROGRESS)) {
    t.problem = std::strerror(errno);
    if (s >= 0) ::close(s);
    return t;
  }
  t.pending.fd = s;
  return t;
}

void finish(Try& t) {
  int problem = 0;
  socklen_t size = sizeof problem;
  ::getsockopt(t.pending.fd, SOL_SOCKET, SO_ERROR, &problem, &size);
  if (problem != 0) t.problem = std::strerror(problem);
  ::close(t.pending.fd);
  t.pending.fd = -1;
}

void await(std::vector<Try>& tries, double limit_s) {
  const std::int64_t began = steady_ns();
  while (std::ranges::any_of(tries, [](const Try& t) { return t.pending.fd >= 0; })) {
    const double left = limit_s - seconds_since(began);
    if (left <= 0) break;
    std::vector<pollfd> pending;
    for (const Try& t : tries) pending.push_back(t.pending);
    ::poll(pending.data(), pending.size(), std::max(1, static_cast<int>(left * 1000)));
    for (std::size_t i = 0; i < tries.size(); ++i)
      if (tries[i].pending.fd >= 0 && pending[i].revents != 0) finish(tries[i]);
  }
  for (Try& t : tries)
    if (t.pending.fd >= 0) {
      t.problem = fmt::format("no answer within {:.1f} s", limit_s);
      ::close(t.pending.fd);
    }
}

}  // namespace

Listeners::Listeners() {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return;
  for (const ifaddrs* i = all; i != nullptr; i = i->ifa_next) {
    if ((i->ifa_flags & IFF_UP) == 0 || (i->ifa_flags & IFF_LOOPBACK) != 0) continue;
    Address a{.interface = i->ifa_name, .address = text_of(i->ifa_addr)};
    if (a.address.empty()) continue;
    a.port = listen_at(a, sockets_);
    if (a.port != 0) addresses_.push_back(a);
  }
  ::freeifaddrs(all);
}

Listeners::~Listeners() {
  for (const int s : sockets_) ::close(s);
}

Connections connect_to(int host, const std::vector<Target>& targets, double limit_s) {
  Connections c{.host = host, .made = 0, .unreached = {}};
  std::vector<Try> tries;
  for (const Target& target : targets) tries.push_back(begin(target));
  await(tries, limit_s);
  for (const Try& t : tries) {
    if (t.problem.empty())
      ++c.made;
    else
      c.unreached.push_back({.from = host,
                             .to = t.target->host,
                             .interface = t.target->address.interface,
                             .address = t.target->address.address,
                             .problem = t.problem});
  }
  return c;
}

std::vector<int> partners(int host, int hosts) {
  std::vector<int> all;
  if (hosts <= 64)
    for (int i = 1; i < hosts; ++i) all.push_back((host + i) % hosts);
  else
    for (int step = 1; step < hosts; step *= 2) all.push_back((host + step) % hosts);
  return all;
}

}  // namespace busbar::preflight
