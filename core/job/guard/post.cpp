// SPDX-License-Identifier: Apache-2.0
#include "core/job/guard/post.hpp"

#include <array>
#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <fmt/core.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/parse_json.hpp"
#include "core/machine/host_name.hpp"

namespace busbar::guarding {
namespace {

constexpr std::size_t longest_letter = 16384;

std::vector<std::string> own_addresses() {
  std::vector<std::string> all;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return all;
  for (const ifaddrs* i = list; i != nullptr; i = i->ifa_next) {
    if (i->ifa_addr == nullptr || i->ifa_addr->sa_family != AF_INET) continue;
    if ((i->ifa_flags & IFF_UP) == 0 || (i->ifa_flags & IFF_LOOPBACK) != 0) continue;
    std::array<char, INET_ADDRSTRLEN> text{};
    const auto* address = reinterpret_cast<const sockaddr_in*>(i->ifa_addr);
    if (::inet_ntop(AF_INET, &address->sin_addr, text.data(), text.size()) != nullptr) all.emplace_back(text.data());
  }
  ::freeifaddrs(list);
  return all;
}

}  // namespace

std::string to_text(const PostAddress& a) {
  return nlohmann::json{{"host", a.host}, {"addresses", a.addresses}, {"port", a.port}, {"token", a.token}}.dump();
}

PostAddress to_post_address(const std::string& text) {
  try {
    const auto j = parse_json(text);
    return {.host = j.at("host"), .addresses = j.at("addresses"), .port = j.at("port"), .token = j.at("token")};
  } catch (const nlohmann::json::exception& e) {
    throw Error(fmt::format("not the address of a guard: {}", describe_json_error(e)));
  }
}

Post::Post() : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
  sockaddr_in any{};
  any.sin_family = AF_INET;
  if (socket_ < 0 || ::bind(socket_, reinterpret_cast<const sockaddr*>(&any), sizeof any) != 0)
    throw Error(fmt::format("the guard of a rank has no socket: {}", std::strerror(errno)));
}

Post::~Post() { ::close(socket_); }

PostAddress Post::address(std::string token) const {
  sockaddr_in mine{};
  socklen_t size = sizeof mine;
  ::getsockname(socket_, reinterpret_cast<sockaddr*>(&mine), &size);
  return {.host = host_name(), .addresses = own_addresses(), .port = ntohs(mine.sin_port), .token = std::move(token)};
}

void Post::send(const std::string& text, const PostAddress& to) const {
  const bool here = to.host == host_name();
  for (const std::string& address : here ? std::vector<std::string>{"127.0.0.1"} : to.addresses) {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(to.port);
    if (::inet_pton(AF_INET, address.c_str(), &where.sin_addr) == 1) send(text, where);
  }
}

void Post::send(const std::string& text, const Sender& to) const {
  ::sendto(socket_, text.data(), text.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&to), sizeof to);
}

std::optional<Post::Letter> Post::receive() const {
  std::array<char, longest_letter> bytes{};
  Letter letter;
  socklen_t size = sizeof letter.from;
  const auto n = ::recvfrom(socket_, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&letter.from), &size);
  if (n < 0) return std::nullopt;
  letter.text.assign(bytes.data(), static_cast<std::size_t>(n));
  return letter;
}

}  // namespace busbar::guarding
