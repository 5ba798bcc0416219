// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/wake_ring.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <thread>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/machine/local_clock.hpp"

namespace busbar {
namespace {

constexpr int longest_wait_ms = 20;

/// Binds `socket` to a name that the kernel chooses: a zero byte and five hexadecimal digits. Empty on failure.
std::string name_of(int socket) {
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  socklen_t length = sizeof(sa_family_t);
  if (socket < 0 || ::bind(socket, any, length) != 0) return "";
  length = sizeof(address);
  if (::getsockname(socket, any, &length) != 0) return "";
  const std::size_t path = length - offsetof(sockaddr_un, sun_path);
  return {&address.sun_path[0], path};
}

}  // namespace

WakeRing::WakeRing(Group& group, const std::vector<int>& hosts)
    : group_(group), socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
  const auto names = group.all_gather(name_of(socket_));
  const auto me = static_cast<std::size_t>(group.rank());
  std::vector<std::size_t> here;
  for (std::size_t r = 0; r < hosts.size(); ++r)
    if (hosts[r] == hosts[me]) here.push_back(r);
  const auto at = static_cast<std::size_t>(std::ranges::find(here, me) - here.begin());
  const bool all_named = std::ranges::none_of(here, [&](std::size_t r) { return names[r].empty(); });
  if (here.size() > 1 && all_named) next_ = names[here[(at + 1) % here.size()]];
  begins_ = at % 2 == 0;
}

WakeRing::~WakeRing() {
  if (socket_ >= 0) ::close(socket_);
}

bool WakeRing::drain_wakes() const {
  char byte = 0;
  bool any = false;
  while (::recv(socket_, &byte, 1, 0) >= 0) any = true;
  return any;
}

void WakeRing::wake_next() const {
  sockaddr_un to{.sun_family = AF_UNIX, .sun_path = {}};
  std::memcpy(&to.sun_path[0], next_.data(), next_.size());
  const char byte = 0;
  ::sendto(socket_, &byte, 1, 0, reinterpret_cast<const sockaddr*>(&to),
           static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + next_.size()));  // if it is lost, poll() times out
                                                                                     // after 20 ms
}

std::uint64_t WakeRing::turn(double seconds, double rest_s) const {
  using Seconds = std::chrono::duration<double>;
  drain_wakes();  // discard those of an earlier turn
  group_.barrier();
  std::uint64_t woken = 0;
  if (next_.empty())
    std::this_thread::sleep_for(Seconds(seconds));
  else
    woken = take_turns(steady_ns() + static_cast<std::int64_t>(seconds * 1e9), Seconds(rest_s));
  group_.barrier();
  return woken;
}

std::uint64_t WakeRing::take_turns(std::int64_t until_ns, std::chrono::duration<double> rest) const {
  std::uint64_t woken = 0;
  if (begins_) wake_next();
  while (steady_ns() < until_ns) {
    pollfd wake{.fd = socket_, .events = POLLIN, .revents = 0};
    ::poll(&wake, 1, longest_wait_ms);
    if (drain_wakes()) ++woken;
    std::this_thread::sleep_for(rest);
    wake_next();
  }
  return woken;
}

}  // namespace busbar
