// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/statistics/interval.hpp"

/// What a case of kind "training" has beside the others: busbar-train writes it, reports read it. Of its key,
/// `collective` is the model, `type` the element type of what is reduced, `bytes` what a rank reduces in a step,
/// and `ranks` all ranks of all jobs.
namespace busbar {

/// How ranks train: cases that differ here are not the same experiment.
struct TrainingKey {
  std::string parallel = "data";  ///< data: replicas; pipeline: stages of layers; tensor: layers divided
  std::string compute;            ///< who computes: onednn, cudnn, replay; imported: the program, or unknown
  std::string computed_on;   ///< the device whose times these are: "cpu", or what a profile says: "a100-pcie"; unknown
  std::optional<int> batch;  ///< samples between two updates, of a rank (weak scaling) or of all ranks together
                             ///< (strong); empty: not known
  int micro_batches = 1;     ///< in which a rank computes its batch, one after the other
  std::optional<std::string> precision;  ///< that layers compute in: bf16, fp16; empty: fp32 by oneDNN, or as a profile
                                         ///< says
  std::optional<int> image;              ///< height and width in pixels; empty: no images, or a profile does not say
  std::optional<int> threads;            ///< that compute, a rank; empty: replayed
  std::string scaling = "weak";          ///< weak: batch a rank is constant; strong: the sum over ranks is; unknown
  std::string layout = "packed";         ///< packed: hosts are filled one after the other; spread: in turns; unknown
  std::optional<std::string>
      overlap;  ///< of reductions with backward: none, poll, thread, stream; empty: not data parallel
  std::uint64_t first_bucket_bytes = 0,
                bucket_bytes = 0;       ///< at which a bucket of gradients is closed; 0: every gradient
  bool hierarchical = false;            ///< reduced inside hosts, then between them
  bool sharded = false;                 ///< each rank updates a share of the weights
  int jobs = 1;                         ///< trainings side by side, of equally many ranks
  std::optional<std::string> schedule;  ///< pipeline: gpipe, 1f1b

  friend auto operator<=>(const TrainingKey&, const TrainingKey&) = default;
};

/// "onednn/cpu/batch:8/image:224/...": what to_string(CaseKey) says of it.
[[nodiscard]] std::string to_string(const TrainingKey&);

/// Between two updates, of all jobs together on so many ranks; empty: the batch or the scaling is not known.
[[nodiscard]] std::optional<double> samples_per_step(const TrainingKey& key, int ranks);

/// Where the time of a step goes: means over steps and ranks. They add up to step_s.
struct StepSplit {
  double step_s = 0;
  double forward_s = 0, backward_s = 0;  ///< computing, without what is exposed
  double exposed_s = 0;                  ///< the training thread communicates, or waits for that and for other ranks
  double optimiser_s = 0;                ///< weights are updated
  double other_s = 0;                    ///< what is left
  double hidden_s = 0;                   ///< communication under way while computing; not part of the sum
};

/// Against the smallest group of the same launch.
struct Scaling {
  int baseline_ranks = 0;
  double baseline_samples_per_s = 0;
  double speed_up = 0;                          ///< rate over the baseline's rate
  double efficiency = 0;                        ///< speedup over the ratio of ranks; 1: ideal
  std::optional<Interval> efficiency_interval;  ///< over rounds, in each of which both were measured
};

/// A rank that computes longer than the others, round after round.
struct SlowRank {
  int rank = 0;  ///< of the job that mpirun started
  std::string host;
  std::optional<std::string> cpus;
  double compute_s = 0;         ///< forward and backward of a step, median over rounds
  double others_compute_s = 0;  ///< median over all ranks
};

/// One of several trainings side by side.
struct TrainingJob {
  std::vector<int> ranks;  ///< of the job that mpirun started
  double samples_per_s = 0;
  std::optional<Interval> samples_per_s_interval;
  std::optional<double> slow_down;  ///< time of a step over that of a job that ran alone; empty: none did
};

/// What a rank holds, in bytes.
struct Memory {
  std::uint64_t peak_bytes = 0;    ///< largest resident set of a rank so far, largest over ranks
  std::uint64_t before_bytes = 0;  ///< of that rank, before anything was built: program and libraries
  std::uint64_t weights_bytes = 0, gradients_bytes = 0, momenta_bytes = 0, activations_bytes = 0;
  std::uint64_t needed_bytes = 0;  ///< the sum of these four
};

/// What layers of a kind cost: per step, mean over steps and ranks.
struct LayerCost {
  std::string kind;  ///< convolution, norm, ...
  int layers = 0;
  double flop = 0;  ///< forward and backward of a rank; 0: not counted for this kind
  double forward_s = 0, backward_s = 0;
};

/// What one rank's threads can compute at most in a type, by the fastest set of instructions that was measured.
struct TypePeak {
  std::string type;          ///< of the factors: fp32, bf16
  std::string instructions;  ///< "AVX-512"
  double flop_per_s = 0;     ///< 2 a multiply-add
};

/// How fast a rank computes.
struct Arithmetic {
  double flop_per_step = 0;               ///< of a rank, 2 per multiply-add, convolutions and linear layers
  std::optional<double> peak_flop_per_s;  ///< multiply-adds of one rank's threads in the step's precision, measured in
                                          ///< the same run
  std::optional<std::string> peak_instructions;
  std::vector<TypePeak> peaks;  ///< of every type that was measured, that of the step among them
  double reorder_s = 0;         ///< of a step, changing layouts; mean over steps and ranks
  std::vector<LayerCost> layers;
};

/// A micro-batch's way through a stage.
struct PipelineOperation {
  int stage = 0;
  std::string pass;               ///< forward, backward
  int micro_batch = 0;            ///< from 0
  double start_s = 0, end_s = 0;  ///< since the step began
};

/// A pipeline's schedule as it ran.
struct Pipeline {
  int stages = 0, micro_batches = 0;
  double bubble = 0;                          ///< share of the ranks' time in which they had nothing to compute
  double ideal_bubble = 0;                    ///< (p - 1) / (m + p - 1), for stages that take equally long
  std::vector<double> stage_compute_s;        ///< a row a stage: forward and backward of all micro-batches
  int most_in_flight = 0;                     ///< micro-batches whose activations the first stage holds at most
  std::vector<PipelineOperation> operations;  ///< of the last step that was timed
};

/// What training came to.
struct Training {
  std::string sample = "image";  ///< what is counted: image, sequence
  double samples_per_s = 0;      ///< of all jobs together
  std::optional<Interval> samples_per_s_interval;
  std::optional<Scaling> scaling;               ///< empty: nothing smaller was measured
  std::optional<StepSplit> split;               ///< empty: imported, and not known
  std::optional<std::uint64_t> wire_bytes;      ///< that a rank sends in a step at least; empty: not known
  std::optional<int> buckets;                   ///< reductions of a step; empty: not known
  std::optional<double> loss_first, loss_last;  ///< mean over ranks, of the first and the last step of this case
  std::optional<std::string> weights_hash;      ///< the same on all ranks of a job; empty: they have none in common
  std::optional<Memory> memory;
  std::optional<Arithmetic> arithmetic;
  std::vector<SlowRank> slow_ranks;
  std::vector<TrainingJob> jobs;  ///< where there are several
  std::optional<Pipeline> pipeline;
};

}  // namespace busbar
