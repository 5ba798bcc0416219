// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>

#include "reports/suite/hosts.hpp"
#include "tests/fuzz/require.hpp"

/// Reads any bytes as a list of hosts: --hosts, a host file, and variables of Slurm with the output of scontrol.
namespace busbar::fuzz {
namespace {

using suite::Host;

void check(const std::vector<Host>& hosts) {
  for (const Host& host : hosts) {
    require(host.slots >= 1, host.name + " without slots");
    require(!host.name.empty() && host.name[0] != '-', "a name that is an option: " + host.name);
    require(host.name.find_first_of(" \t\n'\"$;|&,:") == std::string::npos, "a name that is a command: " + host.name);
  }
}

/// The first line is SLURM_TASKS_PER_NODE, the rest the output of scontrol.
void as_slurm(std::string_view text) {
  const auto end = text.find('\n');
  const std::string tasks(text.substr(0, end)), names(end == std::string_view::npos ? "" : text.substr(end + 1));
  if (tasks.find('\0') != std::string::npos) return;  // no variable has one
  const suite::Surroundings around{.variable = [&](const char* name) -> const char* {
                                     if (name == std::string_view("SLURM_JOB_NODELIST")) return "n[1-2]";
                                     return name == std::string_view("SLURM_TASKS_PER_NODE") ? tasks.c_str() : nullptr;
                                   },
                                   .output_of = [&](const std::vector<std::string>&) { return names; }};
  if (const auto hosts = suite::allocated_hosts(around)) check(*hosts);
}

}  // namespace

void check_input(std::string_view text) {
  may_refuse([&] {
    const auto hosts = suite::parse_hosts("--hosts", text);
    check(hosts);
    require(suite::parse_hosts("--hosts", suite::hosts_text(hosts)) == hosts, "reads back as other hosts");
  });
  may_refuse([&] { check(suite::parse_hostfile(text, "hosts")); });
  may_refuse([&] { as_slurm(text); });
}

}  // namespace busbar::fuzz
