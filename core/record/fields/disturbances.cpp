// SPDX-License-Identifier: Apache-2.0
#include "core/machine/contention.hpp"
#include "core/machine/usage.hpp"
#include "core/record/arrival.hpp"
#include "core/record/fields/member_field.hpp"

namespace busbar {
namespace {

constexpr Field arrival_fields[] = {
    field<&Arrival::skew_s>("skew_s", "Arrival skew: from the first rank's start to the last rank's start, in seconds.")
        .must_be_there(),
    field<&Arrival::transfer_s>("transfer_s",
                                "From the last start to the last end over all ranks, for one call, in seconds. Can be "
                                "negative by the error of the clocks.")
        .of_any_sign()
        .must_be_there(),
    field<&Arrival::late>("late", "Ranks that start late; empty if there are none."),
};
constexpr Part arrival_part{"arrival",
                            "Arrival of ranks at the calls, separate from the transfer that follows. By synchronised "
                            "clocks; medians over rounds of medians over samples.",
                            arrival_fields};

constexpr Field late_rank_fields[] = {
    field<&LateRank::rank>("rank", "Rank number.").must_be_there(),
    field<&LateRank::host>("host", "Its host.").must_be_there(),
    field<&LateRank::cpus>("cpus", "CPUs that it may use."),
    field<&LateRank::device>("device", "Name of its GPU."),
    field<&LateRank::last_share>("last_share",
                                 "Fraction of samples in which it started last, 0 to 1; mean over rounds.")
        .at_most(1),
    field<&LateRank::behind_s>("behind_s",
                               "Delay of its start after the first rank's, in seconds; median over rounds."),
};
constexpr Part late_rank_part{"late_rank", "A rank that started last in more rounds than chance allows.",
                              late_rank_fields};

constexpr Field usage_fields[] = {
    field<&Usage::wall_s>("wall_s", "Duration of the measurement, in seconds.").must_be_there(),
    field<&Usage::cpu_s>("cpu_s", "CPU time of the rank, user and system, in seconds.").must_be_there(),
    field<&Usage::waited_s>(
        "waited_s",
        "Time in which the rank was runnable but not running, in seconds; null if the kernel does not report it."),
    field<&Usage::voluntary>("voluntary_switches", "Voluntary context switches: the rank left its CPU to sleep."),
    field<&Usage::involuntary>("involuntary_switches",
                               "Involuntary context switches: another process got the rank's CPU."),
    field<&Usage::host_busy_s>(
        "host_busy_s",
        "Busy time summed over all CPUs of the host, in seconds, counted in ticks of 10 ms; null if it cannot be read.")
        .of_any_sign(),
    field<&Usage::host_stolen_s>("host_stolen_s",
                                 "CPU time of the host that the hypervisor stole, in seconds, counted likewise.")
        .of_any_sign(),
    field<&Usage::throttled>(
        "throttled_periods",
        "Periods in which the CPU quota of its control group stopped the rank; null if it cannot be read."),
};
constexpr Part usage_part{
    "usage", "CPU usage of one rank and of its host while samples were taken; summed over rounds.", usage_fields};

constexpr Field contention_fields[] = {
    derived<Contention, &Contention::contended>("contended", "Contention was detected.").column(43),
    field<&Contention::reasons>("reasons", "Evidence of contention, in words; empty if there is none.").must_be_there(),
};
constexpr Part contention_part{"contention",
                               "Whether other processes or the hypervisor used the CPUs while the case was measured.",
                               contention_fields};

}  // namespace

const Part& part_of(const Arrival* /*type*/) { return arrival_part; }
const Part& part_of(const LateRank* /*type*/) { return late_rank_part; }
const Part& part_of(const Usage* /*type*/) { return usage_part; }
const Part& part_of(const Contention* /*type*/) { return contention_part; }

}  // namespace busbar
