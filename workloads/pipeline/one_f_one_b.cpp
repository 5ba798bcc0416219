// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/pipeline/schedule.hpp"

namespace busbar {
namespace {

using pipeline::Operation;
using pipeline::Pass;

/// The non-interleaved schedule with a flush (PipeDream-Flush) of D. Narayanan et al.: Efficient Large-Scale Language
/// Model Training on GPU Clusters Using Megatron-LM, SC 2021. A stage starts with one forward pass per following stage,
/// then alternates, then ends with the remaining backward passes.
std::vector<Operation> one_f_one_b_operations(int stages, int stage, int micro_batches) {
  const int ahead = std::min(micro_batches, stages - stage - 1);
  std::vector<Operation> all;
  for (int i = 0; i < micro_batches + ahead; ++i) {
    if (i < micro_batches) all.push_back({.pass = Pass::forward, .micro_batch = i});
    if (i >= ahead) all.push_back({.pass = Pass::backward, .micro_batch = i - ahead});
  }
  return all;
}

}  // namespace

extern const pipeline::ScheduleKind one_f_one_b{
    .name = "1f1b",
    .about = "alternate forward and backward passes; a stage keeps one micro-batch more than stages follow it",
    .operations = &one_f_one_b_operations,
};

}  // namespace busbar
