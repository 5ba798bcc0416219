// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/backend/backend_facts.hpp"
#include "core/elements/dtype.hpp"
#include "core/ranks/group.hpp"
#include "workloads/networks/fusion.hpp"
#include "workloads/networks/network.hpp"
#include "workloads/networks/optimiser.hpp"
#include "workloads/train/plan.hpp"
#include "workloads/train/trainee.hpp"

/// Interface to training on GPUs. busbar-train does not link CUDA; it loads a module that does (core/files/module.hpp)
/// on demand.
namespace busbar {

struct GpuTrainingSetup {
  const Network* network = nullptr;  ///< must outlive everything made from it
  DType precision = DType::bf16;     ///< compute type of the layers: bf16, fp16
  DType wire = DType::f32;           ///< wire type of gradients: fp32 or `precision`
  NormLibrary norm = NormLibrary::own;
  FusionLimits fusion;
  Sgd::Settings rule;
  std::uint64_t seed = 1;
  bool graphs = true;        ///< launch each step as one CUDA graph
  bool share = false;        ///< allow several ranks per GPU
  bool time_layers = false;  ///< each visit of a case also times layers, outside of steps
  double timeout_s = 0;      ///< limit of each wait for other ranks; 0: none
};

/// Trains on this rank's GPU.
class GpuTraining {
 public:
  GpuTraining() = default;
  GpuTraining(const GpuTraining&) = delete;
  GpuTraining& operator=(const GpuTraining&) = delete;
  virtual ~GpuTraining() = default;

  /// Name of rank 0's GPU, e.g. "NVIDIA H200".
  [[nodiscard]] virtual const std::string& computed_on() const = 0;
  /// Facts about this rank's GPU.
  [[nodiscard]] virtual const BackendFacts& facts() const = 0;
  /// Throws UsageError if this rank's cases need more memory than its GPU has free. `rank`: in the whole job.
  virtual void require_memory(const std::vector<TrainCase>& plan, int rank) const = 0;
  /// Makes this rank's trainee of a case. Collective over `team`. Throws like MakeTrainee.
  [[nodiscard]] virtual std::unique_ptr<Trainee> make(const TrainCase& plan, std::unique_ptr<Group> team) = 0;
};

/// Exported by the module "cudnn" as "busbar_gpu_training".
struct GpuTrainingMaker {
  /// Collective over `group`, the whole job. Assigns a GPU to every rank, its own unless `share`. Throws UsageError,
  /// the same on every rank, if there are too few.
  std::unique_ptr<GpuTraining> (*make)(Group& group, const GpuTrainingSetup& setup) = nullptr;
};

/// Loads the module and creates this rank's trainer. Collective over the group. Throws UsageError that says what is
/// missing.
[[nodiscard]] std::unique_ptr<GpuTraining> make_gpu_training(Group& group, const GpuTrainingSetup& setup);

}  // namespace busbar
