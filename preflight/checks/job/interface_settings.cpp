// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/files/kernel_files.hpp"
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

/// Open MPI accepts interface names and subnets. NCCL accepts name prefixes, exact names after "=", and exclusions
/// after "^". Sources: NCCL User Guide, environment variables; Open MPI FAQ, tuning of TCP.
struct Setting {
  const char* variable;
  bool beginnings;
};
constexpr Setting settings[] = {
    {"OMPI_MCA_btl_tcp_if_include", false}, {"OMPI_MCA_oob_tcp_if_include", false}, {"NCCL_SOCKET_IFNAME", true}};

bool has(const Identity& id, std::string_view word, bool beginning) {
  return std::ranges::any_of(id.interfaces, [&](const std::string& interface) {
    return beginning ? interface.starts_with(word) : interface == word;
  });
}

/// Configured names without an interface on this host. NCCL needs one match, Open MPI one for each name.
std::vector<std::string> missing(const Identity& id, const Setting& setting, std::string_view value) {
  if (value.starts_with('^')) return {};
  const bool exact = value.starts_with('=');
  std::vector<std::string> none;
  for (std::string_view word : facts::split(value.substr(exact ? 1 : 0), ',')) {
    word = facts::trimmed(word);
    const bool subnet = word.find('/') != std::string_view::npos;
    if (!word.empty() && !subnet && !has(id, word, setting.beginnings && !exact))
      none.emplace_back(word);
    else if (setting.beginnings && !word.empty())
      return {};
  }
  return none;
}

std::vector<std::string> without_loopback(std::vector<std::string> interfaces) {
  std::erase(interfaces, "lo");
  return interfaces;
}

std::vector<CheckResult> check_interface_settings(const Facts& f) {
  return by_rank(f, [](const RankFacts& rank) {
    Judgement j{.state = State::ok, .read = "all configured interfaces exist, or none is configured"};
    for (const Setting& setting : settings) {
      const auto at = rank.id.environment.find(setting.variable);
      if (at == rank.id.environment.end()) continue;
      const auto none = missing(rank.id, setting, at->second);
      if (!none.empty())
        j = {.state = State::failed,
             .read = fmt::format("{} names {}, which does not exist here; available: {}", setting.variable, list(none),
                                 list(without_loopback(rank.id.interfaces)))};
    }
    return j;
  });
}

}  // namespace

extern const Check interface_settings{
    .name = "interface_settings",
    .stage = Stage::launch,
    .about = "interfaces in Open MPI and NCCL settings exist on each host",
    .expected =
        "every interface in OMPI_MCA_btl_tcp_if_include, OMPI_MCA_oob_tcp_if_include and NCCL_SOCKET_IFNAME exists "
        "on every host",
    .why = "MPI_Init fails or hangs on a host without that interface, and NCCL finds no network",
    .advice =
        "Name interfaces that all hosts have, or a subnet (10.1.0.0/16) if the names differ; ip -brief address lists "
        "them.",
    .before_mpi = true,
    .find = check_interface_settings,
};

}  // namespace busbar::preflight
