// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/core.h>

#include "core/base/words.hpp"
#include "reports/commands/command.hpp"
#include "reports/serve/watch_record.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;

struct WatchWords {
  std::string path, port, out;
  bool stay = false;
};

Exit watch(const WatchWords& words) {
  serve::WatchOptions options{.path = words.path, .out = words.out, .stay = words.stay};
  if (!words.port.empty()) options.port = parse_count("--port", words.port, 0, 65535);
  std::error_code problem;
  const bool folder = fs::is_directory(options.path, problem);
  if (folder && (words.stay || !words.out.empty()))
    throw UsageError(fmt::format("{}: only with a record; {} is a folder", words.stay ? "--stay" : "-o", words.path));
  if (folder) return serve::watch_folder(options);
  if (options.out.empty()) options.out = fs::path(options.path).replace_extension(".html");
  if (options.out == options.path || fs::equivalent(options.out, options.path, problem))
    throw UsageError(fmt::format("-o: {} is the record to watch", options.out.string()));
  return serve::watch_record(options);
}

}  // namespace

extern const Command watch_run{
    .name = "watch",
    .about = "show a run as a live page, or a folder of runs as a board",
    .heading = "Read records",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto words = std::make_shared<WatchWords>();
      line.add("PATH", &words->path, "record of a run, which can start later; or a folder of records",
               {.name = "PATH", .completes = Completes::files, .required = true});
      line.add("--port", &words->port, "port of the page on 127.0.0.1", {.name = "N", .standard = "any free one"});
      line.add("-o,--out", &words->out, "static page to write when the run ends",
               {.name = "FILE", .completes = Completes::files, .standard = "beside the record: x.html"});
      line.add("--stay", &words->stay, "keep serving after the run has ended");
      line.notes =
          "Prints the address of the page. Only this machine can open it, and only with the random token in the "
          "address; from elsewhere, forward the port: ssh -L 8123:127.0.0.1:8123 HOST, with --port 8123. The page only "
          "shows: it cannot change or stop the run.";
      line.exit_codes = "0 the run ended; 1 it died; 2 wrong use; 4 the page could not be written; 130 interrupted.";
      line.examples = {"busbar watch results/x.jsonl", "busbar watch --port 8123 nightly/"};
      return [words] { return watch(*words); };
    },
};

}  // namespace busbar
