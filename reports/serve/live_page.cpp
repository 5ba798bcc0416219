// SPDX-License-Identifier: Apache-2.0
#include "reports/serve/live_page.hpp"

namespace busbar::serve {

board::Shell live_page(const std::string& file) {
  return {.title = file + " (live)",
          .body =
              "<main>\n<noscript><p class=\"warning\">This page needs JavaScript. busbar show prints the record so "
              "far.</p></noscript>\n"
              "<p id=\"state\" class=\"state\" role=\"status\" aria-live=\"polite\">Asking busbar watch ...</p>\n"
              "<p id=\"verdict\"></p>\n"
              "<progress id=\"progress\" max=\"1\" aria-label=\"progress of the run\"></progress>\n"
              "<p id=\"time\" class=\"summary\"></p>\n"
              "<section id=\"alarms\" hidden>\n<h2>Alarms and remarks</h2>\n<ul class=\"alarms\"></ul>\n</section>\n"
              "<section>\n<h2>Cases</h2>\n<p class=\"summary\">+- %: half-width of the confidence interval of this "
              "launch, in per cent of the time. Bars in a chart: the same interval. Figures of cases that are being "
              "measured still move.</p>\n<div id=\"charts\"></div>\n<div id=\"tables\"></div>\n</section>\n</main>\n",
          .script = std::string(board::live_js()),
          .asks_server = true};
}

}  // namespace busbar::serve
