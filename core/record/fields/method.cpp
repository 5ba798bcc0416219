// SPDX-License-Identifier: Apache-2.0
#include "core/record/method.hpp"

#include "core/record/field.hpp"

namespace busbar {
namespace {

constexpr Field method_fields[] = {
    field<&Method::cadence>(
        "cadence",
        "How iterations follow each other. barrier: a barrier before each iteration. synchronised: each iteration "
        "starts on all ranks at one time of their synchronised clocks. streaming: iterations back to back, waited for "
        "at the end. cold: caches are emptied before each iteration, ranks start at random up to 100 us behind a "
        "barrier, and time counts from the last rank's start; a run that measured cases both ways has the other "
        "cadence here, and cold in the keys of cold cases. blocking: each iteration waited for on its own, without a "
        "barrier.")
        .one_of("barrier|synchronised|streaming|cold|blocking|unknown")
        .compared(),
    field<&Method::rank_rule>("rank_rule",
                              "What one iteration's time is, over ranks. slowest: the largest; mean: their mean; "
                              "median: their median; fastest: the smallest; rank 0: that of rank 0.")
        .one_of("slowest|mean|median|fastest|rank 0|unknown")
        .compared()
        .column(21),
    field<&Method::size_rule>(
        "size_rule",
        "What key.bytes of a case are. larger_buffer (also where this is missing): the larger of a rank's send and "
        "receive buffer; per_rank: what one rank gives or gets; unknown: a table did not say.")
        .one_of("larger_buffer|per_rank|unknown")
        .later()
        .compared(),
    field<&Method::statistic>(
        "statistic",
        "What time_s of a case is: median or mean over its iterations; median_of_rounds: the median over its rounds of "
        "their medians over iterations; median_of_round_means: of their wall times over iterations. Imported also min "
        "and max over iterations, and unknown.")
        .one_of("median|mean|median_of_rounds|median_of_round_means|min|max|unknown")
        .compared()
        .column(22),
    field<&Method::warmup_iterations>(
        "warmup_iterations",
        "Calls before the first sample; null where not known. A later round has one, or none where this is 0.")
        .compared("warmup"),
    field<&Method::iterations>("iterations",
                               "Samples of each case where that number was fixed; null where a rule decided for each "
                               "case, or it is not known."),
    field<&Method::aggregated_iterations>("aggregated_iterations",
                                          "Calls that were timed as one iteration; null where not known, or where each "
                                          "case has its own number: calls_per_sample.")
        .compared("aggregated"),
    field<&Method::check>(
        "check",
        "Which results were compared with what they must be. every_call: each element after every iteration. "
        "every_call_sampled: after every iteration each element of a result of 4 KiB or less, and one in 4 KiB of a "
        "larger one; all of it at the first call of a round and at one more (at random; the last, before 0.2). "
        "first_and_last: each element of the first call and of the last of a round. some_calls: not after each, as "
        "calls timed together leave one result. every_round: that all ranks that train together hold the same weights, "
        "after each round.")
        .one_of("every_call|every_call_sampled|first_and_last|some_calls|every_round|off|unknown"),
    field<&Method::stop>("stop",
                         "What ended the sampling of a case: the first of these rules that held. null where the number "
                         "was fixed or it is not known.")
        .later(),
    field<&Method::buffers>("buffers", "Where buffers lay in memory; null where not known.").later().compared(),
    field<&Method::clock>(
        "clock",
        "What samples are read from. host: each rank's own clock, from the call until it is known to be complete. "
        "cuda_events: the GPU's, between two events around the call in its stream. null where not known.")
        .one_of("host|cuda_events")
        .later()
        .compared(),
    field<&Method::graph_calls>("graph_calls",
                                "Calls that were launched as one CUDA graph, and make one sample; null where each was "
                                "launched singly, or it is not known.")
        .at_least(1)
        .later()
        .compared("graph", "no", "yes"),
    field<&Method::registered_buffers>(
        "registered_buffers", "Buffers were registered with the library (ncclCommRegister); null where not known.")
        .later()
        .compared("registered"),
    field<&Method::nonblocking_calls>("nonblocking_calls",
                                      "NCCL's communicators were non-blocking: each call was launched by a thread of "
                                      "NCCL's own, which is part of its time. null where not known.")
        .later()
        .compared("nonblocking"),
    field<&Method::split_communicators>("split_communicators",
                                        "Communicators of groups and pairs were made by ncclCommSplit from that of all "
                                        "ranks, sharing its resources (--comm-split). null where not known.")
        .later()
        .compared("comm_split", "no"),
    field<&Method::shared_gpu>("shared_gpu",
                               "Ranks shared a GPU on purpose (--share-gpu): that the calls work was seen, how fast "
                               "they are was not. null where not known.")
        .later()
        .compared("share_gpu", "no"),
    field<&Method::settled>(
        "settled", "The ranks of each host were brought near each other (--settle). null or absent where not known.")
        .later()
        .compared(),
    field<&Method::launch_spread>(
        "launch_spread",
        "How far launches differ: what interval_of_launches_s of the cases goes by. null or absent where not known.")
        .later(),
};
constexpr Part method_part{
    "method", "How the numbers were taken. Two runs that differ here do not mean the same by time_s.", method_fields};

constexpr Field stop_at_fields[] = {
    field<&StopAt::confidence>("confidence", "Of interval_s of the cases, 0 to 1.").above(0).below(1),
    field<&StopAt::relative_half_width>(
        "relative_half_width",
        "converged: half of the interval's width over its middle was this or less. 0.02: plus or minus 2 %."),
    field<&StopAt::least_rounds>("least_rounds", "converged: not before this many rounds of the case."),
    field<&StopAt::least_span_s>("least_span_s",
                                 "converged: not before this many seconds since the case's first round."),
    field<&StopAt::case_budget_s>("case_budget_s", "time_budget: wall time spent in the case's rounds, in seconds."),
    field<&StopAt::run_budget_s>("run_budget_s",
                                 "run_budget: wall time since the sampling of the run began, in seconds; null: none."),
    field<&StopAt::most_samples>("most_samples", "max_samples: samples of the case."),
};
constexpr Part stop_at_part{
    "stop", "The rules that ended the sampling of a case; the first that held did, and ended_by of the case names it.",
    stop_at_fields};

constexpr Field buffer_place_fields[] = {
    field<&BufferPlace::alignment_bytes>("alignment_bytes", "The alignment."),
    field<&BufferPlace::send_offset_bytes>("send_offset_bytes", "Of send buffers."),
    field<&BufferPlace::recv_offset_bytes>("recv_offset_bytes",
                                           "Of receive buffers, and of the one buffer of cases in place."),
};
constexpr Part buffer_place_part{"buffers", "Buffers began at a multiple of an alignment plus an offset, in bytes.",
                                 buffer_place_fields};

constexpr Field launch_spread_fields[] = {
    field<&LaunchSpread::relative>("relative", "Standard deviation of its logarithm: 0.05 is 5 %.").must_be_there(),
    field<&LaunchSpread::launches>("launches",
                                   "Earlier launches of the same hosts, ranks, MPI library, cadence and settling that "
                                   "it was estimated from; 0: it is assumed.")
        .must_be_there(),
};
constexpr Part launch_spread_part{"launch_spread", "Spread between launches of a case's time.", launch_spread_fields};

}  // namespace

const Part& part_of(const Method* /*type*/) { return method_part; }
const Part& part_of(const StopAt* /*type*/) { return stop_at_part; }
const Part& part_of(const BufferPlace* /*type*/) { return buffer_place_part; }
const Part& part_of(const LaunchSpread* /*type*/) { return launch_spread_part; }

}  // namespace busbar
