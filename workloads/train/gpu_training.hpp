// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/backend/backend_facts.hpp"
#include "core/elements/dtype.hpp"
#include "core/ranks/group.hpp"
#include "workloads/networks/network.hpp"
#include "workloads/networks/norm_library.hpp"
#include "workloads/networks/optimiser.hpp"
#include "workloads/reducer/fusion.hpp"
#include "workloads/train/plan.hpp"
#include "workloads/train/trainee.hpp"

/// Training on GPUs, as busbar-train sees it: it links nothing of CUDA and loads the module that does
/// (core/files/module.hpp) when it is asked for.
namespace busbar {

struct GpuTrainingSetup {
  const Network* network = nullptr;  ///< outlives what is made of it
  DType precision = DType::bf16;     ///< that layers compute in: bf16, fp16
  DType wire = DType::f32;           ///< of gradients that travel: fp32, or as `precision`
  NormLibrary norm = NormLibrary::own;
  FusionLimits fusion;
  Sgd::Settings rule;
  std::uint64_t seed = 1;
  bool graphs = true;        ///< a step is launched as one CUDA graph
  bool share = false;        ///< several ranks may have the same GPU
  bool time_layers = false;  ///< each visit of a case also times layers, beside its steps
  double timeout_s = 0;      ///< for each wait on other ranks; 0: none
};

/// This rank's GPU, and what trains on it.
class GpuTraining {
 public:
  GpuTraining() = default;
  GpuTraining(const GpuTraining&) = delete;
  GpuTraining& operator=(const GpuTraining&) = delete;
  virtual ~GpuTraining() = default;

  /// The GPU of rank 0: "NVIDIA H200".
  [[nodiscard]] virtual const std::string& computed_on() const = 0;
  /// Of this rank's GPU.
  [[nodiscard]] virtual const BackendFacts& facts() const = 0;
  /// Throws UsageError where this rank's cases need more memory than its GPU has left. `rank`: of the whole job.
  virtual void require_memory(const std::vector<TrainCase>& plan, int rank) const = 0;
  /// This rank's part in a case. Collective over `team`. Throws as MakeTrainee.
  [[nodiscard]] virtual std::unique_ptr<Trainee> make(const TrainCase& plan, std::unique_ptr<Group> team) = 0;
};

/// What the module "cudnn" exports, as "busbar_gpu_training".
struct GpuTrainingMaker {
  /// Collective over `group`, the whole job, whose every rank gets a GPU of its own. Throws UsageError, the same on
  /// every rank, where there is none for each.
  std::unique_ptr<GpuTraining> (*make)(Group& group, const GpuTrainingSetup& setup) = nullptr;
};

/// Loads the module and makes this rank's. Collective. Throws UsageError that says what is missing.
[[nodiscard]] std::unique_ptr<GpuTraining> make_gpu_training(Group& group, const GpuTrainingSetup& setup);

}  // namespace busbar
