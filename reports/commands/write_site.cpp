// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/core.h>

#include "core/base/terminal_text.hpp"
#include "reports/board/site.hpp"
#include "reports/commands/command.hpp"

namespace busbar {
namespace {

struct SiteWords {
  std::string folder, out = "public";
};

Exit write_files(const SiteWords& words) {
  std::error_code problem;
  if (!std::filesystem::is_directory(words.folder, problem))
    throw UsageError(fmt::format("{}: not a folder; give a folder of records (*.jsonl)", words.folder));
  const board::SiteWritten written = board::write_site(words.folder, words.out);
  for (const std::string& left_out : written.problems) print_message("busbar", "left out: " + left_out);
  fmt::print("{}: {}; pages: {} drawn, {} unchanged\n", (std::filesystem::path(words.out) / "index.html").string(),
             written.summary, written.drawn, written.unchanged);
  return Exit::ok;
}

}  // namespace

extern const Command write_site{
    .name = "site",
    .about = "write a board of a folder's runs as a static web site",
    .heading = "Read records",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto words = std::make_shared<SiteWords>();
      line.add("DIR", &words->folder, "folder of records",
               {.name = "DIR", .completes = Completes::folders, .required = true});
      line.add("-o,--out", &words->out, "folder of the site; created if missing",
               {.name = "DIR", .completes = Completes::folders, .common = true});
      line.notes =
          "The site is index.html, the board; a report per record; and a page over time per group. It can be read from "
          "disk or from any web server. What has not changed since the last time is not drawn again.";
      line.examples = {"busbar site nightly -o public"};
      return [words] { return write_files(*words); };
    },
};

}  // namespace busbar
