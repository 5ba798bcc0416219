// SPDX-License-Identifier: Apache-2.0
#include "workloads/train/plan.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/job/ranks.hpp"

namespace busbar {
namespace {

std::vector<int> default_scale(int ranks) {
  std::vector<int> scale;
  for (int n = 1; n < ranks; n *= 2) scale.push_back(n);
  scale.push_back(ranks);
  return scale;
}

int batch_of_rank(const TrainingKey& training, int ranks) {
  const bool divided = training.parallel == by_data && training.scaling == strong_scaling;
  const int parts = divided ? ranks : 1, batch = training.batch.value();
  if (const int all = parts * training.micro_batches; batch % all != 0)
    throw UsageError(fmt::format(
        "--batch: {} samples cannot be divided into {} equal parts ({} x --micro-batches {}); accepted: a multiple of "
        "{}{}",
        batch, all, parts > 1 ? fmt::format("{} ranks", parts) : "1 rank", training.micro_batches, all,
        batch % parts == 0 ? fmt::format(", or --micro-batches that divide {}", batch / parts) : ""));
  return batch / parts;
}

TrainCase make_case(const Curve& curve, int ranks, int jobs, const std::vector<int>& order,
                    const std::vector<int>& hosts) {
  TrainCase c{.key = curve.key, .batch = batch_of_rank(*curve.key.training, ranks), .sample = curve.sample, .jobs = {}};
  c.samples = c.key.training->parallel == by_data ? c.batch * ranks : c.batch;
  c.key.training->jobs = jobs;
  std::vector<int> hosts_of_case;
  auto next = order.begin();
  for (int job = 0; job < jobs; ++job, next += ranks) {
    c.jobs.emplace_back(next, next + ranks);
    for (const int r : c.jobs.back()) hosts_of_case.push_back(hosts[static_cast<std::size_t>(r)]);
  }
  const World world = world_of(hosts_of_case);
  c.key.ranks = world.ranks;
  c.key.nodes = world.nodes;
  c.key.ranks_per_node = world.ranks_per_node;
  return c;
}

}  // namespace

std::vector<int> order_of(const std::vector<int>& hosts, const std::string& layout) {
  std::vector<int> order(hosts.size());
  std::iota(order.begin(), order.end(), 0);
  std::map<int, int> seen;
  std::vector<int> turn(hosts.size());  // a rank's index within its host
  for (std::size_t r = 0; r < hosts.size(); ++r) turn[r] = seen[hosts[r]]++;
  const auto key = [&](int rank) {
    const auto r = static_cast<std::size_t>(rank);
    return layout == "spread" ? std::pair(turn[r], hosts[r]) : std::pair(hosts[r], turn[r]);
  };
  std::ranges::sort(order, {}, key);  // keys are unique
  return order;
}

namespace {

std::vector<int> scale_of(const Curve& curve, int world) {
  std::vector<int> scale = curve.scale.empty() ? default_scale(std::max(1, world / curve.jobs)) : curve.scale;
  std::ranges::sort(scale);
  scale.erase(std::unique(scale.begin(), scale.end()), scale.end());
  if (scale.back() * curve.jobs > world)
    throw UsageError(fmt::format("{}: {} ranks are wanted; this job has {}", curve.jobs > 1 ? "--jobs" : "--scale",
                                 scale.back() * curve.jobs, world));
  return scale;
}

std::vector<TrainCase> cases_of_layouts(const Curve& curve, const std::vector<int>& hosts) {
  std::vector<TrainCase> cases{make_case(curve, 1, 1, {0}, hosts)};
  Curve one = curve;
  for (const NodesByRanks& layout : curve.layouts) {
    const std::vector<int> ranks = ranks_of(layout, hosts);
    one.key.training->layout = to_string(layout);
    if (ranks.size() > 1) cases.push_back(make_case(one, static_cast<int>(ranks.size()), 1, ranks, hosts));
  }
  return cases;
}

std::vector<TrainCase> cases_of_scale(const Curve& curve, const std::vector<int>& hosts) {
  const auto scale = scale_of(curve, static_cast<int>(hosts.size()));
  const std::vector<int> order = order_of(hosts, curve.key.training->layout);
  std::vector<TrainCase> cases;
  for (const int jobs : curve.jobs > 1 ? std::vector{1, curve.jobs} : std::vector{1})
    for (const int ranks : scale) cases.push_back(make_case(curve, ranks, jobs, order, hosts));
  return cases;
}

}  // namespace

std::vector<TrainCase> make_plan(const Curve& curve, const std::vector<int>& hosts) {
  std::vector<TrainCase> plan;
  Curve one = curve;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, curve.overlaps.size()); ++i) {
    if (!curve.overlaps.empty()) one.key.training->overlap = curve.overlaps[i];
    for (TrainCase& c : curve.layouts.empty() ? cases_of_scale(one, hosts) : cases_of_layouts(one, hosts))
      if (i == 0 || c.key.ranks > 1) plan.push_back(std::move(c));
  }
  return plan;
}

}  // namespace busbar
