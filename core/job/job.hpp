// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/job/options.hpp"
#include "core/job/ranks.hpp"
#include "core/ranks/group.hpp"
#include "core/record/run_record.hpp"

namespace busbar {

/// Facts about this job that measuring needs.
struct Job {
  RunRecord run;
  Ranks ranks;
};

/// Collective over the group. Describes this job: build, arguments, hosts, placement, MPI, environment; measures the
/// timer and the machine's noise. `id`: the run's. The record is equal on every rank except for the timer. With
/// simulated ranks, only rank 0 has hosts, noise and placement.
[[nodiscard]] Job describe_job(Group& group, const JobOptions& options, Method method, const std::string& program,
                               const std::string& id, const std::vector<std::string>& argv);

/// Collective over the group. Throws UsageError if a rank has other arguments or another build than rank 0, or if the
/// launcher started more processes than MPI knows.
void require_one_job(Group& group, const std::string& program, const std::vector<std::string>& arguments);

/// Collective over the group. End of a launch with the budget `budget_s`, by this rank's steady_ns(); empty: no limit.
/// Time counts from the launcher's start, as rank 0 knows it. After a slow start some time still remains to measure: at
/// least 0.6 s from now (or 60 % of the budget, if less), and two thirds of a budget that nobody asked for.
[[nodiscard]] std::optional<std::int64_t> end_of_launch(Group& group, std::optional<double> budget_s,
                                                        bool asked_for = true);

}  // namespace busbar
