// SPDX-License-Identifier: Apache-2.0
#include "reports/drawing/page.hpp"

#include <fmt/core.h>

#include "core/files/sha256.hpp"
#include "reports/text/escape.hpp"

namespace busbar::report {

std::string page_policy(std::string_view css, const std::vector<std::string>& scripts, bool asks_server) {
  // 'unsafe-eval' is not needed: in page/charts.js, Vega interprets the syntax trees of expressions.
  std::string out = "default-src 'none'; style-src '" + csp_hash(css) + "'; img-src data:";
  for (std::size_t i = 0; i < scripts.size(); ++i)
    out += fmt::format("{} '{}'", i == 0 ? "; script-src" : "", csp_hash(scripts[i]));
  if (asks_server) out += "; connect-src 'self'";
  return out + "; base-uri 'none'; form-action 'none'";
}

std::string page_head(std::string_view title, std::string_view css, std::string_view policy) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>{}</style>\n</head>\n",
      policy, escape_html(title), css);
}

}  // namespace busbar::report
