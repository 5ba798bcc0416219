// SPDX-License-Identifier: Apache-2.0
#include "workloads/train/round.hpp"

#include <algorithm>
#include <bit>

namespace busbar {

LayerSums& LayerSums::operator+=(const LayerSums& more) {
  for (std::size_t k = 0; k < layer_kinds; ++k) {
    forward_s[k] += more.forward_s[k];
    backward_s[k] += more.backward_s[k];
  }
  reorder_s += more.reorder_s;
  return *this;
}

LayerSums operator-(const LayerSums& after, const LayerSums& before) {
  LayerSums d = after;
  for (std::size_t k = 0; k < layer_kinds; ++k) {
    d.forward_s[k] -= before.forward_s[k];
    d.backward_s[k] -= before.backward_s[k];
  }
  d.reorder_s -= before.reorder_s;
  return d;
}

std::vector<double> to_numbers(const RankReport& r) {
  std::vector<double> all{r.wall_s, r.layers.reorder_s, r.loss, r.wrong};
  all.push_back(static_cast<double>(r.state >> 32U));  // halves are exact in a double
  all.push_back(static_cast<double>(r.state & 0xFFFFFFFFU));
  for (const auto part : parts_of_step) all.push_back(r.times.*part);
  all.insert(all.end(), r.layers.forward_s.begin(), r.layers.forward_s.end());
  all.insert(all.end(), r.layers.backward_s.begin(), r.layers.backward_s.end());
  all.insert(all.end(), r.step_s.begin(), r.step_s.end());
  all.insert(all.end(), r.compute_s.begin(), r.compute_s.end());
  return all;
}

RankReport to_report(std::span<const double> n) {
  RankReport r{.wall_s = n[0],
               .loss = n[2],
               .wrong = n[3],
               .state = static_cast<std::uint64_t>(n[4]) << 32U | static_cast<std::uint64_t>(n[5])};
  r.layers.reorder_s = n[1];
  n = n.subspan(6);
  for (std::size_t i = 0; i < parts_of_step.size(); ++i) r.times.*parts_of_step[i] = n[i];
  n = n.subspan(parts_of_step.size());
  std::ranges::copy(n.first(layer_kinds), r.layers.forward_s.begin());
  std::ranges::copy(n.subspan(layer_kinds, layer_kinds), r.layers.backward_s.begin());
  const auto steps = n.subspan(2 * layer_kinds);
  const auto half = static_cast<std::ptrdiff_t>(steps.size() / 2);
  r.step_s.assign(steps.begin(), steps.begin() + half);
  r.compute_s.assign(steps.begin() + half, steps.end());
  return r;
}

namespace {

void scale(StepTimes& t, double by) {
  for (const auto part : parts_of_step) t.*part *= by;
}

void scale(LayerSums& sums, double by) {
  for (double& s : sums.forward_s) s *= by;
  for (double& s : sums.backward_s) s *= by;
  sums.reorder_s *= by;
}

/// Mean over steps of the longest computing among the ranks of one job.
double slowest_compute_s(std::span<const RankReport> job) {
  double sum = 0;
  const std::size_t steps = job.front().compute_s.size();
  for (std::size_t step = 0; step < steps; ++step) {
    double most = 0;
    for (const RankReport& r : job) most = std::max(most, r.compute_s[step]);
    sum += most / static_cast<double>(steps);
  }
  return sum;
}

}  // namespace

TrainRound combine(std::span<const RankReport> reports, int ranks_per_job, double at_s) {
  const auto steps = static_cast<double>(reports.front().step_s.size());
  const auto ranks = static_cast<double>(reports.size());
  TrainRound all{.at_s = at_s, .samples_s = reports.front().step_s};
  for (std::size_t r = 0; r < reports.size(); ++r) {
    const RankReport& report = reports[r];
    if (r % static_cast<std::size_t>(ranks_per_job) == 0) all.job_step_s.push_back(0);
    all.job_step_s.back() = std::max(all.job_step_s.back(), report.wall_s / steps);
    std::ranges::transform(all.samples_s, report.step_s, all.samples_s.begin(),
                           [](double a, double b) { return std::max(a, b); });
    all.mean += report.times;
    all.layers += report.layers;
    all.compute_s.push_back((report.times.forward_s + report.times.backward_s) / steps);
    all.loss += report.loss / ranks;
    all.states.push_back(report.state);
  }
  all.step_s = std::ranges::max(all.job_step_s);
  const auto size = static_cast<std::size_t>(ranks_per_job);
  for (std::size_t r = 0; r < reports.size(); r += size)
    all.slowest_compute_s += slowest_compute_s(reports.subspan(r, size)) / static_cast<double>(all.job_step_s.size());
  scale(all.mean, 1 / (steps * ranks));
  scale(all.layers, 1 / (steps * ranks));
  return all;
}

}  // namespace busbar
