// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "core/base/error.hpp"
#include "reports/serve/http_server.hpp"

/// In place of http_server.cpp, in a build without cpp-httplib.
namespace busbar::serve {

struct HttpServer::Parts {};

HttpServer::HttpServer(int /*port*/) { throw Error(std::string(http_missing())); }
HttpServer::~HttpServer() = default;
int HttpServer::port() const { return 0; }
void HttpServer::start(Answer /*answer*/) {}

}  // namespace busbar::serve
