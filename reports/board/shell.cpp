// SPDX-License-Identifier: Apache-2.0
#include "reports/board/shell.hpp"

#include <fmt/core.h>

#include "core/files/sha256.hpp"
#include "reports/drawing/page.hpp"
#include "reports/text/escape.hpp"

namespace busbar::board {
namespace {

std::string style_text() { return std::string(report::page_css()) + std::string(live_css()); }

std::string whole_script(const Shell& shell) { return report::script_text(std::string(base_js()) + shell.script); }

}  // namespace

std::string policy_of(const Shell& shell) {
  return fmt::format(
      "default-src 'none'; style-src '{}'; script-src '{}'; img-src data:{}; base-uri 'none'; form-action 'none'",
      csp_hash(style_text()), csp_hash(whole_script(shell)), shell.asks_server ? "; connect-src 'self'" : "");
}

std::string html_of(const Shell& shell) {
  const std::string title = report::escape_html(shell.title);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<header>\n<h1>{}</h1>\n<p class=\"summary\" "
      "id=\"about\">{}</p>\n</header>\n{}<script>{}</script>\n</body>\n</html>\n",
      policy_of(shell), title, style_text(), title, report::escape_html(shell.summary), shell.body,
      whole_script(shell));
}

}  // namespace busbar::board
