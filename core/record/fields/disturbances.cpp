// SPDX-License-Identifier: Apache-2.0
#include "core/machine/contention.hpp"
#include "core/machine/usage.hpp"
#include "core/record/arrival.hpp"
#include "core/record/field.hpp"

namespace busbar {
namespace {

constexpr Field arrival_fields[] = {
    field<&Arrival::skew_s>("skew_s", "From the first rank's start to the last one's, in seconds.").must_be_there(),
    field<&Arrival::transfer_s>("transfer_s",
                                "From the last rank's start to the last one's end, one call, in seconds. Can be below "
                                "0 by the error of the clocks.")
        .of_any_sign()
        .must_be_there(),
    field<&Arrival::late>("late", "Ranks that start late; empty: none."),
};
constexpr Part arrival_part{"arrival",
                            "How ranks came to the calls, apart from how long the transfer then took: by synchronised "
                            "clocks, medians over rounds of medians over samples.",
                            arrival_fields};

constexpr Field late_rank_fields[] = {
    field<&LateRank::rank>("rank", "Number of the rank.").must_be_there(),
    field<&LateRank::host>("host", "Its host.").must_be_there(),
    field<&LateRank::cpus>("cpus", "CPUs it may run on."),
    field<&LateRank::device>("device", "Name of the GPU that it used."),
    field<&LateRank::last_share>("last_share",
                                 "Share of the samples that it started last in, 0 to 1: mean over rounds.")
        .at_most(1),
    field<&LateRank::behind_s>("behind_s", "How long after the first rank it started, in seconds: median over rounds."),
};
constexpr Part late_rank_part{"late_rank", "A rank that started last in more rounds than chance allows.",
                              late_rank_fields};

constexpr Field usage_fields[] = {
    field<&Usage::wall_s>("wall_s", "How long that was, in seconds.").must_be_there(),
    field<&Usage::cpu_s>("cpu_s", "Processor time of the rank, user and system, in seconds.").must_be_there(),
    field<&Usage::waited_s>(
        "waited_s",
        "Time in which the rank could have run and waited for a CPU, in seconds; null where the kernel does not tell."),
    field<&Usage::voluntary>("voluntary_switches", "How often the rank left its CPU to sleep."),
    field<&Usage::involuntary>("involuntary_switches", "How often another process got its CPU."),
    field<&Usage::host_busy_s>("host_busy_s",
                               "Processor time that all CPUs of the host spent working, in seconds, counted in ticks "
                               "of 10 ms; null where it cannot be read.")
        .of_any_sign(),
    field<&Usage::host_stolen_s>("host_stolen_s", "Processor time of the host that the hypervisor took, likewise.")
        .of_any_sign(),
    field<&Usage::throttled>(
        "throttled_periods",
        "Periods in which the CPU quota of its control group stopped the rank; null where it cannot be read."),
};
constexpr Part usage_part{"usage",
                          "What one rank got of its processor while samples were taken, and what else its host did "
                          "meanwhile; summed over the rounds.",
                          usage_fields};

constexpr Field contention_fields[] = {
    derived<Contention, &Contention::contended>("contended", "Whether any was seen.").column(43),
    field<&Contention::reasons>("reasons", "What was seen, in words; empty: nothing.").must_be_there(),
};
constexpr Part contention_part{"contention", "Whether something else had the processors while the case was measured.",
                               contention_fields};

}  // namespace

const Part& part_of(const Arrival* /*type*/) { return arrival_part; }
const Part& part_of(const LateRank* /*type*/) { return late_rank_part; }
const Part& part_of(const Usage* /*type*/) { return usage_part; }
const Part& part_of(const Contention* /*type*/) { return contention_part; }

}  // namespace busbar
