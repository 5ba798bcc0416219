// SPDX-License-Identifier: Apache-2.0
// The module "http": a server by cpp-httplib.
#include "reports/serve/http_server.hpp"

#include <thread>

#include <fmt/core.h>
#include <httplib.h>

#include "core/base/error.hpp"

namespace busbar::serve {
namespace {

constexpr const char* loopback = "127.0.0.1";
constexpr int time_limit_s = 5;              ///< for a request to arrive or an answer to leave
constexpr std::size_t connections = 8;       ///< at the same time
constexpr std::size_t most_bytes_in = 4096;  ///< of a request's body, which nobody reads

class LoopbackServer : public HttpServer {
 public:
  explicit LoopbackServer(int port) {
    server_.new_task_queue = [] { return new httplib::ThreadPool(connections); };
    server_.set_keep_alive_max_count(1);
    server_.set_read_timeout(time_limit_s);
    server_.set_write_timeout(time_limit_s);
    server_.set_payload_max_length(most_bytes_in);
    // Not SO_REUSEPORT, the library's default: it would share a port that another server uses.
    server_.set_socket_options([](auto socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    port_ = port == 0 ? server_.bind_to_any_port(loopback) : server_.bind_to_port(loopback, port) ? port : -1;
    if (port_ > 0) return;
    if (port == 0) throw Error("no free port on 127.0.0.1");
    throw UsageError(fmt::format("--port: {} cannot be used: another program has it, or it needs privileges", port));
  }
  ~LoopbackServer() override {
    if (!thread_.joinable()) return;
    server_.stop();
    thread_.join();
  }
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  [[nodiscard]] int port() const override { return port_; }
  void start(Answer answer) override {
    server_.set_pre_routing_handler([answer = std::move(answer)](const httplib::Request& in, httplib::Response& out) {
      HttpResponse response = answer({.method = in.method, .host = in.get_header_value("Host"), .path = in.path});
      out.status = response.status;
      for (const auto& [name, value] : response.headers) out.set_header(name, value);
      out.set_content(std::move(response.body), response.type);
      return httplib::Server::HandlerResponse::Handled;
    });
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();  // stop() does nothing before
  }

 private:
  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

std::unique_ptr<HttpServer> make(int port) { return std::make_unique<LoopbackServer>(port); }

}  // namespace
}  // namespace busbar::serve

extern "C" {
[[gnu::visibility("default")]] extern const busbar::serve::HttpServerMaker busbar_http_server;
const busbar::serve::HttpServerMaker busbar_http_server{.make = busbar::serve::make};
}
