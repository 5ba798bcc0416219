// SPDX-License-Identifier: Apache-2.0
#include "core/record/clock_facts.hpp"
#include "core/record/fields/member_field.hpp"

namespace busbar {
namespace {

constexpr Field clock_facts_fields[] = {
    field<&ClockFacts::method>("method", "HCA3, or shared clock if all ranks read the clock of one host.")
        .not_empty()
        .must_be_there(),
    field<&ClockFacts::reference_rank>("reference_rank", "Rank whose clock all others follow.").must_be_there(),
    field<&ClockFacts::residual_s>("residual_s", "Largest residual over ranks, in seconds.").must_be_there(),
    field<&ClockFacts::uncertainty_s>("uncertainty_s", "Largest uncertainty over ranks, in seconds.").must_be_there(),
    field<&ClockFacts::took_s>(
        "took_s",
        "Duration of the synchronisation and the measurement of its residuals on the reference rank, in seconds."),
    field<&ClockFacts::ranks>("ranks", "One row per rank, in order."),
};
constexpr Part clock_facts_part{"clock",
                                "Clock synchronisation of the ranks. Residuals and uncertainties are summed along a "
                                "rank's path to the reference rank.",
                                clock_facts_fields};

constexpr Field rank_clock_fields[] = {
    field<&RankClock::rank>("rank", "Rank number.").must_be_there(),
    field<&RankClock::offset_s>("offset_s", "Clock of the reference rank minus this rank's, in seconds.")
        .of_any_sign()
        .must_be_there(),
    field<&RankClock::drift_ppm>("drift_ppm", "Growth of that offset, in microseconds per second.")
        .of_any_sign()
        .must_be_there(),
    field<&RankClock::residual_s>(
        "residual_s",
        "Absolute offset left after the correction, in seconds, from messages that the correction did not use.")
        .must_be_there(),
    field<&RankClock::uncertainty_s>("uncertainty_s",
                                     "Error that no message can reveal: half of the shortest round trip, in seconds.")
        .must_be_there(),
};
constexpr Part rank_clock_part{"rank_clock",
                               "One rank's clock relative to the reference rank's. At the time of synchronisation, the "
                               "error of this rank's time was at most residual_s plus uncertainty_s.",
                               rank_clock_fields};

constexpr Field clock_checks_fields[] = {
    field<&ClockChecks::checks>("checks", "In order; empty if the run was too short for a check."),
    field<&ClockChecks::worst_residual_s>("worst_residual_s",
                                          "Largest residual over the checks, in seconds; null without checks."),
    field<&ClockChecks::resynchronised>(
        "resynchronised", "Number of checks that found too large a residual and resynchronised the clocks."),
};
constexpr Part clock_checks_part{"clock_checks", "Checks of the clocks during the run.", clock_checks_fields};

constexpr Field clock_check_fields[] = {
    field<&ClockCheck::at_s>("at_s", "Time of the check, in seconds since the start of the run.").must_be_there(),
    field<&ClockCheck::residual_s>("residual_s",
                                   "Largest residual over ranks, in seconds, before any resynchronisation.")
        .must_be_there(),
    field<&ClockCheck::uncertainty_s>(
        "uncertainty_s",
        "Largest uncertainty over ranks, in seconds. Far above the value at synchronisation if ranks were disturbed.")
        .must_be_there(),
};
constexpr Part clock_check_part{"clock_check", "A check of the clocks during the run.", clock_check_fields};

}  // namespace

const Part& part_of(const ClockFacts* /*type*/) { return clock_facts_part; }
const Part& part_of(const RankClock* /*type*/) { return rank_clock_part; }
const Part& part_of(const ClockChecks* /*type*/) { return clock_checks_part; }
const Part& part_of(const ClockCheck* /*type*/) { return clock_check_part; }

}  // namespace busbar
