// SPDX-License-Identifier: Apache-2.0
#include "core/record/training.hpp"

#include "core/record/fields/member_field.hpp"

namespace busbar {
namespace {

constexpr Field training_fields[] = {
    field<&Training::sample>("sample", "Unit of counting: image, sequence.").column(56),
    field<&Training::samples_per_s>("samples_per_s", "Rate, summed over all jobs.").column(57),
    field<&Training::samples_per_s_interval>(
        "samples_per_s_interval",
        "Confidence interval of the rate over rounds, in samples/s; null if there are too few rounds.")
        .column(58, "samples_per_s_low", "low")
        .column(59, "samples_per_s_high", "high"),
    field<&Training::scaling>("scaling",
                              "Compared with the smallest group of the same launch; null: this is the smallest group."),
    field<&Training::split>("split", "Breakdown of the step time; null if imported and unknown."),
    field<&Training::wire_bytes>("wire_bytes", "Lower bound of the bytes that a rank sends per step; null if unknown.")
        .column(73),
    field<&Training::buckets>("buckets", "Number of reductions per step; null if unknown."),
    field<&Training::loss_first>("loss_first", "Loss of the first step, mean over ranks; null if nothing is computed.")
        .of_any_sign()
        .column(74),
    field<&Training::loss_last>("loss_last",
                                "Loss after the last round, mean over ranks; each round starts from the initial "
                                "weights. null if nothing is computed, or the loss is not finite.")
        .of_any_sign()
        .column(75),
    field<&Training::weights_hash>("weights_hash",
                                   "Hash of the weights (replay: of the gradients) after the last round, equal on all "
                                   "ranks of a job; null if ranks share none."),
    field<&Training::memory>("memory", "Memory of a rank; null if nothing is computed."),
    field<&Training::arithmetic>("arithmetic", "Compute performance of a rank; null if nothing is computed."),
    field<&Training::slow_ranks>("slow_ranks", "Ranks that compute longer than the others in round after round."),
    field<&Training::jobs>("jobs", "One row per job, if there are several."),
    field<&Training::pipeline>("pipeline", "Schedule of the pipeline; null without stages."),
};
constexpr Part training_part{"training", "Results of training.", training_fields};

constexpr Field training_key_fields[] = {
    field<&TrainingKey::parallel>("parallel", "data: replicas; pipeline: stages of layers; tensor: split layers.")
        .column(44),
    field<&TrainingKey::compute>("compute",
                                 "Compute library: onednn, cudnn, replay; imported: the training program, or unknown.")
        .column(45),
    field<&TrainingKey::computed_on>(
        "computed_on",
        "Device of the compute times: \"cpu\", a GPU, or that of a profile: \"a100-pcie\"; imported: gpu, cpu, ..., or "
        "unknown.")
        .column(46),
    field<&TrainingKey::batch>("batch",
                               "Batch size: samples per update, per rank (weak scaling) or of all ranks together "
                               "(strong scaling); null if imported and unknown.")
        .column(47),
    field<&TrainingKey::micro_batches>("micro_batches",
                                       "Number of micro-batches in a rank's batch, computed one after the other.")
        .column(48),
    field<&TrainingKey::precision>(
        "precision", "Precision of the layers' arithmetic: bf16, fp16; null: fp32 by oneDNN, or as in a profile.")
        .later(),
    field<&TrainingKey::image>("image", "Height and width in pixels; null: no images, or not in the profile."),
    field<&TrainingKey::threads>("threads", "Compute threads per rank; null: replayed.").column(49),
    field<&TrainingKey::scaling>("scaling",
                                 "weak: constant batch size per rank; strong: constant total batch size; unknown.")
        .column(50),
    field<&TrainingKey::layout>("layout",
                                "packed: fills one host after another; spread: round-robin over hosts; 2x4: a part of "
                                "the job with this shape, nodes x ranks per node; unknown.")
        .column(51),
    field<&TrainingKey::overlap>("overlap",
                                 "Overlap of reductions with backward: none, poll, thread, stream; null: not data "
                                 "parallel. A single rank reduces nothing, whatever this says.")
        .column(52),
    field<&TrainingKey::first_bucket_bytes>("first_bucket_bytes",
                                            "Size that closes the first bucket of gradients; 0: every gradient."),
    field<&TrainingKey::bucket_bytes>("bucket_bytes", "Size that closes a bucket of gradients; 0: every gradient.")
        .column(53),
    field<&TrainingKey::hierarchical>("hierarchical", "Gradients are reduced within hosts, then between them."),
    field<&TrainingKey::sharded>("sharded", "Each rank updates a shard of the weights."),
    field<&TrainingKey::jobs>("jobs", "Number of concurrent trainings, with equal numbers of ranks.").column(54),
    field<&TrainingKey::schedule>("schedule", "Schedule of a pipeline: gpipe, 1f1b.").column(55),
};
constexpr Part training_key_part{"training_key", "How ranks train. Cases that differ here are different experiments.",
                                 training_key_fields};

constexpr Field step_split_fields[] = {
    field<&StepSplit::step_s>("step_s", "Step time.").column(66),
    field<&StepSplit::forward_s>("forward_s", "Forward pass: computing, without exposed communication.").column(67),
    field<&StepSplit::backward_s>("backward_s", "Backward pass: computing, without exposed communication.").column(68),
    field<&StepSplit::exposed_s>(
        "exposed_s",
        "Exposed communication: the training thread communicates, or waits for communication or for other ranks.")
        .column(69),
    field<&StepSplit::optimiser_s>("optimiser_s", "Weight updates.").column(70),
    field<&StepSplit::other_s>("other_s", "The rest.").column(71),
    field<&StepSplit::hidden_s>("hidden_s", "Communication overlapped with compute; not part of the sum.").column(72),
    field<&StepSplit::slowest_compute_s>(
        "slowest_compute_s",
        "Forward and backward time of the slowest rank in each step, mean over steps; not part of the sum. The excess "
        "over the mean rank's is what ranks wait for slower ones. null or missing: unknown.")
        .later(),
};
constexpr Part step_split_part{
    "step_split", "Breakdown of the step time: means over steps and ranks, which add up to step_s.", step_split_fields};

constexpr Field scaling_fields[] = {
    field<&Scaling::baseline_ranks>("baseline_ranks", "Number of ranks of the baseline, the smallest group.")
        .column(60),
    field<&Scaling::baseline_samples_per_s>("baseline_samples_per_s", "Rate of the baseline.").column(61),
    field<&Scaling::speed_up>("speed_up", "Rate divided by the baseline's rate.").column(62),
    field<&Scaling::efficiency>("efficiency", "Speedup divided by the ratio of ranks; 1 is ideal.").column(63),
    field<&Scaling::efficiency_interval>(
        "efficiency_interval", "Confidence interval of the efficiency over rounds, each of which measured both groups.")
        .column(64, "efficiency_low", "low")
        .column(65, "efficiency_high", "high"),
};
constexpr Part scaling_part{"scaling", "Compared with the smallest group of the same launch.", scaling_fields};

constexpr Field slow_rank_fields[] = {
    field<&SlowRank::rank>("rank", "Rank in the job that mpirun started."),
    field<&SlowRank::host>("host", "Its host."),
    field<&SlowRank::cpus>("cpus", "CPUs that it may use; null if unknown."),
    field<&SlowRank::compute_s>("compute_s", "Its forward and backward time per step, median over rounds."),
    field<&SlowRank::others_compute_s>(
        "others_compute_s", "Forward and backward time per step of all ranks: their median, median over rounds."),
};
constexpr Part slow_rank_part{"slow_rank", "A rank that computes longer than the others in round after round.",
                              slow_rank_fields};

constexpr Field training_job_fields[] = {
    field<&TrainingJob::ranks>("ranks", "Its ranks, numbered as in the job that mpirun started."),
    field<&TrainingJob::samples_per_s>("samples_per_s", "Its rate."),
    field<&TrainingJob::samples_per_s_interval>(
        "samples_per_s_interval",
        "Confidence interval of its rate over rounds, in samples/s; null if there are too few rounds."),
    field<&TrainingJob::slow_down>("slow_down", "Step time divided by that of a job that ran alone; null if none did."),
};
constexpr Part training_job_part{"training_job", "One of several concurrent trainings.", training_job_fields};

constexpr Field memory_fields[] = {
    field<&Memory::peak_bytes>("peak_bytes",
                               "Peak resident set of a rank so far, maximum over ranks; cudnn: GPU memory in use.")
        .column(76),
    field<&Memory::before_bytes>("before_bytes",
                                 "The same of that rank before anything was built: program and libraries."),
    field<&Memory::weights_bytes>("weights_bytes", "Weights."),
    field<&Memory::gradients_bytes>("gradients_bytes", "Gradients."),
    field<&Memory::momenta_bytes>("momenta_bytes", "Momentum buffers of the optimiser."),
    field<&Memory::activations_bytes>("activations_bytes", "Activations stored from forward to backward."),
    field<&Memory::needed_bytes>("needed_bytes", "Sum of these four.").column(77),
};
constexpr Part memory_part{"training_memory", "Memory of a rank, in bytes.", memory_fields};

constexpr Field arithmetic_fields[] = {
    field<&Arithmetic::flop_per_step>(
        "flop_per_step", "Operations of a rank per step in convolutions and linear layers, 2 per multiply-add."),
    field<&Arithmetic::peak_flop_per_s>(
        "peak_flop_per_s",
        "Peak multiply-add rate of one rank's threads in the step's precision, measured in the same run."),
    field<&Arithmetic::peak_instructions>("peak_instructions",
                                          "Instruction set of the measured peak; null if it was not measured."),
    field<&Arithmetic::peaks>("peaks",
                              "Peaks of all measured types, including the step's, one row per type; empty if none was "
                              "measured, missing in records before 0.2.0.")
        .later(),
    field<&Arithmetic::reorder_s>("reorder_s", "Layout changes per step; mean over steps and ranks."),
    field<&Arithmetic::layers>("layers", "Cost of layers, one row per kind of layer."),
};
constexpr Part arithmetic_part{"arithmetic", "Compute performance of a rank.", arithmetic_fields};

constexpr Field layer_cost_fields[] = {
    field<&LayerCost::kind>("kind", "Kind of layer: convolution, batch norm, ..."),
    field<&LayerCost::layers>("layers", "Number of layers of this kind."),
    field<&LayerCost::flop>("flop", "Operations of forward and backward per rank; 0: not counted for this kind."),
    field<&LayerCost::forward_s>("forward_s", "Forward time, in seconds."),
    field<&LayerCost::backward_s>("backward_s", "Backward time, in seconds."),
};
constexpr Part layer_cost_part{"layer_cost", "Cost of all layers of one kind per step, mean over steps and ranks.",
                               layer_cost_fields};

constexpr Field type_peak_fields[] = {
    field<&TypePeak::type>("type", "Type of the factors: fp32, bf16."),
    field<&TypePeak::instructions>("instructions", "Instruction set, e.g. AVX-512."),
    field<&TypePeak::flop_per_s>("flop_per_s", "Peak rate, 2 per multiply-add."),
};
constexpr Part type_peak_part{"type_peak",
                              "Peak of one rank's threads in one type, with the fastest measured instruction set.",
                              type_peak_fields};

constexpr Field pipeline_fields[] = {
    field<&Pipeline::stages>("stages", "Number of stages: ranks with a part of the layers each."),
    field<&Pipeline::micro_batches>("micro_batches", "Number of micro-batches per batch."),
    field<&Pipeline::bubble>(
        "bubble",
        "Idle fraction of the ranks' time in all timed steps, without the update: median over rounds. "
        "Records without `bubble_interval` (early 0.2.0): of the last step.")
        .column(78),
    field<&Pipeline::bubble_interval>(
        "bubble_interval", "Confidence interval of the bubble over rounds; null if there are too few rounds.")
        .later(),
    field<&Pipeline::ideal_bubble>("ideal_bubble",
                                   "(p - 1) / (m + p - 1), for p stages of equal duration and m micro-batches.")
        .column(79),
    field<&Pipeline::stage_compute_s>("stage_compute_s",
                                      "Forward and backward time of all micro-batches per step, one value per stage: "
                                      "median over rounds."),
    field<&Pipeline::most_in_flight>(
        "most_in_flight", "Maximum number of micro-batches whose activations the first stage stores at once."),
    field<&Pipeline::operations>("operations", "Operations of the last timed step."),
};
constexpr Part pipeline_part{"pipeline", "Schedule of a pipeline, as it ran.", pipeline_fields};

constexpr Field pipeline_operation_fields[] = {
    field<&PipelineOperation::stage>("stage", "Stage, from 0."),
    field<&PipelineOperation::pass>("pass", "Direction.").one_of("forward|backward"),
    field<&PipelineOperation::micro_batch>("micro_batch", "Micro-batch, from 0."),
    field<&PipelineOperation::start_s>("start_s", "Start, since the start of the step.").of_any_sign(),
    field<&PipelineOperation::end_s>("end_s", "End, since the start of the step.").of_any_sign(),
};
constexpr Part pipeline_operation_part{"pipeline_operation", "Pass of one micro-batch through one stage.",
                                       pipeline_operation_fields};

}  // namespace

const Part& part_of(const Training* /*type*/) { return training_part; }
const Part& part_of(const TrainingKey* /*type*/) { return training_key_part; }
const Part& part_of(const StepSplit* /*type*/) { return step_split_part; }
const Part& part_of(const Scaling* /*type*/) { return scaling_part; }
const Part& part_of(const SlowRank* /*type*/) { return slow_rank_part; }
const Part& part_of(const TrainingJob* /*type*/) { return training_job_part; }
const Part& part_of(const Memory* /*type*/) { return memory_part; }
const Part& part_of(const Arithmetic* /*type*/) { return arithmetic_part; }
const Part& part_of(const LayerCost* /*type*/) { return layer_cost_part; }
const Part& part_of(const TypePeak* /*type*/) { return type_peak_part; }
const Part& part_of(const Pipeline* /*type*/) { return pipeline_part; }
const Part& part_of(const PipelineOperation* /*type*/) { return pipeline_operation_part; }

}  // namespace busbar
