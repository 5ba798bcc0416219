// SPDX-License-Identifier: Apache-2.0
#include "core/record/clock_facts.hpp"
#include "core/record/field.hpp"

namespace busbar {
namespace {

constexpr Field clock_facts_fields[] = {
    field<&ClockFacts::method>("method", "HCA3; or shared clock, where all ranks read the clock of one host.")
        .not_empty()
        .must_be_there(),
    field<&ClockFacts::reference_rank>("reference_rank", "The rank whose clock all others follow.").must_be_there(),
    field<&ClockFacts::residual_s>("residual_s", "Largest over the ranks, in seconds.").must_be_there(),
    field<&ClockFacts::uncertainty_s>("uncertainty_s", "Largest over the ranks, in seconds.").must_be_there(),
    field<&ClockFacts::took_s>(
        "took_s", "The synchronisation and the measurement of its residuals on the reference rank, in seconds."),
    field<&ClockFacts::ranks>("ranks", "A row a rank, in order."),
};
constexpr Part clock_facts_part{
    "clock",
    "How the ranks came to one time. Residuals and uncertainties are summed along a rank's way to the reference rank.",
    clock_facts_fields};

constexpr Field rank_clock_fields[] = {
    field<&RankClock::rank>("rank", "Number of the rank.").must_be_there(),
    field<&RankClock::offset_s>("offset_s", "Clock of the reference rank less this one's, in seconds.")
        .of_any_sign()
        .must_be_there(),
    field<&RankClock::drift_ppm>("drift_ppm", "By how much that offset grows: microseconds in a second.")
        .of_any_sign()
        .must_be_there(),
    field<&RankClock::residual_s>("residual_s",
                                  "Offset that was left after the correction, absolute, by messages that the "
                                  "correction does not know; in seconds.")
        .must_be_there(),
    field<&RankClock::uncertainty_s>("uncertainty_s",
                                     "What no message can tell: half of the shortest round trip, in seconds.")
        .must_be_there(),
};
constexpr Part rank_clock_part{
    "rank_clock",
    "One rank's clock against that of the reference rank. At the time of the synchronisation a time of this rank was "
    "wrong by residual_s plus uncertainty_s at most.",
    rank_clock_fields};

constexpr Field clock_checks_fields[] = {
    field<&ClockChecks::checks>("checks", "In order; empty: the run was too short for one."),
    field<&ClockChecks::worst_residual_s>("worst_residual_s", "Over the checks, in seconds; null without checks."),
    field<&ClockChecks::resynchronised>("resynchronised",
                                        "How many checks found too much and synchronised the clocks anew."),
};
constexpr Part clock_checks_part{"clock_checks", "Looks at the clocks during the run.", clock_checks_fields};

constexpr Field clock_check_fields[] = {
    field<&ClockCheck::at_s>("at_s", "When, in seconds since the start of the run.").must_be_there(),
    field<&ClockCheck::residual_s>("residual_s",
                                   "Largest residual over the ranks, in seconds, before any new synchronisation.")
        .must_be_there(),
    field<&ClockCheck::uncertainty_s>("uncertainty_s",
                                      "Largest uncertainty over the ranks, in seconds. Far above that of the "
                                      "synchronisation: the ranks were disturbed.")
        .must_be_there(),
};
constexpr Part clock_check_part{"clock_check", "A look at the clocks during the run.", clock_check_fields};

}  // namespace

const Part& part_of(const ClockFacts* /*type*/) { return clock_facts_part; }
const Part& part_of(const RankClock* /*type*/) { return rank_clock_part; }
const Part& part_of(const ClockChecks* /*type*/) { return clock_checks_part; }
const Part& part_of(const ClockCheck* /*type*/) { return clock_check_part; }

}  // namespace busbar
