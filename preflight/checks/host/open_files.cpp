// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_open_files(const Facts& f) {
  const std::uint64_t least = 256 + 4 * f.ranks.size();
  std::vector<Judgement> judgements;
  for (const RankFacts& r : f.ranks) {
    const auto limit = r.limits.open_files;
    if (!limit || *limit >= least)
      judgements.push_back({.state = State::ok, .read = limit ? std::to_string(*limit) : "unlimited"});
    else
      judgements.push_back({.state = State::failed,
                            .read = fmt::format("{}; a job of {} ranks needs {}", *limit, f.ranks.size(), least)});
  }
  return by_rank(f, judgements);
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check open_files{
    .name = "open_files",
    .stage = preflight::Stage::host,
    .about = "open file limit of each rank (ulimit -n)",
    .expected = "at least 256, plus 4 for each rank of the job",
    .why =
        "each connection to another rank is an open file: with a low limit, larger jobs fail with \"too many open "
        "files\"",
    .advice =
        "Raise nofile in /etc/security/limits.conf and for the launching daemon (systemd: LimitNOFILE=65536); "
        "containers: --ulimit nofile=65536.",
    .find = preflight::check_open_files,
};

}  // namespace busbar
