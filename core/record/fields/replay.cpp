// SPDX-License-Identifier: Apache-2.0
#include "core/record/calls/replay.hpp"

#include "core/record/fields/member_field.hpp"

namespace busbar {
namespace {

constexpr Field replay_fields[] = {
    field<&Replay::format>("format", "PARAM comms trace, PyTorch execution trace, Kineto trace.")
        .must_be_there()
        .holds(Privacy::own_words),
    field<&Replay::files>("files", "Number of files. 1: one rank's trace stands for all ranks.").must_be_there(),
    field<&Replay::trace_ranks>("trace_ranks", "Ranks of the job that was recorded; null if the trace does not say.")
        .at_least(1),
    field<&Replay::gaps>("gaps",
                         "true: ranks wait between calls as long as the recorded job did. false: calls follow each "
                         "other at once.")
        .must_be_there(),
    field<&Replay::calls>("calls", "Calls in a pass, of the rank with the most.").must_be_there(),
    field<&Replay::left_out_calls>("left_out_calls", "Calls of the trace that were not replayed; left_out says why.")
        .must_be_there(),
    field<&Replay::trace_s>("trace_s",
                            "Sum of the durations of these calls in the trace, in seconds, of the rank with the most; "
                            "null if the trace lacks one of them."),
    field<&Replay::trace_span_s>("trace_span_s",
                                 "Time in the trace from the first replayed call to the end of the last, in seconds, "
                                 "with everything between them; null if the trace does not say."),
    field<&Replay::ratio>("ratio", "time_s divided by trace_s; with gaps, by trace_span_s. null without these."),
    field<&Replay::replayed>("replayed", "Calls by collective and group."),
    field<&Replay::left_out>("left_out", "Calls that were not replayed, by collective, group and reason."),
};
constexpr Part replay_part{"replay", "A replay of the communication of another job. Counts are those of one pass.",
                           replay_fields};

constexpr Field replayed_calls_fields[] = {
    field<&ReplayedCalls::collective>("collective", "Collective.").must_be_there().holds(Privacy::own_words),
    field<&ReplayedCalls::group>("group", "key.group of their cases.").must_be_there(),
    field<&ReplayedCalls::ranks>("ranks", "Ranks of one such group.").at_least(1).must_be_there(),
    field<&ReplayedCalls::groups>("groups", "Number of such groups, which have no rank in common.")
        .at_least(1)
        .must_be_there(),
    field<&ReplayedCalls::calls>("calls", "Number of calls that each rank of these groups makes.").must_be_there(),
    field<&ReplayedCalls::bytes>("bytes", "Sum of key.bytes over these calls.").must_be_there(),
    field<&ReplayedCalls::time_s>("time_s",
                                  "Sum of the times of their cases, each as often as it is called, in seconds; null if "
                                  "one was not measured."),
    field<&ReplayedCalls::timed_calls>("timed_calls", "Number of these calls whose duration is in the trace.")
        .must_be_there(),
    field<&ReplayedCalls::trace_s>(
        "trace_s",
        "Sum of these durations in seconds. With a trace of each rank, a call's duration is the shortest of its ranks: "
        "that of the rank which waited least. null if there are none."),
    field<&ReplayedCalls::ratio>("ratio", "Time of the same calls here, divided by trace_s; null without it."),
};
constexpr Part replayed_calls_part{"replayed", "Calls of one collective over one kind of group.",
                                   replayed_calls_fields};

constexpr Field left_out_calls_fields[] = {
    field<&LeftOutCalls::collective>("collective", "Name in the trace.").must_be_there(),
    field<&LeftOutCalls::group>("group", "Group in the trace.").must_be_there(),
    field<&LeftOutCalls::calls>("calls", "Number of calls.").must_be_there(),
    field<&LeftOutCalls::bytes>("bytes", "Sum of the larger of a rank's two buffers; 0 if the trace does not say.")
        .must_be_there(),
    field<&LeftOutCalls::reason>("reason", "Why they were not replayed.").must_be_there(),
};
constexpr Part left_out_calls_part{"left_out", "Calls of the trace that were not replayed.", left_out_calls_fields};

}  // namespace

const Part& part_of(const Replay* /*type*/) { return replay_part; }
const Part& part_of(const ReplayedCalls* /*type*/) { return replayed_calls_part; }
const Part& part_of(const LeftOutCalls* /*type*/) { return left_out_calls_part; }

}  // namespace busbar
