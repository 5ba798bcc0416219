// SPDX-License-Identifier: Apache-2.0
#include "reports/explain/stolen_time.hpp"

#include <utility>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/explain/words.hpp"
#include "reports/runs/rank_rows.hpp"

namespace busbar::explain {

std::map<std::string, StolenTime> stolen_by_host(const Run& run) {
  std::map<std::string, int> cpus;
  for (const Host& host : run.head.hosts)
    if (host.threads) cpus[host.name] = *host.threads;
  std::map<std::string, StolenTime> all;
  for (const CaseRecord& c : run.cases) {
    std::map<std::string, bool> seen;  // each rank reports its whole host: count it once
    for (std::size_t row = 0; row < c.usage.size(); ++row) {
      const std::string host = host_of(run, report::rank_of_row(c, row));
      const Usage& usage = c.usage[row];
      if (!usage.host_stolen_s || !cpus.contains(host) || std::exchange(seen[host], true)) continue;
      StolenTime& s = all[host];
      s.stolen_s += *usage.host_stolen_s;
      s.cpu_s += usage.wall_s * cpus[host];
      s.wall_s += usage.wall_s;
    }
  }
  return all;
}

}  // namespace busbar::explain
