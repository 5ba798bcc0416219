// SPDX-License-Identifier: Apache-2.0
#include "workloads/train/gpu_training.hpp"

#include <fmt/core.h>

#include "core/module.hpp"

namespace busbar {

std::unique_ptr<GpuTraining> make_gpu_training(Group& group, const GpuTrainingSetup& setup) {
  const GpuTrainingMaker* maker = nullptr;
  const Verdict loaded =
      agree(group, attempt([&] { maker = &Module::open("cudnn").symbol<GpuTrainingMaker>("busbar_gpu_training"); }));
  if (!loaded.ok()) throw UsageError(fmt::format("--compute cudnn: {}", loaded.reason));
  return maker->make(group, setup);
}

}  // namespace busbar
