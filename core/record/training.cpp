// SPDX-License-Identifier: Apache-2.0
#include "core/record/training.hpp"

#include <fmt/core.h>

namespace busbar {

std::optional<double> samples_per_step(const TrainingKey& key, int ranks) {
  if (!key.batch) return std::nullopt;
  const bool one_batch_a_job =
      key.scaling == strong_scaling || key.parallel == by_pipeline || key.parallel == by_tensor;
  if (one_batch_a_job) return static_cast<double>(*key.batch) * key.jobs;
  if (key.scaling == weak_scaling) return static_cast<double>(*key.batch) * ranks;
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

}  // namespace busbar
