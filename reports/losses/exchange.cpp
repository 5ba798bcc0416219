// SPDX-License-Identifier: Apache-2.0
#include "reports/losses/exchange.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "workloads/networks/data.hpp"
#include "workloads/networks/model.hpp"
#include "workloads/networks/network.hpp"
#include "workloads/networks/profile.hpp"

namespace busbar::losses {
namespace {

using predict::GradientBucket, predict::Span;

constexpr std::uint64_t mebibyte = 1U << 20U;
constexpr int most_buckets = 1 << 20;
constexpr double vague = 1.5;  ///< ratio of the limits of a prediction that is no longer likely

/// Items in the order in which backward produces them, and where they come from.
template <class Item>
struct Produced {
  std::vector<Item> all;
  std::string from;
  bool assumed = false;
};
using Ready = Produced<Gradient>;
using Buckets = Produced<GradientBucket>;

/// The gradients of a replayed profile, with its times.
Ready of_profile(const Profile& p, const std::string& name) {
  Ready ready{.from = fmt::format("the times of {}", name)};
  double us = 0;
  for (const BackwardEvent& e : p.backward) {
    us += e.us;
    for (const std::uint64_t elements : e.gradients)
      ready.all.push_back({.name = e.layer, .elements = elements, .ready = us * 1e-6 / backward_s(p)});
  }
  return ready;
}

std::optional<Ready> of_shipped_profile(const CaseKey& key) {
  const TrainingKey& t = *key.training;
  if (t.compute != replayed_compute || !t.batch) return std::nullopt;
  const std::string name = fmt::format("{}.{}.b{}", t.computed_on, key.collective, *t.batch);
  const auto shipped = shipped_profiles();
  if (std::ranges::find(shipped, name) == shipped.end()) return std::nullopt;
  return of_profile(read_profile(find_profile(name)), name);
}

std::optional<Ready> of_network(const CaseKey& key) {
  constexpr int usual_classes = 1000, largest_image = 1 << 15;
  const auto known = networks();
  const int image = key.training->image.value_or(0);
  if (std::ranges::find(known, key.collective) == known.end() || image < 1 || image > largest_image)
    return std::nullopt;
  const auto network = find_network(key.collective, image, usual_classes);
  if (!network) return std::nullopt;
  return Ready{.all = gradients_in_order(*network), .from = "the operations of the layers of " + key.collective};
}

/// The gradients of a shipped model, or equal ones of an unknown model, which have no names.
Ready of_model(const report::Experiment& e) {
  Ready ready{.all = predict::gradients_of(e, "", std::nullopt).all, .from = "the operations of the model's layers"};
  ready.assumed = std::ranges::all_of(ready.all, [](const Gradient& g) { return g.name.empty(); });
  if (ready.assumed) ready.from = "an assumption: gradients of one size, one after the other";
  return ready;
}

/// Equal buckets, ready one after the other: of an unknown model with a recorded number of buckets.
std::vector<GradientBucket> equal_buckets(double bytes, int n) {
  std::vector<GradientBucket> all;
  for (int i = 1; i <= n; ++i) all.push_back({.bytes = bytes / n, .ready = static_cast<double>(i) / n});
  return all;
}

/// The buckets of a training. Those of the model count if they have the recorded bytes and number.
Buckets buckets_of(const report::Experiment& e, const CaseRecord& c) {
  const CaseKey& key = c.key;
  const std::uint64_t element_bytes = predict::bytes_of(*key.type);
  const FusionLimits limits{.first = key.training->first_bucket_bytes, .others = key.training->bucket_bytes};
  auto ready = of_shipped_profile(key);
  if (!ready) ready = of_network(key);
  if (!ready) ready = of_model(e);
  Buckets buckets{.all = predict::gradient_buckets(ready->all, element_bytes, limits),
                  .from = ready->from,
                  .assumed = ready->assumed};
  double bytes = 0;
  for (const GradientBucket& b : buckets.all) bytes += b.bytes;
  const int n = c.training->buckets.value_or(static_cast<int>(buckets.all.size()));
  if (n > most_buckets) throw UsageError(fmt::format("{} reductions per step are too many", n));
  const bool same = std::abs(bytes - static_cast<double>(key.bytes)) < 0.01 * bytes;
  if (n > 0 && (!same || n != static_cast<int>(buckets.all.size())))
    return {.all = equal_buckets(static_cast<double>(key.bytes), n),
            .from = "an assumption: buckets of one size, one after the other",
            .assumed = true};
  return buckets;
}

/// Why allreduces do not say how long a training's exchange takes; empty if they do.
std::string other_exchange(const CaseKey& key) {
  if (key.training->sharded) return "the optimiser is sharded: its exchange is reduce-scatter and allgather";
  if (key.training->hierarchical) return "its exchange is within hosts, then between them: no collective does the same";
  if (!key.type) return "the type of its gradients is unknown";
  if (key.bytes == 0) return "the size of its gradients is unknown";
  if (!key.nodes) return "its number of nodes is unknown";
  return {};
}

double largest(const Buckets& buckets) { return std::ranges::max(buckets.all, {}, &GradientBucket::bytes).bytes; }

/// `text` if it is safe in a command, else `instead`: records are not trusted.
std::string safe_word(const std::string& text, std::string_view instead) {
  const bool safe = !text.empty() && text.front() != '-' && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-' || c == '/';
  });
  return safe ? text : std::string(instead);
}

/// A command that measures the sizes of these buckets.
std::string command_for(const Run& run, const CaseKey& key, const Buckets& buckets) {
  constexpr double most_bytes = 0x1p60;
  const auto bytes = static_cast<std::uint64_t>(std::min(largest(buckets), most_bytes));
  const std::string sizes =
      fmt::format("allreduce -b 8 -e {}M -d {} --backend {}", std::bit_ceil(std::max(bytes, mebibyte)) / mebibyte,
                  safe_word(*key.type, "TYPE"), safe_word(key.backend, "NAME"));
  const auto& simulation = run.head.simulation;
  if (!simulation) return fmt::format("mpirun -np {} busbar-bench {}", key.ranks, sizes);
  const auto chosen = simulation->settings.find("smpi/allreduce");
  const std::string algorithm = chosen == simulation->settings.end()
                                    ? ""
                                    : fmt::format("--cfg smpi/allreduce:{} ", safe_word(chosen->second, "NAME"));
  return fmt::format("busbar-bench-sim --platform {} -np {} {}{}", safe_word(simulation->platform_file, "FILE"),
                     key.ranks, algorithm, sizes);
}

/// Empty if a bucket is too far from the measured sizes.
std::optional<PredictedExchange> predicted_exchange(const Buckets& buckets, const AllreduceTimes& times,
                                                    const CaseRecord& c) {
  PredictedExchange p{.buckets = buckets.all.size(),
                      .confidence = times.confidence,
                      .source = times.source,
                      .buckets_from = buckets.from,
                      .sure = !buckets.assumed && times.hosts_known};
  std::vector<Span> calls, without_latency;
  for (const GradientBucket& b : buckets.all) {
    const auto call = times.of(b.bytes);
    if (!call) return std::nullopt;
    for (double Span::* const limit : {&Span::value, &Span::low, &Span::high}) p.total_s.*limit += call->time_s.*limit;
    p.latency_s += call->latency_s;
    p.sure = p.sure && call->between;
    calls.push_back(call->time_s);
    const double share = call->time_s.value > 0 ? 1 - call->latency_s / call->time_s.value : 0;
    without_latency.push_back(
        {.value = share * call->time_s.value, .low = share * call->time_s.low, .high = share * call->time_s.high});
  }
  // Only the last micro-batch's backward pass has a bucket to send.
  const double backward_s = c.training->split->backward_s / std::max(1, c.key.training->micro_batches);
  p.exposed_s = predict::exposed_exchange_s(buckets.all, calls, backward_s);
  p.exposed_free_s = predict::exposed_exchange_s(buckets.all, without_latency, backward_s);
  p.sure = p.sure && p.total_s.high <= vague * p.total_s.low;
  return p;
}

void predict(Exchange& x, const std::vector<Run>& runs, const report::Experiment& e, const CaseRecord& c) {
  const Run& run = runs[e.run];
  x.problem = other_exchange(c.key);
  if (!x.problem.empty()) return;
  const Buckets buckets = buckets_of(e, c);
  const AllreduceTimes times = allreduce_times(runs, run, c);
  x.others = times.others;
  x.problem = times.problem;
  if (x.problem.empty()) {
    x.predicted = predicted_exchange(buckets, times, c);
    if (!x.predicted)
      x.problem = fmt::format("a bucket of {:.3g} MiB is too far from the measured sizes ({})",
                              largest(buckets) / static_cast<double>(mebibyte), times.source);
  }
  if (!x.problem.empty()) x.to_run = command_for(run, c.key, buckets);
}

}  // namespace

Exchange exchange_of(const std::vector<Run>& runs, const report::Experiment& e, const CaseRecord& c, double waiting_s) {
  const StepSplit& split = *c.training->split;
  Exchange x{.exposed_s = split.exposed_s - waiting_s, .hidden_s = split.hidden_s};
  if (c.key.ranks < 2) return x;
  try {
    predict(x, runs, e, c);
  } catch (const UsageError& error) {
    x.problem = error.what();
  }
  return x;
}

}  // namespace busbar::losses
