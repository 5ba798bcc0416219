// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <netinet/in.h>

namespace busbar::guarding {

/// Address of a guard. Ranks exchange it over MPI, so that guards need no MPI.
struct PostAddress {
  std::string host;                    ///< host name
  std::vector<std::string> addresses;  ///< all IPv4 addresses of the host
  std::uint16_t port = 0;
  std::string token;  ///< random; letters without it are dropped
};
[[nodiscard]] std::string to_text(const PostAddress&);
/// Parses to_text(). Throws Error for other text.
[[nodiscard]] PostAddress to_post_address(const std::string& text);

/// Exchanges letters between guards. Each is one UDP datagram: a lost one is sent again by the guard that wants an
/// answer. UDP, since one socket serves any number of ranks without connections.
class Post {
 public:
  using Sender = sockaddr_in;
  struct Letter {
    std::string text;
    Sender from{};
  };

  /// Throws Error if no socket is available.
  Post();
  ~Post();
  Post(const Post&) = delete;
  Post& operator=(const Post&) = delete;

  [[nodiscard]] int descriptor() const { return socket_; }
  /// Address of this socket. `token`: the job's.
  [[nodiscard]] PostAddress address(std::string token) const;
  /// Sends to all addresses of `to`; within a host only over loopback.
  void send(const std::string& text, const PostAddress& to) const;
  void send(const std::string& text, const Sender& to) const;
  /// The next letter, without waiting; empty: none.
  [[nodiscard]] std::optional<Letter> receive() const;

 private:
  int socket_;
};

}  // namespace busbar::guarding
