// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// HTTP on the loopback interface.
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

/// Why this build cannot serve; empty if it can.
[[nodiscard]] std::string_view http_missing();

/// A server on 127.0.0.1, in threads of its own. Every connection serves one request.
class HttpServer {
 public:
  /// Binds `port`; 0: any free one. Throws UsageError, naming --port, if it is in use, and Error if this build cannot
  /// serve.
  explicit HttpServer(int port);
  /// Stops serving; waits for answers that are being sent.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] int port() const;
  /// Starts to serve; call it once.
  void start(Answer answer);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace busbar::serve
