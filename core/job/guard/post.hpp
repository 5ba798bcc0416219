// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <netinet/in.h>

namespace busbar::guarding {

/// Where a guard can be written to: what ranks tell each other over MPI, so that their guards need no MPI.
struct PostAddress {
  std::string host;                    ///< its name
  std::vector<std::string> addresses;  ///< IPv4, all that the host has
  std::uint16_t port = 0;
  std::string token;  ///< random; letters without it are dropped
};
[[nodiscard]] std::string to_text(const PostAddress&);
/// Throws Error for any other text.
[[nodiscard]] PostAddress to_post_address(const std::string& text);

/// Letters between guards: one UDP datagram each, which may be lost and is then sent again by whoever wants an answer.
/// UDP, since one socket serves any number of ranks, and nothing has to be connected while all is well.
class Post {
 public:
  using Sender = sockaddr_in;
  struct Letter {
    std::string text;
    Sender from{};
  };

  /// Throws Error where there is no socket.
  Post();
  ~Post();
  Post(const Post&) = delete;
  Post& operator=(const Post&) = delete;

  [[nodiscard]] int descriptor() const { return socket_; }
  /// Of this process's socket. `token`: of the job.
  [[nodiscard]] PostAddress address(std::string token) const;
  /// To all addresses at which `to` may be reached: on this host only by the loopback.
  void send(const std::string& text, const PostAddress& to) const;
  void send(const std::string& text, const Sender& to) const;
  /// The next letter that has arrived; empty: there is none.
  [[nodiscard]] std::optional<Letter> receive() const;

 private:
  int socket_;
};

}  // namespace busbar::guarding
