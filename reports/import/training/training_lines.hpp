// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_words.hpp"
#include "core/environment/host.hpp"
#include "reports/import/text_lines.hpp"

/// Logs of training benchmarks, parsed without interpretation; training_log.cpp interprets them.
namespace busbar {

/// "10 images/sec: 350.2 +/- 1.1 (jitter = 2.3) 7.8": one process, mean over its steps so far.
struct StepLine {
  int step = 0;
  double samples_per_s = 0;
  std::optional<double> loss;  ///< at this step
};

enum class TrainingProgram { tf_cnn_benchmarks, horovod, byteps };  ///< byteps prints what horovod prints

constexpr auto words_of(TrainingProgram) {
  return std::to_array<std::string_view>({"tf_cnn_benchmarks", "horovod", "byteps"});
}

/// One benchmark, complete or not.
struct LoggedTraining {
  TrainingProgram program = TrainingProgram::tf_cnn_benchmarks;
  int line = 0;  ///< its first line
  std::optional<std::string> model;
  std::optional<std::string> mode;  ///< "training", "forward-only"
  std::optional<std::string> tensorflow;
  std::optional<std::string> variables;   ///< where weights are kept: horovod, replicated, parameter_server
  std::optional<std::string> all_reduce;  ///< --all_reduce_spec: nccl, hierarchical_copy; "None" for the default
  std::optional<std::string> device;      ///< gpu, cpu
  std::vector<Gpu> gpus;                  ///< that TensorFlow names, each once
  std::optional<int> devices;             ///< listed devices: of all ranks with Horovod, else of one process
  std::optional<int> processors;          ///< "Number of GPUs": ranks
  std::optional<int> batch, global_batch, batches;
  bool of_workers = false;          ///< distributed processes without Horovod
  std::vector<std::string> argv;    ///< if the log contains the command
  std::vector<StepLine> steps;      ///< of all processes, in log order
  std::vector<Rounded> iterations;  ///< "Iter #0: 345.6 img/sec per GPU"
  std::optional<Rounded> per_rank;  ///< "Img/sec per GPU: 345.1 +-3.2": the mean of `iterations`
  std::vector<Rounded> totals;      ///< "total images/sec: 2757.21", "Total img/sec on 4 GPU(s): 1380.4 +-12.8"
  int torn = 0;                     ///< rate lines that cannot be parsed
};

/// True for the script of such a benchmark: "tf_cnn_benchmarks.py".
[[nodiscard]] bool is_training_script(std::string_view word);

/// True for lines that only such a benchmark prints.
[[nodiscard]] bool is_training_line(const LogLine&);

/// True for a model of tf_cnn_benchmarks (models/model_config.py), torchvision.models or keras.applications, where the
/// benchmarks look the name up. Another name is a user's own, or torn.
[[nodiscard]] bool is_known_model(std::string_view lower_case_name);

inline constexpr std::size_t most_trainings = 1000;

/// The benchmarks of a log in order, at most `most_trainings`. Never throws; unknown lines are skipped.
[[nodiscard]] std::vector<LoggedTraining> read_trainings(std::string_view text);

}  // namespace busbar
