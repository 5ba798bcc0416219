// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workloads/compute/replay.hpp"
#include "workloads/networks/network.hpp"
#include "workloads/networks/profile.hpp"
#include "workloads/options.hpp"
#include "workloads/train/gpu_training.hpp"

namespace busbar {

/// The model to train: a network to compute, or a profile to replay.
struct Workload {
  std::string model;
  std::string computed_on = "cpu";  ///< device that the times belong to
  std::string sample = "image";
  int batch = 0;  ///< as --batch
  std::optional<int> image, threads;
  DType precision = DType::f32;     ///< compute type of the network's layers
  std::uint64_t reduced_bytes = 0;  ///< per rank and step, in wire format
  bool with_data = true;            ///< false: gradients have a size but no content (simulation)
  std::optional<Network> network;
  std::optional<Profile> profile;
  std::optional<DType> wire;  ///< of a replay's gradients, if it is not the profile's
};

/// Needs no MPI. Throws UsageError if a model or profile is missing or invalid; an unknown model's message lists the
/// known ones.
[[nodiscard]] Workload find_workload(const TrainOptions& options);

/// Copies the workload's facts to the key shared by all cases.
void describe(const Workload& workload, Curve& curve);

/// Collective over the group. Returns the GPU trainer and sets `workload.computed_on`; null without --compute cudnn.
/// `group` and `workload` must outlive it. Throws UsageError if the module is missing or there are too few GPUs.
[[nodiscard]] std::unique_ptr<GpuTraining> open_gpu(Group& group, Workload& workload, const TrainOptions& options);

/// Returns the factory of trainees. All arguments must outlive it; `gpu` is from open_gpu().
[[nodiscard]] MakeTrainee trainees(const Workload& workload, const TrainOptions& options, const Group& job,
                                   GpuTraining* gpu);

/// Throws UsageError, the same on every rank, if a group of the plan has more stages than the layers allow (--parallel
/// pipeline), or cannot share the attention heads equally (--parallel tensor).
void require_parts(const Workload& workload, const Curve& curve, const std::vector<TrainCase>& plan);

/// Throws UsageError if this rank's CPU has no instructions for the precision.
void require_precision(const Workload& workload);

/// Throws UsageError if this rank's host has too little free memory for its ranks. Call it on every rank; each checks
/// its own host. `plan`: all cases; `hosts`: host number of each rank.
void require_memory(const Workload& workload, const std::vector<TrainCase>& plan, const std::vector<int>& hosts,
                    int rank);

}  // namespace busbar
