// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/job/options.hpp"
#include "workloads/networks/network.hpp"
#include "workloads/networks/optimiser.hpp"
#include "workloads/pipeline/schedule.hpp"
#include "workloads/train/data_parallel.hpp"
#include "workloads/train/plan.hpp"
#include "workloads/train/runner.hpp"

namespace busbar {

/// Parsed command line of busbar-train.
struct TrainOptions {
  Curve curve;
  TrainSettings settings;
  ExchangeSettings exchange;
  const pipeline::ScheduleKind* schedule = nullptr;
  JobOptions job;
  std::string model = "resnet50";
  std::optional<std::string> profile;  ///< name or file
  std::optional<double> tflops;
  Pace pace = Pace::sleep;
  int image = 224, classes = 1000, threads = 1;
  std::uint64_t seed = 1;
  Sgd::Settings rule;
  std::optional<DType> wire;              ///< --compute replay: type of gradients; empty: as the profile says
  DType precision = DType::f32;           ///< compute type of the layers; unused by replay
  NormLibrary norm = NormLibrary::own;    ///< --compute cudnn
  bool graphs = true, share_gpu = false;  ///< --compute cudnn
  bool explain = false;
  std::optional<std::string> write_profile;  ///< file
};

/// Needs no MPI. Throws UsageError with one line that names the flag and what it accepts.
[[nodiscard]] std::variant<TrainOptions, Information> parse_train_options(const std::vector<std::string>& arguments);

}  // namespace busbar
