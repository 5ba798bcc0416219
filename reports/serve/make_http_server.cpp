// SPDX-License-Identifier: Apache-2.0
#include "core/files/module.hpp"
#include "reports/serve/http_server.hpp"

namespace busbar::serve {

std::unique_ptr<HttpServer> make_http_server(int port) {
  const Module module = Module::open("http");
  return module.symbol<HttpServerMaker>("busbar_http_server").make(port);
}

}  // namespace busbar::serve
