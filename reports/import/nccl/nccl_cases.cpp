// SPDX-License-Identifier: Apache-2.0
#include "reports/import/nccl/nccl_cases.hpp"

#include <fmt/core.h>

#include "core/record/case_record.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/import/collective_names.hpp"
#include "reports/import/nccl/nccl_places.hpp"
#include "reports/runs/collective_facts.hpp"

namespace busbar {
namespace {

void set_bandwidths(NcclCases& all, CaseRecord& c, const NcclHalf& half) {
  c.time_s = half.time_us.value / 1e6;
  if (c.key.bytes == 0) {
    if (half.algbw_GBps && half.algbw_GBps->low() > 0) ++all.bandwidths.contradicted;
    return;
  }
  const Computed algbw = bandwidth_GBps(static_cast<double>(c.key.bytes), half.time_us);
  const double factor = bus_factor_of(c.key.collective, c.key.ranks);
  settle(c.algbw_GBps, half.algbw_GBps, algbw, all.bandwidths);
  if (settle(c.busbw_GBps, half.busbw_GBps, algbw.times(factor), all.bandwidths)) c.bus_factor = factor;
  if (all.bandwidths.contradicted > 0 && all.contradicted_bytes == 0) all.contradicted_bytes = c.key.bytes;
}

void set_nccl_check(const NcclCases& all, CaseRecord& c, const std::optional<double>& wrong) {
  if (!wrong) {
    c.check.state = CheckState::off;
  } else if (all.old_errors) {
    c.check.state = *wrong == 0 || all.all_passed ? CheckState::passed : CheckState::unknown;
  } else {
    c.check.state = *wrong == 0 ? CheckState::passed : CheckState::failed;
    c.check.wrong_elements = wrong;
    if (*wrong == 0) return;
    c.status = Status::failed;
    c.reason = fmt::format("wrong data: nccl-tests counted {:g} wrong elements", *wrong);
  }
}

void set_nccl_samples(const NcclCases& all, CaseRecord& c, const NcclHalf& half) {
  if (!half.samples) return;
  c.samples_s = half.samples->samples_s;
  c.samples_taken = c.samples_s.size();
  c.statistics = summarise(c.samples_s);
  c.ranks = half.samples->ranks;
  c.calls_per_sample = all.calls_per_sample;
}

void add_case(NcclCases& all, const NcclRow& row, const NcclHalf& half) {
  CaseRecord c{.key = all.key, .count = row.count};
  if (is_name(row.type)) c.key.type = type_named(row.type);
  if (row.op && is_name(*row.op)) c.key.op = row.op;
  c.key.root = row.root;
  c.key.bytes = row.bytes;
  c.key.in_place = half.in_place;
  set_bandwidths(all, c, half);
  set_nccl_check(all, c, half.wrong);
  set_nccl_samples(all, c, half);
  all.list.add(std::move(c));
}

CaseKey nccl_key(const NcclLog& log, const NcclJob& job, const RunRecord& head, const NcclLayout& layout,
                 const NcclProgram& program) {
  int groups = 0;
  const NcclLayout of_group = job.layout ? layout : group_layout(ranks_of(job), groups);
  const NcclLayout& ranks = !head.placement.empty() && groups > 1 ? of_group : layout;
  const bool one_host_a_job = copies_of(job) == 1 || head.ranks == 1;
  return {.collective = program.collective,
          .backend = log.backend,
          .memory = "device",
          .ranks = ranks.ranks,
          .nodes = one_host_a_job ? ranks.nodes : std::nullopt,
          .ranks_per_node = one_host_a_job ? ranks.ranks_per_node : std::nullopt,
          .cadence = head.method.cadence == "unknown" ? std::nullopt : std::optional(head.method.cadence),
          .group = groups > 1 ? fmt::format("split:{}", groups) : "world"};
}

}  // namespace

NcclCases nccl_cases(const NcclLog& log, const NcclJob& job, const RunRecord& head, const NcclLayout& layout,
                     const NcclProgram& program) {
  NcclCases all{.key = nccl_key(log, job, head, layout, program),
                .list = {},
                .old_errors = job.columns && job.columns->old_errors,
                .all_passed = job.out_of_bounds && job.out_of_bounds->ends_with("OK"),
                .calls_per_sample = head.method.aggregated_iterations};
  for (const NcclRow& row : job.rows)
    for (const NcclHalf& half : row.halves) add_case(all, row, half);
  return all;
}

}  // namespace busbar
