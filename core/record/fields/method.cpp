// SPDX-License-Identifier: Apache-2.0
#include "core/record/method.hpp"

#include "core/record/fields/member_field.hpp"

namespace busbar {
namespace {

constexpr Field method_fields[] = {
    field<&Method::cadence>(
        "cadence",
        "How iterations follow each other. barrier: a barrier before each iteration. synchronised: each iteration "
        "starts at the same time on all ranks, by synchronised clocks. streaming: back-to-back iterations, with one "
        "wait at the end. cold: caches are flushed before each iteration, ranks start with random delays of up to 100 "
        "us after a barrier, and time counts from the last rank's start; a run that measured cases both ways has the "
        "other cadence here, and cold in the keys of cold cases. blocking: a wait after each iteration, without a "
        "barrier. replay: the calls of a trace, each at once after the one before, timed from the last rank's start; "
        "replay_gaps: the same with the time between calls that the trace has.")
        .one_of("barrier|synchronised|streaming|cold|replay|replay_gaps|blocking|unknown")
        .compared(),
    field<&Method::rank_rule>("rank_rule",
                              "How the ranks' times become the time of one iteration. slowest: the largest; mean: "
                              "their mean; median: their median; fastest: the smallest; rank 0: that of rank 0.")
        .compared()
        .column(21),
    field<&Method::size_rule>(
        "size_rule",
        "Meaning of key.bytes of a case. larger_buffer (also if this key is missing): the larger of a rank's send and "
        "receive buffer; per_rank: the bytes that one rank contributes or receives; unknown: a table did not say.")
        .one_of("larger_buffer|per_rank|unknown")
        .later()
        .compared(),
    field<&Method::statistic>(
        "statistic",
        "Statistic in time_s of a case. median or mean: over its iterations; median_of_rounds: the median over its "
        "rounds of their medians over iterations; median_of_round_means: the median over its rounds of their wall "
        "times divided by iterations. Only imported: min and max over iterations, and unknown.")
        .compared()
        .column(22),
    field<&Method::warmup_iterations>("warmup_iterations",
                                      "Number of calls before the first sample; null if unknown. Each later round has "
                                      "one such call, or none if this is 0.")
        .compared("warmup"),
    field<&Method::iterations>(
        "iterations", "Fixed number of samples of each case; null if a rule decided for each case, or if unknown."),
    field<&Method::aggregated_iterations>("aggregated_iterations",
                                          "Number of calls timed as one iteration; null if unknown, or if each case "
                                          "has its own number: calls_per_sample.")
        .compared("aggregated"),
    field<&Method::check>(
        "check",
        "Which results were compared with the expected ones. every_call: each element after every iteration. "
        "every_call_sampled: after every iteration, each element of a result of up to 4 KiB, or one per 4 KiB of a "
        "larger result; the whole result of the first call of a round and of one other call (a random one; the last "
        "one before 0.2). first_and_last: each element of the first and the last call of a round. some_calls: not "
        "after each call, because calls timed together leave one result. every_round: after each round, all ranks that "
        "train together have the same weights.")
        .one_of("every_call|every_call_sampled|first_and_last|some_calls|every_round|off|unknown"),
    field<&Method::stop>("stop",
                         "Stopping rules of a case; the first that applied ended it. null if the number of samples was "
                         "fixed, or if unknown.")
        .later(),
    field<&Method::buffers>("buffers", "Placement of buffers in memory; null if unknown.").later().compared(),
    field<&Method::clock>(
        "clock",
        "Clock of the samples. host: each rank's own clock, from the call until the host knows that it is complete. "
        "cuda_events: the GPU's clock, between two events around the call in its stream. null if unknown.")
        .one_of("host|cuda_events")
        .later()
        .compared(),
    field<&Method::graph_calls>("graph_calls",
                                "Number of calls launched as one CUDA graph, which form one sample; null if each call "
                                "was launched separately, or if unknown.")
        .at_least(1)
        .later()
        .compared("graph", "no", "yes"),
    field<&Method::work_sms>("work_sms",
                             "Multiprocessors of a GPU that the kernel beside NCCL's calls took (--work-sms); null if "
                             "it took all, or if there was none.")
        .at_least(1)
        .later()
        .compared("work-sms"),
    field<&Method::registered_buffers>("registered_buffers",
                                       "Buffers were registered with the library (ncclCommRegister); null if unknown.")
        .later()
        .compared("registered"),
    field<&Method::nonblocking_calls>("nonblocking_calls",
                                      "NCCL's communicators were non-blocking: a thread of NCCL launched each call, "
                                      "and this launch is part of the call's time. null if unknown.")
        .later()
        .compared("nonblocking"),
    field<&Method::split_communicators>("split_communicators",
                                        "Communicators of groups and pairs were split from that of all ranks by "
                                        "ncclCommSplit, and share its resources (--comm-split). null if unknown.")
        .later()
        .compared("comm_split", "no"),
    field<&Method::gpus_per_process>("gpus_per_process",
                                     "GPUs of each process (--gpus-per-rank): each is a rank of its own. null if "
                                     "unknown, or without GPUs.")
        .at_least(1)
        .later()
        .compared(),
    field<&Method::gpu_launch>("gpu_launch",
                               "Who launches the calls of a process's GPUs (--launch). group: one thread, as one group "
                               "of NCCL, as nccl-tests does with -g. threads: a thread per GPU, as with -t. null if "
                               "each process has one GPU, or if unknown.")
        .one_of("group|threads")
        .later()
        .compared("launch"),
    field<&Method::shared_gpu>("shared_gpu",
                               "Ranks shared a GPU on purpose (--share-gpu): this shows that the calls work, not how "
                               "fast they are. null if unknown.")
        .later()
        .compared("share_gpu", "no"),
    field<&Method::settled>(
        "settled",
        "The ranks of each host were settled, i.e. moved to nearby CPUs (--settle). null or absent if unknown.")
        .later()
        .compared(),
    field<&Method::launch_spread>(
        "launch_spread",
        "Launch-to-launch variation, used for interval_of_launches_s of cases. null or absent if unknown.")
        .later(),
};
constexpr Part method_part{
    "method", "How the numbers were measured. If two runs differ here, their time_s has different meanings.",
    method_fields};

constexpr Field stop_at_fields[] = {
    field<&StopAt::confidence>("confidence", "Confidence of interval_s of the cases, 0 to 1.").above(0).below(1),
    field<&StopAt::relative_half_width>(
        "relative_half_width",
        "converged: maximum half-width of the interval divided by its midpoint. 0.02: plus or minus 2 %."),
    field<&StopAt::least_rounds>("least_rounds", "converged: minimum number of rounds of the case."),
    field<&StopAt::least_span_s>("least_span_s", "converged: minimum time since the case's first round, in seconds."),
    field<&StopAt::case_budget_s>("case_budget_s", "time_budget: maximum wall time of the case's rounds, in seconds."),
    field<&StopAt::run_budget_s>(
        "run_budget_s",
        "run_budget: maximum wall time since the start of sampling in the run, in seconds; null: unlimited."),
    field<&StopAt::most_samples>("most_samples", "max_samples: maximum number of samples of the case."),
};
constexpr Part stop_at_part{"stop",
                            "Stopping rules of a case. The first that applied ended it; ended_by of the case names it.",
                            stop_at_fields};

constexpr Field buffer_place_fields[] = {
    field<&BufferPlace::alignment_bytes>("alignment_bytes", "Alignment."),
    field<&BufferPlace::send_offset_bytes>("send_offset_bytes", "Offset of send buffers."),
    field<&BufferPlace::recv_offset_bytes>("recv_offset_bytes",
                                           "Offset of receive buffers, and of the single buffer of in-place cases."),
};
constexpr Part buffer_place_part{"buffers", "Buffers start at a multiple of an alignment plus an offset, in bytes.",
                                 buffer_place_fields};

constexpr Field launch_spread_fields[] = {
    field<&LaunchSpread::relative>("relative", "Standard deviation of the logarithm of the time: 0.05 is 5 %.")
        .must_be_there(),
    field<&LaunchSpread::launches>("launches",
                                   "Number of earlier launches that it was estimated from, with the same hosts, ranks, "
                                   "MPI library, cadence and settling; 0: assumed.")
        .must_be_there(),
};
constexpr Part launch_spread_part{"launch_spread", "Launch-to-launch variation of a case's time.",
                                  launch_spread_fields};

}  // namespace

const Part& part_of(const Method* /*type*/) { return method_part; }
const Part& part_of(const StopAt* /*type*/) { return stop_at_part; }
const Part& part_of(const BufferPlace* /*type*/) { return buffer_place_part; }
const Part& part_of(const LaunchSpread* /*type*/) { return launch_spread_part; }

}  // namespace busbar
