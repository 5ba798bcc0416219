// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// HTTP on the loopback interface. The library is in a module (core/files/module.hpp): it needs OpenSSL on Debian,
/// which takes 15 ms to load.
namespace busbar::serve {

struct HttpRequest {
  std::string method;
  std::string host;  ///< the Host header as sent; empty if there is none
  std::string path;  ///< decoded, without a query
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

/// Called from several threads at the same time. Must not throw.
using Answer = std::function<HttpResponse(const HttpRequest&)>;

/// A server on 127.0.0.1, in threads of its own. Every connection serves one request. Its destructor stops it and waits
/// for answers that are being sent.
class HttpServer {
 public:
  virtual ~HttpServer() = default;
  [[nodiscard]] virtual int port() const = 0;
  /// Starts to serve; call it once.
  virtual void start(Answer answer) = 0;
};

/// What the module "http" offers, as busbar_http_server.
struct HttpServerMaker {
  std::unique_ptr<HttpServer> (*make)(int port);
};

/// Binds `port`; 0: any free one. Throws UsageError, naming --port, if it is in use, and if this build cannot serve.
[[nodiscard]] std::unique_ptr<HttpServer> make_http_server(int port);

}  // namespace busbar::serve
