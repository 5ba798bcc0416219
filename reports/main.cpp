// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "core/build_info.hpp"
#include "reports/command.hpp"
#include "reports/text.hpp"

namespace busbar {
namespace {

/// One line, whatever a record's texts made of it.
int fail(const std::exception& e, Exit code) {
  fmt::print(stderr, "busbar: {}\n", report::shortened(e.what(), 1000));
  return static_cast<int>(code);
}

OutputError unwritable_output() {
  return OutputError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

int run(int argc, char** argv) {
  CLI::App app{"Shows, reports, imports and exports busbar's records. Needs no MPI and no GPU.", "busbar"};
  app.set_version_flag("--version", fmt::format("busbar {} ({})", version(), git_revision()));
  app.require_subcommand(1);
  std::function<Exit()> chosen;
  for (const Command* command : table<Command>()) {
    CLI::App* sub = app.add_subcommand(std::string(command->name), std::string(command->about));
    sub->callback([&chosen, start = command->attach(*sub)] { chosen = start; });
  }
  try {
    app.parse(argc, argv);
    const Exit code = chosen();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw unwritable_output();
    return static_cast<int>(code);
  } catch (const CLI::Success& e) {
    return app.exit(e);  // --help, --version
  } catch (const CLI::ParseError& e) {
    fmt::print(stderr, "busbar: {} (busbar --help shows what there is)\n", e.what());
    return static_cast<int>(Exit::usage);
  } catch (const UsageError& e) {
    return fail(e, Exit::usage);
  } catch (const OutputError& e) {
    return fail(e, Exit::output);
  } catch (const std::exception& e) {
    return std::ferror(stdout) != 0 ? fail(unwritable_output(), Exit::output) : fail(e, Exit::failed);
  }
}

}  // namespace
}  // namespace busbar

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is reported as a failed write
  return busbar::run(argc, argv);
}
