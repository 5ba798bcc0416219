// SPDX-License-Identifier: Apache-2.0
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

}  // namespace

struct HttpServer::Parts {
  httplib::Server server;
  int port = 0;
  std::thread thread;
};

std::string_view http_missing() { return {}; }

HttpServer::HttpServer(int port) : parts_(std::make_unique<Parts>()) {
  httplib::Server& server = parts_->server;
  server.new_task_queue = [] { return new httplib::ThreadPool(connections); };
  server.set_keep_alive_max_count(1);
  server.set_read_timeout(time_limit_s);
  server.set_write_timeout(time_limit_s);
  server.set_payload_max_length(most_bytes_in);
  // Not SO_REUSEPORT, the library's default: it would share a port that another server uses.
  server.set_socket_options([](auto socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  parts_->port = port == 0 ? server.bind_to_any_port(loopback) : server.bind_to_port(loopback, port) ? port : -1;
  if (parts_->port > 0) return;
  if (port == 0) throw Error("no free port on 127.0.0.1");
  throw UsageError(fmt::format("--port: {} cannot be used: another program has it, or it needs privileges", port));
}

HttpServer::~HttpServer() {
  if (!parts_->thread.joinable()) return;
  parts_->server.stop();
  parts_->thread.join();
}

int HttpServer::port() const { return parts_->port; }

void HttpServer::start(Answer answer) {
  parts_->server.set_pre_routing_handler(
      [answer = std::move(answer)](const httplib::Request& in, httplib::Response& out) {
        HttpResponse response = answer({.method = in.method, .host = in.get_header_value("Host"), .path = in.path});
        out.status = response.status;
        for (const auto& [name, value] : response.headers) out.set_header(name, value);
        out.set_content(std::move(response.body), response.type);
        return httplib::Server::HandlerResponse::Handled;
      });
  parts_->thread = std::thread([this] { parts_->server.listen_after_bind(); });
  while (!parts_->server.is_running()) std::this_thread::yield();  // stop() does nothing before
}

}  // namespace busbar::serve
