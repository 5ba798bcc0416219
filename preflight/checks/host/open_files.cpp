// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_open_files(const Facts& f) {
  return by_rank(f, [ranks = f.ranks.size()](const RankFacts& r) -> Judgement {
    const std::uint64_t least = 256 + 4 * ranks;
    const auto limit = r.limits.open_files;
    if (!limit) return {.state = State::ok, .read = "unlimited"};
    if (*limit >= least) return {.state = State::ok, .read = std::to_string(*limit)};
    return {.state = State::failed, .read = fmt::format("{}; a job of {} ranks needs {}", *limit, ranks, least)};
  });
}

}  // namespace

extern const Check open_files{
    .name = "open_files",
    .stage = Stage::host,
    .about = "open file limit of each rank (ulimit -n)",
    .expected = "at least 256, plus 4 for each rank of the job",
    .why =
        "each connection to another rank is an open file: with a low limit, larger jobs fail with \"too many open "
        "files\"",
    .advice =
        "Raise nofile in /etc/security/limits.conf and for the launching daemon (systemd: LimitNOFILE=65536); "
        "containers: --ulimit nofile=65536.",
    .find = check_open_files,
};

}  // namespace busbar::preflight
