// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <variant>

#include "reports/serve/http_server.hpp"

/// Who may read the pages: whoever knows the address, and no page of another site.
namespace busbar::serve {

/// 128 random bits of the operating system as 32 hexadecimal digits.
[[nodiscard]] std::string random_token();

class Gate {
 public:
  Gate(std::string token, int port) : token_(std::move(token)), port_(std::to_string(port)) {}

  /// "http://127.0.0.1:8123/TOKEN/"
  [[nodiscard]] std::string address() const;
  /// The path below the token ("", "state"), or a refusal: 403 for a Host that is not loopback with this port (DNS
  /// rebinding), 405 for any method but GET and HEAD, 404 for a path without the token.
  [[nodiscard]] std::variant<std::string, HttpResponse> check(const HttpRequest&) const;

  /// What the pages answer to the path below the token, or the refusal.
  template <class Pages>
  [[nodiscard]] HttpResponse answer(const HttpRequest& request, Pages& pages) const {
    const auto checked = check(request);
    const auto* path = std::get_if<std::string>(&checked);
    return path != nullptr ? pages.answer(*path) : std::get<HttpResponse>(checked);
  }

 private:
  std::string token_, port_;
};

/// An answer that is neither stored nor embedded nor guessed to be of another type. `policy`: the directives of the
/// content security policy, in addition to those.
[[nodiscard]] HttpResponse page(std::string body, std::string type, std::string policy = "");

/// An answer without a page: its reason as plain text.
[[nodiscard]] HttpResponse refusal(int status, std::string text);
[[nodiscard]] HttpResponse not_found();

}  // namespace busbar::serve
