// SPDX-License-Identifier: Apache-2.0
#include "core/record/end_record.hpp"
#include "core/record/fields/member_field.hpp"

namespace busbar {
namespace {

constexpr Field end_record_fields[] = {
    constant("record", "end", "Type of this record: launch, run, case or end."),
    field<&EndRecord::status>("status",
                              "How the run ended. failed: a case failed, or nothing could be measured. aborted: ranks "
                              "waited for each other. output: results could not be written.")
        .must_be_there(),
    field<&EndRecord::reason>("reason", "Why the status is not ok."),
    field<&EndRecord::exit_code>(
        "exit_code",
        "Exit code of the program: 0, 1, 2, 3, 4 or 130 for busbar, any for imported runs. null if unknown.")
        .of_any_sign(),
    field<&EndRecord::cases>("cases", "Number of cases by status."),
    field<&EndRecord::end_utc>("end_utc", "End of the run.").like(utc_form),
    field<&EndRecord::verdict>(
        "verdict",
        "Summary of a sweep of one collective, one sentence. null or absent for several collectives, or none.")
        .later(),
    field<&EndRecord::half_width>("half_width",
                                  "Median relative half-width of the cases' intervals: 0.02 is plus or minus 2 %. null "
                                  "or absent if no budget ended a case early, or there is no interval.")
        .later(),
    field<&EndRecord::wall_s>("wall_s", "Wall time of the run, in seconds."),
    field<&EndRecord::clock>("clock", "Checks of the clocks during the run; null if there were none.").later(),
    field<&EndRecord::settling>("settling", "Settling of the ranks of each host; null if they were not settled.")
        .later(),
    field<&EndRecord::pace>("pace", "How fast the ranks' CPUs were. null if unknown, absent in records before 0.2.")
        .later(),
    field<&EndRecord::over_earlier>(
        "over_earlier",
        "This launch compared with earlier ones on the same hosts; null or absent if fewer than 3 are known.")
        .later(),
    field<&EndRecord::cold_over_hot>("cold_over_hot", "Cases that were measured both cold and hot.").later(),
    field<&EndRecord::alternations>("alternations",
                                    "Cases that were measured for two kinds of groups: each alone, and both in "
                                    "alternation.")
        .later(),
    field<&EndRecord::unguarded>("unguarded", "Ranks whose guard was killed before they ended.").later(),
};
constexpr Part end_record_part{
    "end", "The last record of a journal. If it is missing, the run was ended before its plan was complete.",
    end_record_fields};

constexpr Field launch_pace_fields[] = {
    field<&LaunchPace::full_s>("full_s",
                               "2nd percentile of pace_s over all rounds, in seconds: full pace, unless something "
                               "slowed all of them.")
        .above(0)
        .must_be_there(),
    field<&LaunchPace::known_s>(
        "known_s",
        "full_s by earlier launches on the same hosts with the same compiler and build type; null if there are none."),
};
constexpr Part launch_pace_part{"launch_pace", "How fast the ranks' CPUs were: the time of a fixed amount of work.",
                                launch_pace_fields};

constexpr Field over_earlier_fields[] = {
    field<&OverEarlier::ratio>("ratio",
                               "Time of a case divided by its median over earlier launches; the median over cases.")
        .above(0)
        .must_be_there(),
    field<&OverEarlier::launches>("launches", "Maximum number of earlier launches of a case.")
        .at_least(3)
        .must_be_there(),
};
constexpr Part over_earlier_part{"over_earlier", "A launch compared with earlier ones on the same hosts.",
                                 over_earlier_fields};

constexpr Field cold_start_fields[] = {
    field<&ColdStart::series>("series", "Key of the hot case, without its size.").must_be_there(),
    field<&ColdStart::bytes>("bytes", "As in the key.").must_be_there(),
    field<&ColdStart::hot_s>("hot_s", "time_s of the hot case, in seconds.").above(0).must_be_there(),
    field<&ColdStart::cold_s>("cold_s", "time_s of the cold case, in seconds.").above(0).must_be_there(),
    field<&ColdStart::ratio>("ratio", "cold_s divided by hot_s.").above(0).must_be_there(),
    field<&ColdStart::interval>(
        "interval", "Confidence interval of the ratio, for this launch only; null if a case has no interval."),
};
constexpr Part cold_start_part{
    "cold_start",
    "A case that one launch measured both ways: with back-to-back calls (hot) and with calls that find caches cold.",
    cold_start_fields};

constexpr Field alternation_fields[] = {
    field<&Alternation::series>("series", "Key of the alternating case, without its size.").must_be_there(),
    field<&Alternation::bytes>("bytes", "As in the key.").must_be_there(),
    field<&Alternation::first>("first", "First kind of groups: key.group of its cases.")
        .must_be_there()
        .holds(Privacy::own_words),
    field<&Alternation::second>("second", "Second kind of groups.").must_be_there().holds(Privacy::own_words),
    field<&Alternation::first_s>("first_s", "time_s of the first kind alone, in seconds.").above(0).must_be_there(),
    field<&Alternation::second_s>("second_s", "time_s of the second kind alone, in seconds.").above(0).must_be_there(),
    field<&Alternation::together_s>("together_s",
                                    "time_s of a call of the first kind and then one of the second, in seconds.")
        .above(0)
        .must_be_there(),
    field<&Alternation::cost>("cost",
                              "together_s divided by the sum of first_s and second_s, by round; median over rounds.")
        .above(0)
        .must_be_there(),
    field<&Alternation::interval>(
        "interval", "Confidence interval of the cost, for this launch only; null if there are too few rounds."),
};
constexpr Part alternation_part{
    "alternation", "A case that one launch measured for two kinds of groups: each alone, and both in alternation.",
    alternation_fields};

constexpr Field settling_fields[] = {
    field<&Settling::first_barrier_s>("first_barrier_s", "Barrier time before settling, in seconds.").must_be_there(),
    field<&Settling::best_barrier_s>("best_barrier_s", "Shortest barrier time of all checks, in seconds.")
        .must_be_there(),
    field<&Settling::seconds>("seconds", "Total wall time of all settlings on rank 0, in seconds.").must_be_there(),
    field<&Settling::times>("times", "Number of settlings, before the first round and between rounds.").must_be_there(),
    field<&Settling::wakes>(
        "wakes", "Number of times rank 0 was woken; 0 if it is alone on its host, or if wake-ups do not arrive.")
        .must_be_there(),
    field<&Settling::looks>("looks", "Number of barrier checks between rounds.").must_be_there(),
    field<&Settling::far>(
        "far", "Checks that found a barrier time above 1.8 times the usual one (in records before 0.2: the best one).")
        .must_be_there(),
    field<&Settling::usual_barrier_s>(
        "usual_barrier_s",
        "Lower quartile of the barrier time over all checks, in seconds. null or absent in records before 0.2.")
        .later(),
    field<&Settling::known_barrier_s>(
        "known_barrier_s",
        "Barrier time on near CPUs by earlier launches, in seconds. null if there are none, absent in records before "
        "0.2.")
        .later(),
    field<&Settling::gave_up>("gave_up",
                              "true: settling stopped because it had not helped. Absent in records before 0.2.")
        .later(),
    field<&Settling::near_at_start>(
        "near_at_start",
        "true: at the start a barrier took what is usual in earlier launches, so ranks were not settled then. Absent "
        "in records before 0.2.")
        .later(),
};
constexpr Part settling_part{"settling",
                             "Settling: ranks of a host wake one another so that they move to nearby CPUs, and barrier "
                             "times show whether they stay there. Barriers span all ranks.",
                             settling_fields};

constexpr Field case_counts_fields[] = {
    field<&CaseCounts::ok>("ok", "Measured."),
    field<&CaseCounts::partial>(
        "partial", "Has a time, but ended before it had enough rounds for an interval. Absent in records before 0.2.")
        .later(),
    field<&CaseCounts::skipped>("skipped", "Could not run here."),
    field<&CaseCounts::failed>("failed", "Wrong data, or an error."),
};
constexpr Part case_counts_part{"cases", "Number of cases by status.", case_counts_fields};

}  // namespace

const Part& part_of(const EndRecord* /*type*/) { return end_record_part; }
const Part& part_of(const LaunchPace* /*type*/) { return launch_pace_part; }
const Part& part_of(const OverEarlier* /*type*/) { return over_earlier_part; }
const Part& part_of(const ColdStart* /*type*/) { return cold_start_part; }
const Part& part_of(const Alternation* /*type*/) { return alternation_part; }
const Part& part_of(const Settling* /*type*/) { return settling_part; }
const Part& part_of(const CaseCounts* /*type*/) { return case_counts_part; }

}  // namespace busbar
