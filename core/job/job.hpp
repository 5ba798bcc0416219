// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/job/options.hpp"
#include "core/job/ranks.hpp"
#include "core/ranks/group.hpp"
#include "core/record/run_record.hpp"

namespace busbar {

/// This job, as far as measuring needs to know it.
struct Job {
  RunRecord run;
  Ranks ranks;
};

/// Collective. Describes this job: build, arguments, hosts, placement, MPI, environment; measures the timer and the
/// noise of the machine. `id`: the run's. The record is the same on every rank but for its timer, which is each rank's
/// own; of simulated ranks only rank 0 has the hosts, their noise and the placement.
[[nodiscard]] Job describe_job(Group& group, const JobOptions& options, Method method, const std::string& program,
                               const std::string& id, const std::vector<std::string>& argv);

/// Collective. Throws UsageError where a rank was started with other arguments or from another build than rank 0, or
/// where the launcher started more processes than MPI knows.
void require_one_job(Group& group, const std::string& program, const std::vector<std::string>& arguments);

/// Collective. When a launch that may take `budget_s` has to be over, by this rank's steady_ns(); empty: no limit. The
/// time counts from the start of the launcher, as rank 0 knows it. 0.6 s from now (three fifths of the budget, if that
/// is less) are left in any case, so that a launch whose start took long measures something.
[[nodiscard]] std::optional<std::int64_t> end_of_launch(Group& group, std::optional<double> budget_s);

}  // namespace busbar
