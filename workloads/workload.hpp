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

/// What is trained: a network that is computed, or a profile that is replayed.
struct Workload {
  std::string model;
  std::string computed_on = "cpu";  ///< the device whose times these are
  std::string sample = "image";
  int batch = 0;  ///< as --batch
  std::optional<int> image, threads;
  DType precision = DType::f32;     ///< that a network's layers are computed in
  std::uint64_t reduced_bytes = 0;  ///< by a rank in a step, as they travel
  bool with_data = true;            ///< false: gradients have a size and no content, for a simulation
  std::optional<Network> network;
  std::optional<Profile> profile;
};

/// Needs no MPI. Throws UsageError where a model or profile is not there or not right; an unknown model lists those
/// that there are.
[[nodiscard]] Workload find_workload(const TrainOptions& options);

/// Fills in what the workload says of every case.
void describe(const Workload& workload, Curve& curve);

/// Collective. What trains it on GPUs, which `workload` is then computed on; nothing where they have no part in it.
/// Both outlive the result. Throws UsageError where there is no module or no GPU for each rank.
[[nodiscard]] std::unique_ptr<GpuTraining> open_gpu(Group& group, Workload& workload, const TrainOptions& options);

/// How ranks train it. `workload` and `gpu`, what open_gpu() gave, outlive the result.
[[nodiscard]] MakeTrainee trainees(const Workload& workload, const TrainOptions& options, const Group& job,
                                   GpuTraining* gpu);

/// Throws UsageError where this rank's CPU has no instructions for the precision.
void require_precision(const Workload& workload);

/// Throws UsageError where the ranks of a host need more memory than it has left. `plan`: every case; `hosts`: of each
/// rank. To be called on every rank, each judges its own host.
void require_memory(const Workload& workload, const std::vector<TrainCase>& plan, const std::vector<int>& hosts,
                    int rank);

}  // namespace busbar
