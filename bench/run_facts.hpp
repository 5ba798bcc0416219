// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "bench/options.hpp"
#include "core/group.hpp"
#include "core/record.hpp"

namespace busbar {

/// Collective. The host of each rank, as numbers counted from 0 in the order of the first rank on each.
[[nodiscard]] std::vector<int> hosts_of_ranks(Group& group);

/// Collective. The run record of this job on every rank: build, arguments, hosts, placement, MPI, environment, method.
[[nodiscard]] RunRecord describe_run(Group& group, const Options& options, const std::vector<std::string>& argv,
                                     const std::vector<int>& hosts);

/// Collective. Throws UsageError where a rank was started with other arguments or from another build than rank 0, or
/// where the launcher started more processes than MPI knows.
void require_one_job(Group& group, const std::vector<std::string>& arguments);

}  // namespace busbar
