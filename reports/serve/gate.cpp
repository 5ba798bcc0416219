// SPDX-License-Identifier: Apache-2.0
#include "reports/serve/gate.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fmt/core.h>
#include <sys/random.h>

#include "core/base/error.hpp"

namespace busbar::serve {
namespace {

/// Takes as long for every wrong token of this length, so that its digits cannot be guessed one by one.
bool same_text(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  int different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different |= a[i] ^ b[i];
  return different == 0;
}

}  // namespace

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error(fmt::format("no random bits: {}", std::strerror(errno)));
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

std::string Gate::address() const { return fmt::format("http://127.0.0.1:{}/{}/", port_, token_); }

std::variant<std::string, HttpResponse> Gate::check(const HttpRequest& request) const {
  if (request.host != "127.0.0.1:" + port_ && request.host != "localhost:" + port_)
    return refusal(403, "busbar watch answers only to 127.0.0.1 and localhost with its own port.\n");
  if (request.method != "GET" && request.method != "HEAD") {
    HttpResponse answer = refusal(405, "busbar watch only shows: GET and HEAD.\n");
    answer.headers.emplace_back("Allow", "GET, HEAD");
    return answer;
  }
  const std::string_view path = request.path;
  const std::size_t end = token_.size() + 1;
  if (path.size() <= end || path[0] != '/' || path[end] != '/' || !same_text(path.substr(1, token_.size()), token_))
    return not_found();
  return std::string(path.substr(end + 1));
}

HttpResponse page(std::string body, std::string type, std::string policy) {
  if (!policy.empty()) policy += "; ";
  return {.type = std::move(type),
          .body = std::move(body),
          .headers = {{"Content-Security-Policy", policy + "frame-ancestors 'none'"},
                      {"Cache-Control", "no-store"},
                      {"Referrer-Policy", "no-referrer"},  // the address has the token
                      {"Cross-Origin-Resource-Policy", "same-origin"},
                      {"X-Content-Type-Options", "nosniff"}}};
}

HttpResponse refusal(int status, std::string text) {
  HttpResponse answer = page(std::move(text), "text/plain; charset=utf-8", "default-src 'none'");
  answer.status = status;
  return answer;
}

HttpResponse not_found() { return refusal(404, "No such page.\n"); }

}  // namespace busbar::serve
