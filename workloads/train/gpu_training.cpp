// SPDX-License-Identifier: Apache-2.0
#include "workloads/train/gpu_training.hpp"

#include <fmt/core.h>

#include "core/files/module.hpp"

namespace busbar {

std::unique_ptr<GpuTraining> make_gpu_training(Group& group, const GpuTrainingSetup& setup) {
  const GpuTrainingMaker* maker = nullptr;
  const Verdict loaded = agree(group, attempt([&] {
                                 const Module module = Module::open("cudnn");
                                 maker = &module.symbol<GpuTrainingMaker>("busbar_gpu_training");
                               }));
  try {
    if (!loaded.ok()) throw UsageError(loaded.reason);
    return maker->make(group, setup);
  } catch (const UsageError& e) {
    throw UsageError(fmt::format("--compute cudnn: {}", e.what()));
  }
}

}  // namespace busbar
