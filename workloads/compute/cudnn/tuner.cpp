// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/tuner.hpp"

#include <algorithm>
#include <new>

#include <fmt/core.h>

namespace busbar::cudnn {
namespace {

constexpr int timed_runs = 3;  ///< per plan, after one untimed run that loads kernels

}  // namespace

double least_time(const cuda::Stream& on, const std::function<void()>& work) {
  const cuda::Event begin(cuda::Event::Kind::timed), end(cuda::Event::Kind::timed);
  work();
  double least_s = 0;
  for (int i = 0; i < timed_runs; ++i) {
    begin.record(on);
    work();
    end.record(on);
    end.wait();
    const double took_s = cuda::seconds_between(begin, end);
    least_s = i == 0 ? took_s : std::min(least_s, took_s);
  }
  return least_s;
}

void* Tuner::workspace_for(const Plan& plan) {
  if (plan.workspace_bytes() > workspace_.bytes()) {
    stream_.wait();
    workspace_ = {};  // free first, so that only one exists at a time
    workspace_ = cuda::DeviceArray<std::byte>(plan.workspace_bytes());
  }
  return workspace_.data();
}

/// Minimum time of a few runs; empty if the plan cannot run.
std::optional<double> Tuner::time(const Plan& plan, std::span<const Place> places) {
  try {
    const Execution execution(plan, places, workspace_for(plan));
    return least_time(stream_, [&] { execution.run(handle_); });
  } catch (const Error&) {
    return std::nullopt;
  } catch (const std::bad_alloc&) {  // no memory for the workspace: another plan may need less
    return std::nullopt;
  }
}

std::shared_ptr<const Plan> Tuner::choose(const std::string& what, const OperationGraph& graph,
                                          std::span<const Place> places, int plans) {
  Choice choice{.what = what};
  std::shared_ptr<const Plan> best, last;
  for (Descriptor& configuration : configurations(handle_, graph)) {
    if (choice.tried == plans) break;
    auto plan = Plan::make(handle_, std::move(configuration), limits_.workspace_bytes);
    const auto took_s = plan ? time(*plan, places) : std::nullopt;
    ++(took_s ? choice.tried : choice.refused);
    if (!took_s) continue;
    last = std::make_shared<const Plan>(std::move(*plan));
    if (best && *took_s >= choice.seconds) continue;
    best = last;
    choice.seconds = *took_s;
  }
  if (!best)
    throw Error(fmt::format("cuDNN {} has no plan for {} ({} were proposed): {}", cudnnGetVersion(), what,
                            choice.refused, last_words()));
  if (last != best) Execution(*best, places, workspace_for(*best)).run(handle_);  // for later layers: its own output
  stream_.wait();
  choice.engine = best->engine();
  choice.knobs = best->knobs();
  choice.workspace_bytes = best->workspace_bytes();
  choices_.push_back(std::move(choice));
  return best;
}

/// Returns null for a graph that is known to have no plan.
std::shared_ptr<const Plan> Tuner::find(const std::string& what, const std::function<OperationGraph()>& make,
                                        std::span<const Place> places, int plans) {
  const auto known = plans_.find(what);
  if (known == plans_.end()) return plans_[what] = choose(what, make(), places, plans);
  if (!known->second) return nullptr;
  Execution(*known->second, places, workspace_for(*known->second)).run(handle_);
  stream_.wait();
  return known->second;
}

std::shared_ptr<const Plan> Tuner::fastest(const std::string& what, const std::function<OperationGraph()>& make,
                                           std::span<const Place> places) {
  return find(what, make, places, limits_.plans);
}

std::shared_ptr<const Plan> Tuner::fastest_if_any(const std::string& what, const std::function<OperationGraph()>& make,
                                                  std::span<const Place> places, int plans) {
  try {
    return find(what, make, places, plans);
  } catch (const Error&) {  // cuDNN rejects the graph, or no plan runs
    return plans_[what] = nullptr;
  }
}

void* Tuner::final_workspace(std::uint64_t bytes) {
  if (bytes < workspace_.bytes()) {
    stream_.wait();
    workspace_ = {};
    workspace_ = cuda::DeviceArray<std::byte>(bytes);
  }
  return workspace_.data();
}

}  // namespace busbar::cudnn
