// SPDX-License-Identifier: Apache-2.0
#include "workloads/pipeline/schedule.hpp"

namespace busbar {
namespace {

using pipeline::Operation;
using pipeline::Pass;

/// Y. Huang et al.: GPipe: Efficient Training of Giant Neural Networks using Pipeline Parallelism, NeurIPS 2019.
/// Backward runs in reverse order, as in the paper's figure 2: the latest activations are used first, while they may
/// still be in cache. With equal micro-batches, the order does not change the step time.
std::vector<Operation> gpipe_operations(int /*stages*/, int /*all stages alike*/, int micro_batches) {
  std::vector<Operation> all;
  for (int i = 0; i < micro_batches; ++i) all.push_back({.pass = Pass::forward, .micro_batch = i});
  for (int i = micro_batches - 1; i >= 0; --i) all.push_back({.pass = Pass::backward, .micro_batch = i});
  return all;
}

}  // namespace

extern const pipeline::ScheduleKind gpipe{
    .name = "gpipe",
    .about = "all forward passes, then all backward passes; a stage keeps every micro-batch",
    .operations = &gpipe_operations,
};

}  // namespace busbar
