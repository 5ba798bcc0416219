// SPDX-License-Identifier: Apache-2.0
#include "reports/board/shell.hpp"

#include <fmt/core.h>

#include "reports/drawing/page.hpp"
#include "reports/text/escape.hpp"

namespace busbar::board {
namespace {

std::string style_text() { return std::string(report::page_css()) + std::string(live_css()); }

std::string whole_script(const Shell& shell) { return report::script_text(std::string(base_js()) + shell.script); }

}  // namespace

std::string policy_of(const Shell& shell) {
  return report::page_policy(style_text(), {whole_script(shell)}, shell.asks_server);
}

std::string html_of(const Shell& shell) {
  return report::page_head(shell.title, style_text(), policy_of(shell)) +
         fmt::format(
             "<body>\n<header>\n<h1>{}</h1>\n<p class=\"summary\" id=\"about\">{}</p>\n</header>\n"
             "{}<script>{}</script>\n</body>\n</html>\n",
             report::escape_html(shell.title), report::escape_html(shell.summary), shell.body, whole_script(shell));
}

}  // namespace busbar::board
