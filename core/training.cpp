// SPDX-License-Identifier: Apache-2.0
#include "core/training.hpp"

#include <fmt/core.h>

#include "core/fields.hpp"

namespace busbar {

static constexpr auto fields(const TrainingKey*) {
  return std::tuple(std::pair("parallel", &TrainingKey::parallel), std::pair("compute", &TrainingKey::compute),
                    std::pair("computed_on", &TrainingKey::computed_on), std::pair("batch", &TrainingKey::batch),
                    std::pair("micro_batches", &TrainingKey::micro_batches),
                    std::pair("precision", &TrainingKey::precision), std::pair("image", &TrainingKey::image),
                    std::pair("threads", &TrainingKey::threads), std::pair("scaling", &TrainingKey::scaling),
                    std::pair("layout", &TrainingKey::layout), std::pair("overlap", &TrainingKey::overlap),
                    std::pair("first_bucket_bytes", &TrainingKey::first_bucket_bytes),
                    std::pair("bucket_bytes", &TrainingKey::bucket_bytes),
                    std::pair("hierarchical", &TrainingKey::hierarchical), std::pair("sharded", &TrainingKey::sharded),
                    std::pair("jobs", &TrainingKey::jobs), std::pair("schedule", &TrainingKey::schedule));
}
static constexpr auto fields(const StepSplit*) {
  return std::tuple(std::pair("step_s", &StepSplit::step_s), std::pair("forward_s", &StepSplit::forward_s),
                    std::pair("backward_s", &StepSplit::backward_s), std::pair("exposed_s", &StepSplit::exposed_s),
                    std::pair("optimiser_s", &StepSplit::optimiser_s), std::pair("other_s", &StepSplit::other_s),
                    std::pair("hidden_s", &StepSplit::hidden_s));
}
static constexpr auto fields(const Scaling*) {
  return std::tuple(std::pair("baseline_ranks", &Scaling::baseline_ranks),
                    std::pair("baseline_samples_per_s", &Scaling::baseline_samples_per_s),
                    std::pair("speed_up", &Scaling::speed_up), std::pair("efficiency", &Scaling::efficiency),
                    std::pair("efficiency_interval", &Scaling::efficiency_interval));
}
static constexpr auto fields(const SlowRank*) {
  return std::tuple(std::pair("rank", &SlowRank::rank), std::pair("host", &SlowRank::host),
                    std::pair("cpus", &SlowRank::cpus), std::pair("compute_s", &SlowRank::compute_s),
                    std::pair("others_compute_s", &SlowRank::others_compute_s));
}
static constexpr auto fields(const TrainingJob*) {
  return std::tuple(std::pair("ranks", &TrainingJob::ranks), std::pair("samples_per_s", &TrainingJob::samples_per_s),
                    std::pair("samples_per_s_interval", &TrainingJob::samples_per_s_interval),
                    std::pair("slow_down", &TrainingJob::slow_down));
}
static constexpr auto fields(const Memory*) {
  return std::tuple(
      std::pair("peak_bytes", &Memory::peak_bytes), std::pair("before_bytes", &Memory::before_bytes),
      std::pair("weights_bytes", &Memory::weights_bytes), std::pair("gradients_bytes", &Memory::gradients_bytes),
      std::pair("momenta_bytes", &Memory::momenta_bytes), std::pair("activations_bytes", &Memory::activations_bytes),
      std::pair("needed_bytes", &Memory::needed_bytes));
}
static constexpr auto fields(const LayerCost*) {
  return std::tuple(std::pair("kind", &LayerCost::kind), std::pair("layers", &LayerCost::layers),
                    std::pair("flop", &LayerCost::flop), std::pair("forward_s", &LayerCost::forward_s),
                    std::pair("backward_s", &LayerCost::backward_s));
}
static constexpr auto fields(const TypePeak*) {
  return std::tuple(std::pair("type", &TypePeak::type), std::pair("instructions", &TypePeak::instructions),
                    std::pair("flop_per_s", &TypePeak::flop_per_s));
}
static constexpr auto fields(const Arithmetic*) {
  return std::tuple(std::pair("flop_per_step", &Arithmetic::flop_per_step),
                    std::pair("peak_flop_per_s", &Arithmetic::peak_flop_per_s),
                    std::pair("peak_instructions", &Arithmetic::peak_instructions),
                    std::pair("peaks", &Arithmetic::peaks), std::pair("reorder_s", &Arithmetic::reorder_s),
                    std::pair("layers", &Arithmetic::layers));
}
static constexpr auto fields(const PipelineOperation*) {
  return std::tuple(std::pair("stage", &PipelineOperation::stage), std::pair("pass", &PipelineOperation::pass),
                    std::pair("micro_batch", &PipelineOperation::micro_batch),
                    std::pair("start_s", &PipelineOperation::start_s), std::pair("end_s", &PipelineOperation::end_s));
}
static constexpr auto fields(const Pipeline*) {
  return std::tuple(std::pair("stages", &Pipeline::stages), std::pair("micro_batches", &Pipeline::micro_batches),
                    std::pair("bubble", &Pipeline::bubble), std::pair("ideal_bubble", &Pipeline::ideal_bubble),
                    std::pair("stage_compute_s", &Pipeline::stage_compute_s),
                    std::pair("most_in_flight", &Pipeline::most_in_flight),
                    std::pair("operations", &Pipeline::operations));
}
static constexpr auto fields(const Training*) {
  return std::tuple(std::pair("sample", &Training::sample), std::pair("samples_per_s", &Training::samples_per_s),
                    std::pair("samples_per_s_interval", &Training::samples_per_s_interval),
                    std::pair("scaling", &Training::scaling), std::pair("split", &Training::split),
                    std::pair("wire_bytes", &Training::wire_bytes), std::pair("buckets", &Training::buckets),
                    std::pair("loss_first", &Training::loss_first), std::pair("loss_last", &Training::loss_last),
                    std::pair("weights_hash", &Training::weights_hash), std::pair("memory", &Training::memory),
                    std::pair("arithmetic", &Training::arithmetic), std::pair("slow_ranks", &Training::slow_ranks),
                    std::pair("jobs", &Training::jobs), std::pair("pipeline", &Training::pipeline));
}

std::optional<double> samples_per_step(const TrainingKey& key, int ranks) {
  if (!key.batch) return std::nullopt;
  const bool one_batch_a_job = key.scaling == "strong" || key.parallel == "pipeline" || key.parallel == "tensor";
  if (one_batch_a_job) return static_cast<double>(*key.batch) * key.jobs;
  if (key.scaling == "weak") return static_cast<double>(*key.batch) * ranks;
  return std::nullopt;
}

std::string to_string(const TrainingKey& k) {
  const std::string batch = k.batch ? std::to_string(*k.batch) : "?";
  std::string s = fmt::format("{}/{}/{}/batch:{}", k.parallel, k.compute, k.computed_on, batch);
  if (k.micro_batches > 1) s += fmt::format("/micro_batches:{}", k.micro_batches);
  if (k.precision) s += fmt::format("/{}", *k.precision);
  if (k.image) s += fmt::format("/image:{}", *k.image);
  if (k.threads) s += fmt::format("/threads:{}", *k.threads);
  s += fmt::format("/{}/{}", k.scaling, k.layout);
  if (k.overlap) s += fmt::format("/overlap:{}/buckets:{},{}", *k.overlap, k.first_bucket_bytes, k.bucket_bytes);
  if (k.hierarchical) s += "/hierarchical";
  if (k.sharded) s += "/sharded";
  if (k.schedule) s += "/" + *k.schedule;
  if (k.jobs > 1) s += fmt::format("/jobs:{}", k.jobs);
  return s;
}

// The templates of core/fields.hpp, where others can call them.
void to_json(nlohmann::json& j, const TrainingKey& k) { busbar::to_json<TrainingKey>(j, k); }
void from_json(const nlohmann::json& j, TrainingKey& k) { busbar::from_json<TrainingKey>(j, k); }
void to_json(nlohmann::json& j, const Training& t) { busbar::to_json<Training>(j, t); }
void from_json(const nlohmann::json& j, Training& t) { busbar::from_json<Training>(j, t); }

}  // namespace busbar
