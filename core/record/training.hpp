// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/statistics/interval.hpp"

/// Data of cases of kind "training", written by busbar-train and read by reports. In their key, `collective` is the
/// model, `type` the element type of reductions, `bytes` the bytes that a rank reduces per step, and `ranks` all ranks
/// of all jobs.
namespace busbar {

/// busbar-train's words in a TrainingKey. Importers and later versions may write others.
inline constexpr auto by_data = "data", by_pipeline = "pipeline", by_tensor = "tensor";       // parallel
inline constexpr auto on_onednn = "onednn", on_cudnn = "cudnn", replayed_compute = "replay";  // compute
inline constexpr auto weak_scaling = "weak", strong_scaling = "strong";

/// How ranks train. Cases that differ here are different experiments.
struct TrainingKey {
  std::string parallel = by_data;  ///< data: replicas; pipeline: stages of layers; tensor: split layers
  std::string compute;             ///< onednn, cudnn, replay; imported: the program, or unknown
  std::string computed_on;         ///< device of the times: "cpu", or from a profile: "a100-pcie"; unknown
  std::optional<int> batch;  ///< samples per update, per rank (weak scaling) or of all ranks (strong); empty: unknown
  int micro_batches = 1;     ///< number of micro-batches in a rank's batch
  std::optional<std::string> precision;  ///< of the layers' arithmetic: bf16, fp16; empty: fp32 by oneDNN, or as in a
                                         ///< profile
  std::optional<int> image;              ///< height and width in pixels; empty: no images, or not in the profile
  std::optional<int> threads;            ///< compute threads per rank; empty: replayed
  std::string scaling = weak_scaling;    ///< weak: constant batch size per rank; strong: constant total batch size;
                                         ///< unknown
  std::string layout = "packed";         ///< packed: fills one host after another; spread: round-robin over hosts;
                                         ///< unknown
  std::optional<std::string>
      overlap;  ///< of reductions with backward: none, poll, thread, stream; empty: not data parallel
  std::uint64_t first_bucket_bytes = 0,
                bucket_bytes = 0;       ///< sizes that close a bucket of gradients; 0: every gradient
  bool hierarchical = false;            ///< reduces within hosts, then between them
  bool sharded = false;                 ///< each rank updates a shard of the weights
  int jobs = 1;                         ///< concurrent trainings with equal numbers of ranks
  std::optional<std::string> schedule;  ///< pipeline: gpipe, 1f1b

  friend auto operator<=>(const TrainingKey&, const TrainingKey&) = default;
};

/// "onednn/cpu/batch:8/image:224/...": its part of to_string(CaseKey).
[[nodiscard]] std::string to_string(const TrainingKey&);

/// Samples per update, summed over all jobs on `ranks` ranks; empty if batch or scaling is unknown.
[[nodiscard]] std::optional<double> samples_per_step(const TrainingKey& key, int ranks);

/// Breakdown of the step time: means over steps and ranks. The parts up to other_s add up to step_s.
struct StepSplit {
  double step_s = 0;
  double forward_s = 0, backward_s = 0;  ///< computing, without exposed time
  double exposed_s = 0;                  ///< the training thread communicates, or waits for communication or other
                                         ///< ranks
  double optimiser_s = 0;                ///< weight updates
  double other_s = 0;                    ///< the rest
  double hidden_s = 0;                   ///< communication overlapped with compute; not part of the sum
  /// Computing, forward and backward, of the slowest rank in each step: mean over steps, and over jobs if there are
  /// several. Its excess over forward_s + backward_s is what a mean rank waits for slower ones. Empty: unknown.
  std::optional<double> slowest_compute_s = {};
};

/// Compared with the smallest group of the same launch.
struct Scaling {
  int baseline_ranks = 0;
  double baseline_samples_per_s = 0;
  double speed_up = 0;                          ///< rate divided by the baseline's rate
  double efficiency = 0;                        ///< speedup divided by the ratio of ranks; 1 is ideal
  std::optional<Interval> efficiency_interval;  ///< over rounds, each of which measured both
};

/// A rank that computes longer than the others in round after round.
struct SlowRank {
  int rank = 0;  ///< rank in the job that mpirun started
  std::string host;
  std::optional<std::string> cpus;
  double compute_s = 0;         ///< forward and backward per step, median over rounds
  double others_compute_s = 0;  ///< median over all ranks
};

/// One of several concurrent trainings.
struct TrainingJob {
  std::vector<int> ranks;  ///< ranks in the job that mpirun started
  double samples_per_s = 0;
  std::optional<Interval> samples_per_s_interval;
  std::optional<double> slow_down;  ///< step time divided by that of a job that ran alone; empty if none did
};

/// Memory of a rank, in bytes.
struct Memory {
  std::uint64_t peak_bytes = 0;    ///< largest resident set so far, maximum over ranks
  std::uint64_t before_bytes = 0;  ///< of that rank before it built anything: program and libraries
  std::uint64_t weights_bytes = 0, gradients_bytes = 0, momenta_bytes = 0, activations_bytes = 0;
  std::uint64_t needed_bytes = 0;  ///< sum of these four
};

/// Cost of all layers of one kind per step, mean over steps and ranks.
struct LayerCost {
  std::string kind;  ///< convolution, norm, ...
  int layers = 0;
  double flop = 0;  ///< forward and backward per rank; 0: not counted for this kind
  double forward_s = 0, backward_s = 0;
};

/// Peak of one rank's threads in a type, with the fastest measured instruction set.
struct TypePeak {
  std::string type;          ///< type of the factors: fp32, bf16
  std::string instructions;  ///< "AVX-512"
  double flop_per_s = 0;     ///< a multiply-add counts as 2
};

/// Compute performance of a rank.
struct Arithmetic {
  double flop_per_step = 0;               ///< per rank, 2 per multiply-add, in convolutions and linear layers
  std::optional<double> peak_flop_per_s;  ///< peak of one rank's threads in the step's precision, measured in the same
                                          ///< run
  std::optional<std::string> peak_instructions;
  std::vector<TypePeak> peaks;  ///< of every measured type, including the step's
  double reorder_s = 0;         ///< layout changes per step; mean over steps and ranks
  std::vector<LayerCost> layers;
};

/// A pass of one micro-batch through a stage.
struct PipelineOperation {
  int stage = 0;
  std::string pass;               ///< forward, backward
  int micro_batch = 0;            ///< from 0
  double start_s = 0, end_s = 0;  ///< since the start of the step
};

/// A pipeline's schedule, as it ran.
struct Pipeline {
  int stages = 0, micro_batches = 0;
  double bubble = 0;  ///< idle fraction of the ranks' time, without the update: median over rounds of all timed steps
  std::optional<Interval> bubble_interval;    ///< over rounds
  double ideal_bubble = 0;                    ///< (p - 1) / (m + p - 1), for stages of equal duration
  std::vector<double> stage_compute_s;        ///< one per stage, per step: forward and backward of all micro-batches
  int most_in_flight = 0;                     ///< maximum number of micro-batches whose activations the first stage
                                              ///< stores
  std::vector<PipelineOperation> operations;  ///< of the last timed step
};

/// Results of training.
struct Training {
  std::string sample = "image";  ///< unit of counting: image, sequence
  double samples_per_s = 0;      ///< sum over all jobs
  std::optional<Interval> samples_per_s_interval;
  std::optional<Scaling> scaling;               ///< empty if no smaller group was measured
  std::optional<StepSplit> split;               ///< empty if imported and unknown
  std::optional<std::uint64_t> wire_bytes;      ///< minimum that a rank sends per step; empty: unknown
  std::optional<int> buckets;                   ///< reductions per step; empty: unknown
  std::optional<double> loss_first, loss_last;  ///< mean over ranks: of the first step, and after the last round
  std::optional<std::string> weights_hash;      ///< equal on all ranks of a job; empty if they share no weights
  std::optional<Memory> memory;
  std::optional<Arithmetic> arithmetic;
  std::vector<SlowRank> slow_ranks;
  std::vector<TrainingJob> jobs;  ///< if there are several
  std::optional<Pipeline> pipeline;
};

}  // namespace busbar
