// SPDX-License-Identifier: Apache-2.0
#include "workloads/workload.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "core/environment/environment.hpp"
#include "core/mpi/group.hpp"
#include "workloads/networks/data.hpp"
#include "workloads/networks/model.hpp"
#include "workloads/peak/peak.hpp"
#include "workloads/train/pipeline_parallel.hpp"
#include "workloads/train/tensor_parallel.hpp"

namespace busbar {
namespace {

Network network_of(const TrainOptions& o) {
  if (auto network = find_network(o.model, o.image, o.classes)) return *std::move(network);
  throw UsageError(fmt::format("--model: '{}' cannot be computed here; known: {}; to replay: {}", o.model,
                               fmt::join(networks(), ", "), fmt::join(shipped_models(), ", ")));
}

/// Finds a profile by its file or by the name of one that ships with busbar.
Profile find_profile_of(const TrainOptions& o) {
  if (o.profile) {
    const std::filesystem::path file = *o.profile;
    return read_profile(std::filesystem::exists(file) ? file : find_profile(*o.profile));
  }
  if (!o.tflops) throw UsageError("--compute replay: needs --profile, or --tflops for the operations of --model");
  return profile_of(read_model(find_model(o.model)), o.curve.key.training->batch.value(),
                    {.name = fmt::format("{:g} TFLOP/s", *o.tflops), .flop_per_s = *o.tflops * 1e12});
}

Workload replayed(const TrainOptions& o) {
  Workload w{.profile = find_profile_of(o), .wire = o.wire};
  if (o.wire) w.profile->element_bytes = static_cast<int>(size_of(*o.wire));
  w.model = w.profile->model;
  w.computed_on = w.profile->device;
  w.sample = w.profile->sample;
  w.batch = w.profile->batch;
  w.image = w.profile->image;
  const TrainingKey& key = *o.curve.key.training;
  if (key.parallel == by_data) w.reduced_bytes = gradient_bytes(*w.profile);
  if (key.parallel == by_tensor) w.reduced_bytes = tensor_parallel_bytes(*w.profile);
  if (key.parallel == by_tensor && w.reduced_bytes == 0)
    throw UsageError(fmt::format(
        "--parallel tensor: {} does not say what its layers sum over ranks; bert-large, gpt2-xl and vit-huge do",
        w.model));
  if (key.parallel != by_pipeline && key.micro_batches > 1)
    throw UsageError("--micro-batches: a profile is of one batch, which only --parallel pipeline divides");
  if (key.parallel == by_data && key.scaling == strong_scaling)
    throw UsageError("--scaling strong: a profile is of one batch, which is not divided");
  return w;
}

Workload computed(const TrainOptions& o) {
  if (o.curve.key.training->parallel != by_data)
    throw UsageError(fmt::format("--parallel {}: only with --compute replay", o.curve.key.training->parallel));
  if (o.profile || o.tflops) throw UsageError("--profile, --tflops: only with --compute replay");
  Workload w{
      .model = o.model, .batch = o.curve.key.training->batch.value(), .image = o.image, .precision = o.precision};
  if (o.curve.key.training->compute == on_onednn) w.threads = o.threads;
  w.network = network_of(o);
  for (const Parameter& p : w.network->parameters()) w.reduced_bytes += p.elements * size_of(o.exchange.wire);
  return w;
}

/// Bytes that a rank needs for all its cases.
double needs(const Workload& w, const std::vector<TrainCase>& plan, int rank) {
  if (w.profile) return static_cast<double>(w.reduced_bytes);
  std::set<int> batches;
  for (const TrainCase& c : plan)
    for (const auto& job : c.jobs)
      if (std::ranges::find(job, rank) != job.end()) batches.insert(c.batch / c.key.training->micro_batches);
  double bytes = 0;
  for (const int batch : batches) bytes += bytes_to_train(*w.network, batch, w.precision);
  return bytes;
}

}  // namespace

Workload find_workload(const TrainOptions& o) {
  Workload w = o.curve.key.training->compute == replayed_compute ? replayed(o) : computed(o);
  w.with_data = o.exchange.with_data;
  return w;
}

/// Wire type of a replay: as given, else the profile's precision if its elements are as wide as the gradients; empty if
/// unknown.
static std::optional<std::string> type_of_gradients(const Workload& w) {
  if (w.wire) return std::string(name(*w.wire));
  const Profile& p = *w.profile;
  const auto width = static_cast<std::size_t>(p.element_bytes);
  if (const auto type = dtype_named(p.precision); type && size_of(*type) == width) return p.precision;
  if (width == size_of(DType::f32)) return std::string(name(DType::f32));
  return std::nullopt;
}

void describe(const Workload& w, Curve& curve) {
  curve.sample = w.sample;
  CaseKey& key = curve.key;
  key.collective = w.model;
  key.bytes = w.reduced_bytes;
  if (w.profile) key.type = type_of_gradients(w);
  key.training->computed_on = w.computed_on;
  key.training->batch = w.batch;
  key.training->image = w.image;
  key.training->threads = w.threads;
}

std::unique_ptr<GpuTraining> open_gpu(Group& group, Workload& w, const TrainOptions& o) {
  if (o.curve.key.training->compute != on_cudnn) return nullptr;
  auto gpu = make_gpu_training(group, {.network = &*w.network,
                                       .precision = o.precision,
                                       .wire = o.exchange.wire,
                                       .norm = o.norm,
                                       .fusion = o.exchange.fusion,
                                       .rule = o.rule,
                                       .seed = o.seed,
                                       .graphs = o.graphs,
                                       .share = o.share_gpu,
                                       .time_layers = o.explain || o.write_profile,
                                       .timeout_s = o.job.timeout_s});
  w.computed_on = gpu->computed_on();
  return gpu;
}

MakeTrainee trainees(const Workload& w, const TrainOptions& o, const Group& job, GpuTraining* gpu) {
  if (gpu != nullptr)
    return [gpu, &job](const TrainCase& plan, const Communicator& team, int) {
      return gpu->make(plan, group_of(team.duplicate(), job));
    };
  const std::string& parallel = o.curve.key.training->parallel;
  if (parallel == by_pipeline) return pipeline_parallel(*w.profile, *o.schedule, o.pace);
  if (parallel == by_tensor) return tensor_parallel(*w.profile, o.pace);
  return data_parallel(o.exchange, [&w, &o, rank = job.rank()](int micro_batch) {
    if (w.profile) return make_replay_engine(*w.profile, rank, o.pace, o.exchange.with_data);
    return make_onednn_engine(*w.network, {.batch = micro_batch,
                                           .threads = o.threads,
                                           .precision = o.precision,
                                           .rule = o.rule,
                                           .seed = o.seed,
                                           .rank = rank});
  });
}

static std::vector<int> divisors_of(int n) {
  std::vector<int> all;
  for (int d = 1; d <= n; ++d)
    if (n % d == 0) all.push_back(d);
  return all;
}

void require_parts(const Workload& w, const Curve& curve, const std::vector<TrainCase>& plan) {
  const std::string& parallel = curve.key.training->parallel;
  const std::string_view flag = curve.layouts.empty() ? "--scale" : "--layout";
  const auto can_cut = [](const ForwardEvent& e) { return e.cut_bytes.has_value(); };
  for (const TrainCase& c : plan) {
    const auto ranks = static_cast<int>(c.jobs.front().size());
    if (parallel == by_tensor && w.profile->heads && *w.profile->heads % ranks != 0)
      throw UsageError(
          fmt::format("{}: {} ranks cannot share {}'s {} attention heads equally (--parallel tensor); accepted: {}",
                      flag, ranks, w.model, *w.profile->heads, fmt::join(divisors_of(*w.profile->heads), ", ")));
    if (parallel != by_pipeline) continue;
    const std::vector<ForwardEvent>& layers = w.profile->forward;
    const auto most = 1 + std::count_if(layers.begin(), layers.end() - 1, can_cut);
    if (ranks > most)
      throw UsageError(fmt::format(
          "{}: {} stages cannot be made of {}'s {} layers with {} possible cuts (--parallel pipeline); accepted: {}",
          flag, ranks, w.model, layers.size(), most - 1, most > 1 ? fmt::format("1 to {}", most) : "1"));
  }
}

void require_precision(const Workload& w) {
  if (!w.threads || w.precision == DType::f32 || has_bf16_instructions()) return;
  throw UsageError(
      fmt::format("--precision {}: this CPU has neither AVX512-BF16 nor AMX; use fp32", name(w.precision)));
}

void require_memory(const Workload& w, const std::vector<TrainCase>& plan, const std::vector<int>& hosts, int rank) {
  if (!w.with_data) return;
  const auto available = available_memory();
  if (!available) return;
  const int here = hosts[static_cast<std::size_t>(rank)];
  double bytes = 0;
  int ranks = 0;
  for (std::size_t r = 0; r < hosts.size(); ++r)
    if (hosts[r] == here) {
      bytes += needs(w, plan, static_cast<int>(r));
      ++ranks;
    }
  if (bytes > static_cast<double>(*available))
    throw UsageError(fmt::format("--batch: {} needs about {:.1f} GB on this host ({}); {:.1f} GB are free", w.batch,
                                 bytes * 1e-9, plural(ranks, "rank"), static_cast<double>(*available) * 1e-9));
}

}  // namespace busbar
