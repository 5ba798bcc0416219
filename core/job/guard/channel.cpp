// SPDX-License-Identifier: Apache-2.0
#include "core/job/guard/channel.hpp"

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/core.h>
#include <sys/socket.h>

#include "core/base/error.hpp"

namespace busbar::guarding {
namespace {

constexpr std::size_t longest = 65536;

/// Buffer for one descriptor in a message, as cmsg(3) requires.
struct Luggage {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> bytes{};
};

}  // namespace

Channel open_channel() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error(fmt::format("the guard of a rank cannot be reached: {}", std::strerror(errno)));
  return {.rank = ends[0], .guard = ends[1]};
}

bool send(int end, const std::string& text, int file) {
  iovec part{.iov_base = const_cast<char*>(text.data()), .iov_len = text.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  Luggage luggage;
  if (file >= 0) {
    message.msg_control = luggage.bytes.data();
    message.msg_controllen = luggage.bytes.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof file);
    std::memcpy(CMSG_DATA(header), &file, sizeof file);
  }
  return ::sendmsg(end, &message, MSG_NOSIGNAL) >= 0;
}

std::optional<Message> receive(int end, bool& closed) {
  std::string text(longest, '\0');
  iovec part{.iov_base = text.data(), .iov_len = text.size()};
  Luggage luggage;
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = luggage.bytes.data();
  message.msg_controllen = luggage.bytes.size();
  const auto n = ::recvmsg(end, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (n <= 0) {
    closed = n == 0 || (errno != EAGAIN && errno != EINTR);
    return std::nullopt;
  }
  text.resize(static_cast<std::size_t>(n));
  Message received{.text = std::move(text)};
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS) std::memcpy(&received.file, CMSG_DATA(header), sizeof(int));
  return received;
}

}  // namespace busbar::guarding
