// SPDX-License-Identifier: Apache-2.0
#include "core/record/training.hpp"

#include "core/record/field.hpp"

namespace busbar {
namespace {

constexpr Field training_fields[] = {
    field<&Training::sample>("sample", "What is counted: image, sequence.").column(56),
    field<&Training::samples_per_s>("samples_per_s", "Of all jobs together.").column(57),
    field<&Training::samples_per_s_interval>("samples_per_s_interval", "Over rounds; null where there are too few.")
        .column(58, "samples_per_s_low", "low")
        .column(59, "samples_per_s_high", "high"),
    field<&Training::scaling>("scaling", "Against the smallest group of the same launch; null: it is that."),
    field<&Training::split>("split", "Where the time of a step goes; null where an import does not tell."),
    field<&Training::wire_bytes>("wire_bytes", "That a rank sends in a step at least; null where not known.")
        .column(73),
    field<&Training::buckets>("buckets", "Reductions of a step; null where not known."),
    field<&Training::loss_first>("loss_first", "Mean over ranks, of the first step; null where nothing is computed.")
        .of_any_sign()
        .column(74),
    field<&Training::loss_last>("loss_last",
                                "Mean over ranks, after the last round; each round begins with the first weights. null "
                                "where nothing is computed, or it is not finite.")
        .of_any_sign()
        .column(75),
    field<&Training::weights_hash>("weights_hash",
                                   "Of the weights (replayed: gradients) after the last round, the same on all ranks "
                                   "of a job; null where ranks have none in common."),
    field<&Training::memory>("memory", "Null where nothing is computed."),
    field<&Training::arithmetic>("arithmetic", "Null where nothing is computed."),
    field<&Training::slow_ranks>("slow_ranks", "Ranks that compute longer than the others, round after round."),
    field<&Training::jobs>("jobs", "Where there are several."),
    field<&Training::pipeline>("pipeline", "Null without stages."),
};
constexpr Part training_part{"training", "What training came to.", training_fields};

constexpr Field training_key_fields[] = {
    field<&TrainingKey::parallel>("parallel", "Data: replicas; pipeline: stages of layers; tensor: layers divided.")
        .column(44),
    field<&TrainingKey::compute>("compute",
                                 "Who computes: onednn, cudnn, replay; imported: the program that trained, or unknown.")
        .column(45),
    field<&TrainingKey::computed_on>("computed_on",
                                     "The device whose times these are: \"cpu\", or what a profile says: "
                                     "\"a100-pcie\"; imported: gpu, cpu, ..., or unknown.")
        .column(46),
    field<&TrainingKey::batch>("batch",
                               "Samples between two updates, of a rank (weak scaling) or of all ranks together "
                               "(strong); null where an import does not tell.")
        .column(47),
    field<&TrainingKey::micro_batches>("micro_batches", "In which a rank computes its batch, one after the other.")
        .column(48),
    field<&TrainingKey::precision>("precision",
                                   "What layers compute in: bf16, fp16; null: fp32 by oneDNN, or as a profile says.")
        .later(),
    field<&TrainingKey::image>("image", "Height and width in pixels; empty: no images, or a profile does not say."),
    field<&TrainingKey::threads>("threads", "That compute, a rank; empty: replayed.").column(49),
    field<&TrainingKey::scaling>("scaling", "Weak: batch a rank is constant; strong: the sum over ranks is; unknown.")
        .column(50),
    field<&TrainingKey::layout>("layout",
                                "Packed: hosts are filled one after the other; spread: in turns; 2x4: a part of the "
                                "job of this shape, nodes x ranks on each; unknown.")
        .column(51),
    field<&TrainingKey::overlap>("overlap",
                                 "Of reductions with backward: none, poll, thread, stream; null: not data parallel. A "
                                 "rank alone reduces nothing, whatever stands here.")
        .column(52),
    field<&TrainingKey::first_bucket_bytes>("first_bucket_bytes",
                                            "At which a bucket of gradients is closed; 0: every gradient."),
    field<&TrainingKey::bucket_bytes>("bucket_bytes", "At which a bucket of gradients is closed; 0: every gradient.")
        .column(53),
    field<&TrainingKey::hierarchical>("hierarchical", "Reduced inside hosts, then between them."),
    field<&TrainingKey::sharded>("sharded", "Each rank updates a share of the weights."),
    field<&TrainingKey::jobs>("jobs", "Trainings side by side, of equally many ranks.").column(54),
    field<&TrainingKey::schedule>("schedule", "Pipeline: gpipe, 1f1b.").column(55),
};
constexpr Part training_key_part{"training_key", "How ranks train: cases that differ here are not the same experiment.",
                                 training_key_fields};

constexpr Field step_split_fields[] = {
    field<&StepSplit::step_s>("step_s", "A step.").column(66),
    field<&StepSplit::forward_s>("forward_s", "Computing, without what is exposed.").column(67),
    field<&StepSplit::backward_s>("backward_s", "Computing, without what is exposed.").column(68),
    field<&StepSplit::exposed_s>("exposed_s",
                                 "The training thread communicates, or waits for that and for other ranks.")
        .column(69),
    field<&StepSplit::optimiser_s>("optimiser_s", "Weights are updated.").column(70),
    field<&StepSplit::other_s>("other_s", "What is left.").column(71),
    field<&StepSplit::hidden_s>("hidden_s", "Communication under way while computing; not part of the sum.").column(72),
};
constexpr Part step_split_part{"step_split",
                               "Where the time of a step goes: means over steps and ranks. They add up to step_s.",
                               step_split_fields};

constexpr Field scaling_fields[] = {
    field<&Scaling::baseline_ranks>("baseline_ranks", "Of the group that it is compared with.").column(60),
    field<&Scaling::baseline_samples_per_s>("baseline_samples_per_s", "Rate of that group.").column(61),
    field<&Scaling::speed_up>("speed_up", "Rate over the baseline's rate.").column(62),
    field<&Scaling::efficiency>("efficiency", "Speedup over the ratio of ranks; 1: ideal.").column(63),
    field<&Scaling::efficiency_interval>("efficiency_interval", "Over rounds, in each of which both were measured.")
        .column(64, "efficiency_low", "low")
        .column(65, "efficiency_high", "high"),
};
constexpr Part scaling_part{"scaling", "Against the smallest group of the same launch.", scaling_fields};

constexpr Field slow_rank_fields[] = {
    field<&SlowRank::rank>("rank", "Of the job that mpirun started."),
    field<&SlowRank::host>("host", "Its host."),
    field<&SlowRank::cpus>("cpus", "CPUs that it may run on; null where not known."),
    field<&SlowRank::compute_s>("compute_s", "Forward and backward of a step, median over rounds."),
    field<&SlowRank::others_compute_s>("others_compute_s", "Median over all ranks."),
};
constexpr Part slow_rank_part{"slow_rank", "A rank that computes longer than the others, round after round.",
                              slow_rank_fields};

constexpr Field training_job_fields[] = {
    field<&TrainingJob::ranks>("ranks", "Of the job that mpirun started."),
    field<&TrainingJob::samples_per_s>("samples_per_s", "Its rate."),
    field<&TrainingJob::samples_per_s_interval>("samples_per_s_interval", "Over rounds; null where there are too few."),
    field<&TrainingJob::slow_down>("slow_down", "Time of a step over that of a job that ran alone; empty: none did."),
};
constexpr Part training_job_part{"training_job", "One of several trainings side by side.", training_job_fields};

constexpr Field memory_fields[] = {
    field<&Memory::peak_bytes>("peak_bytes", "Largest resident set of a rank so far, largest over ranks.").column(76),
    field<&Memory::before_bytes>("before_bytes", "Of that rank, before anything was built: program and libraries."),
    field<&Memory::weights_bytes>("weights_bytes", "Weights."),
    field<&Memory::gradients_bytes>("gradients_bytes", "Gradients."),
    field<&Memory::momenta_bytes>("momenta_bytes", "Momenta."),
    field<&Memory::activations_bytes>("activations_bytes", "Activations that are kept from forward to backward."),
    field<&Memory::needed_bytes>("needed_bytes", "The sum of these four.").column(77),
};
constexpr Part memory_part{"training_memory", "What a rank holds, in bytes.", memory_fields};

constexpr Field arithmetic_fields[] = {
    field<&Arithmetic::flop_per_step>("flop_per_step",
                                      "Of a rank, 2 per multiply-add, convolutions and linear layers."),
    field<&Arithmetic::peak_flop_per_s>(
        "peak_flop_per_s", "Multiply-adds of one rank's threads in the step's precision, measured in the same run."),
    field<&Arithmetic::peak_instructions>("peak_instructions",
                                          "What the peak was measured with; null where it was not."),
    field<&Arithmetic::peaks>("peaks",
                              "A row a type that was measured, that of the step among them; empty where none was, not "
                              "in records before 0.2.0.")
        .later(),
    field<&Arithmetic::reorder_s>("reorder_s", "Of a step, changing layouts; mean over steps and ranks."),
    field<&Arithmetic::layers>("layers", "A row a kind of layer."),
};
constexpr Part arithmetic_part{"arithmetic", "How fast a rank computes.", arithmetic_fields};

constexpr Field layer_cost_fields[] = {
    field<&LayerCost::kind>("kind", "Convolution, norm, ."),
    field<&LayerCost::layers>("layers", "Their number."),
    field<&LayerCost::flop>("flop", "Forward and backward of a rank; 0: not counted for this kind."),
    field<&LayerCost::forward_s>("forward_s", "Forward, in seconds."),
    field<&LayerCost::backward_s>("backward_s", "Backward, in seconds."),
};
constexpr Part layer_cost_part{"layer_cost", "What layers of a kind cost: per step, mean over steps and ranks.",
                               layer_cost_fields};

constexpr Field type_peak_fields[] = {
    field<&TypePeak::type>("type", "Of the factors: fp32, bf16."),
    field<&TypePeak::instructions>("instructions", "The set, e.g. AVX-512."),
    field<&TypePeak::flop_per_s>("flop_per_s", "2 a multiply-add."),
};
constexpr Part type_peak_part{
    "type_peak",
    "What one rank's threads can compute at most in a type, by the fastest set of instructions that was measured.",
    type_peak_fields};

constexpr Field pipeline_fields[] = {
    field<&Pipeline::stages>("stages", "Ranks, each with some of the layers."),
    field<&Pipeline::micro_batches>("micro_batches", "That a batch is divided into."),
    field<&Pipeline::bubble>("bubble", "Share of the ranks' time in which they had nothing to compute.").column(78),
    field<&Pipeline::ideal_bubble>("ideal_bubble", "(p - 1) / (m + p - 1), for stages that take equally long.")
        .column(79),
    field<&Pipeline::stage_compute_s>("stage_compute_s", "A row a stage: forward and backward of all micro-batches."),
    field<&Pipeline::most_in_flight>("most_in_flight",
                                     "Micro-batches whose activations the first stage holds at most."),
    field<&Pipeline::operations>("operations", "Of the last step that was timed."),
};
constexpr Part pipeline_part{"pipeline", "A pipeline's schedule as it ran.", pipeline_fields};

constexpr Field pipeline_operation_fields[] = {
    field<&PipelineOperation::stage>("stage", "From 0."),
    field<&PipelineOperation::pass>("pass", "Which way.").one_of("forward|backward"),
    field<&PipelineOperation::micro_batch>("micro_batch", "From 0."),
    field<&PipelineOperation::start_s>("start_s", "Since the step began.").of_any_sign(),
    field<&PipelineOperation::end_s>("end_s", "Since the step began.").of_any_sign(),
};
constexpr Part pipeline_operation_part{"pipeline_operation", "A micro-batch's way through a stage.",
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
